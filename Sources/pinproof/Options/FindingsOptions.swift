internal import Transcript
internal import Wire

/// What commands that come to findings have in common: what is expected, which findings are reported, and where they go.
struct FindingsOptions: Sendable, Equatable {
    /// The file with what is expected; nil for none.
    var expectations: String?
    /// What is expected of hosts that no line names.
    var fallback = Expectations.Default.any
    /// The hosts whose findings are reported; all if there are none.
    var only: [HostPattern] = []
    /// The file for the findings as JSON Lines, `-` for standard output; nil for none.
    var json: String?
    /// The file for the same as JUnit's XML, `-` for standard output; nil for none.
    var junit: String?
    /// The name of the experiment, in the transcript and in what is reported; nil for none.
    var label: String?
}

/// The options of a command that comes to findings.
protocol FindingsValues: OptionValues {
    /// What becomes of the findings.
    var findings: FindingsOptions { get set }
}

extension FindingsOptions {
    /// An option that was given and makes no sense without findings; nil if none was.
    var given: String? {
        if expectations != nil { return "expect" }
        if fallback != .any { return "default" }
        if !only.isEmpty { return "only" }
        return junit == nil ? nil : "junit"
    }

    /// Reads what is expected; nil if nothing is.
    func readExpectations() throws(CommandError) -> Expectations? {
        guard let path = expectations else { return fallback == .any ? nil : Expectations(default: fallback) }
        let bytes = try Files.read(path)
        do {
            return try Expectations(String(decoding: bytes, as: UTF8.self), default: fallback)
        } catch {
            throw CommandError(error.description, at: "\(path):\(error.line)", mend: "write one expectation a line")
        }
    }

    /// Refuses files that are there already, before any work is done.
    func expectRoom() throws(CommandError) {
        guard json != "-" || junit != "-" else {
            throw CommandError("both --json and --junit to standard output", mend: "write one of them to a file")
        }
        for path in [json, junit].compactMap({ $0 }) where path != "-" && Files.exists(path) {
            throw CommandError("refusing to overwrite", at: path, mend: "remove it first, or choose another name")
        }
    }
}
