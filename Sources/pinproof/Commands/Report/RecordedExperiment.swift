internal import Crypto
internal import Report
internal import Transcript
internal import TranscriptFiles
internal import Wire

/// An experiment as a transcript has it: what it proves, and how far the transcript can be relied on.
struct RecordedExperiment {
    /// What the events prove.
    private(set) var verdicts = ExperimentVerdicts()
    /// What every connection showed, if that was asked for.
    private(set) var list: VerdictList
    /// Whether anything says which phase connections belong to.
    private(set) var holdsExperiment = false
    private var hasEnd = false
    /// Whether something follows what has to be the last event.
    private var goesOn = false
    private var opened: UInt64 = 0
    private var expected: UInt64?
    /// How many events are said to be missing.
    private var lost: UInt64 = 0
    private var missing = MissingEvents()
    /// Whether files between those that are there are missing.
    private var lacksFiles = false
    private var state = TranscriptState()
    /// What stands for the transcript as it is now.
    private(set) var seal: TranscriptSeal?
    /// How many commands were started in each phase, controls included.
    private var commands: [ExperimentPhase: Int] = [:]
    private var commandsEnded = 0

    /// Reads a transcript to its end, in further files of the run too.
    ///
    /// - Parameters:
    ///   - path: The run's first file.
    ///   - listsConnections: Whether to keep what every connection showed.
    /// - Throws: `CommandError` if it is no transcript, or broken before its end.
    init(reading path: String, listsConnections: Bool) throws(CommandError) {
        list = VerdictList(isKept: listsConnections)
        var run = RecordedRun(from: path)
        var last: [UInt8]?
        while let line = try run.nextLine() {
            last = line.bytes
            if let event = line.event { add(event) }
        }
        seal = last.map { TranscriptSeal(path: path, digest: Hex.encode(Digest.sha256($0))) }
        state = run.state
        list.finish(verdicts)
    }

    private mutating func add(_ event: Event) {
        if hasEnd { goesOn = true }
        if missing.add(event), case .runContinued = event.kind { lacksFiles = true }
        switch event.kind {
        case .opened: opened += 1
        case .runStarted(let run): holdsExperiment = run.rotatesPhases
        case .commandStarted(let command):
            holdsExperiment = true
            commands[command.phase, default: 0] += 1
        case .commandEnded: commandsEnded += 1
        case .gap(let count): lost = lost.addingReportingOverflow(count).overflow ? .max : lost + count
        case .runEnded(let run):
            hasEnd = true
            expected = run.connections
            // It has those of the gaps too, and those that no gap could tell of.
            lost = max(lost, run.lost)
        default: break
        }
        list.add(event, closed: verdicts.add(event))
    }

    /// Whether the experiment was ended before it was over, as far as the transcript goes.
    ///
    /// Every phase runs the same commands (none if connections say their own phases), and what is started ends: an end
    /// between two of them shows in their numbers, and so does a line that is missing.
    var isInterrupted: Bool {
        let counts = ExperimentPhase.allCases.map { commands[$0, default: 0] }
        return verdicts.isInterrupted || !hasEnd || Set(counts).count > 1 || counts.reduce(0, +) != commandsEnded
    }

    /// Why the transcript proves nothing as a whole, besides that.
    var doubt: String? {
        guard holdsExperiment else { return "no experiment in the transcript: its connections have no phases" }
        if lacksFiles { return "files of the run are missing" }
        if goesOn { return "there are events after the end of the run" }
        if let expected, expected != opened {
            return "\(opened) connections are in the transcript, and the run had \(expected)"
        }
        return ExperimentReport.doubt(lost: lost)
    }

    /// What the reader of the findings has to know of the file.
    var warnings: [String] {
        var warnings: [String] = []
        if let truncatedLength = state.truncatedLength {
            warnings.append("the last line is broken: \(truncatedLength) octets are left out")
        }
        if !hasEnd {
            warnings.append("the run was not over when the transcript ends: what is here decides nothing")
        } else if holdsExperiment, isInterrupted {
            warnings.append("the run was interrupted, or lines are missing: what is here decides nothing")
        }
        if state.unknownEvents > 0 {
            warnings.append("\(state.unknownEvents) events of kinds that this version does not know are left out")
        }
        return warnings
    }
}
