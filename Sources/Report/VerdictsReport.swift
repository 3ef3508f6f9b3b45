public import Transcript
import Wire

/// What one connection showed, for a list of them.
public struct ListedVerdict: Sendable, Equatable {
    /// What it showed.
    public var verdict: ConnectionVerdict
    /// The phase in which it was; nil if it belongs to no experiment.
    public var phase: ExperimentPhase?

    /// Joins what a connection showed with where it belongs.
    public init(_ verdict: ConnectionVerdict, phase: ExperimentPhase?) {
        self.verdict = verdict
        self.phase = phase
    }
}

/// What single connections showed as a table, with a row for each.
public struct VerdictsReport: Sendable {
    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark the headings with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    /// The table, with a newline at its end; nothing without connections.
    public func text(for verdicts: [ListedVerdict]) -> String {
        guard !verdicts.isEmpty else { return "" }
        var table = TextTable(columns: [
            .init("No.", wraps: false), .init("Phase", wraps: false), .init("Host"), .init("Client"), .init("Verdict"),
        ])
        for listed in verdicts {
            let verdict = listed.verdict
            table.add(row: [
                .init("#\(verdict.connection)"),
                .init(listed.phase?.rawValue ?? "-"),
                .init(verdict.endpoint?.description ?? "-"),
                .init(verdict.stack.map { String($0.prefix { $0 != "_" }) } ?? "-"),
                .init(verdict.verdict.text),
            ])
        }
        return table.text(width: width, colour: colour)
    }
}

extension JSONReport {
    /// The lines of single connections, without newlines; the fields: `docs/findings.md`.
    public func lines(for verdicts: [ListedVerdict]) -> [String] {
        verdicts.map { listed in
            object("verdict") { json in
                json.member("connection", listed.verdict.connection)
                json.member("phase", listed.phase)
                json.writeMembers(of: listed.verdict.endpoint)
                json.member("stack", listed.verdict.stack)
                json.member("verdict", listed.verdict.verdict.name)
                json.member("text", listed.verdict.verdict.text)
            }
        }
    }
}
