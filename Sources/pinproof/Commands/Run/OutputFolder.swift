internal import Experiment
internal import Glibc
internal import Transcript

/// Where `pinproof run --output` keeps what the command printed.
struct OutputFolder: Sendable {
    private let path: String

    /// Takes a folder that exists, or makes it, for this user only.
    init(_ path: String) throws(CommandError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandError("cannot make the folder", at: "--output \(path): \(SystemCall.failure)")
        }
        self.path = path
        // The first file of an experiment; those that follow would fail one by one.
        let first = "\(path)/\(ExperimentPhase.baseline.rawValue)-1.out"
        guard !Files.exists(first) else {
            throw CommandError(
                "refusing to overwrite", at: first, mend: "choose another folder: --output keeps one experiment in each"
            )
        }
    }

    /// Writes the end of both outputs of a run to new files, `untrusted-2.out` and `untrusted-2.err`.
    func keep(_ outcome: Experiment.Outcome) throws(CommandError) {
        let run = outcome.started
        let name = "\(path)/\(run.phase.rawValue)-\(run.isControl ? "control-" : "")\(run.run)"
        try Files.create("\(name).out", outcome.output)
        try Files.create("\(name).err", outcome.error)
    }
}
