public import Transcript
import Wire

/// What a run came to, as text: a table of the hosts, then what went wrong with each.
public struct SummaryReport: Sendable {
    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark what went wrong with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.width = width
        self.colour = colour
    }

    /// The summary as lines, each with a newline at its end.
    public func text(for summary: RunSummary) -> String {
        let hosts = summary.hosts
        guard !hosts.isEmpty else { return overview(summary) }
        let remarks = hosts.map(remarks).joined()
        return table(hosts) + (remarks.isEmpty ? "" : "\n" + remarks) + "\n" + overview(summary)
    }

    private func table(_ hosts: [HostSummary]) -> String {
        var table = TextTable(columns: [
            .init("Host"),
            .init("Connections", alignment: .right),
            .init("Decisions", wraps: false),
            .init("Handshakes", wraps: false),
            .init("Up", alignment: .right, wraps: false),
            .init("Down", alignment: .right, wraps: false),
        ])
        for host in hosts {
            table.add(row: [
                .init(host.host),
                .init("\(host.connections)"),
                .init(
                    paragraphs: counts([
                        (host.intercepted, "intercept"), (host.tunnelled, "tunnel"), (host.refused, "refuse"),
                        (host.answeredByRule, "answer"),
                    ])),
                .init(paragraphs: counts([(host.clientHandshakes, "client"), (host.originHandshakes, "origin")])),
                .init(Quantity.bytes(host.clientBytes)),
                .init(Quantity.bytes(host.originBytes)),
            ])
        }
        return table.text(width: width, colour: colour)
    }

    /// Those counts that are not zero, or a dash.
    private func counts(_ all: [(count: UInt64, name: String)]) -> [String] {
        let some = all.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        return some.isEmpty ? ["-"] : some
    }

    /// The alerts and failures of a host below its name; nothing if there were none.
    private func remarks(_ host: HostSummary) -> String {
        var remarks = host.sortedAlerts.map {
            "the client sent alert \(TLSNames.alert($0.code)) (\($0.code)): \(times($0.count))"
        }
        remarks += host.sortedFailures.map {
            "\($0.code.rawValue): \(times($0.failures.count)), last: \($0.failures.lastDetail)"
        }
        if host.mirrored > 0 { remarks.append("\(host.sortedMirroredFaults.mark): \(times(host.mirrored))") }
        if host.identitiesTaken > 0 {
            remarks.append("the app gave the proxy its client certificate: \(times(host.identitiesTaken))")
        }
        if host.identityRequests > 0 {
            let given = host.identitiesGiven == 0 ? "none was given" : "given \(times(host.identitiesGiven))"
            remarks.append("the origin asked for a client certificate: \(times(host.identityRequests)), \(given)")
        }
        if host.withheldHTTP2 > 0 {
            remarks.append(
                "HTTP/2 was not offered to the origin, which ends handshakes that offer it: \(times(host.withheldHTTP2))"
            )
        }
        remarks += TunnelContent.allCases.compactMap { content in
            host.contents[content].map { "not TLS: \(content.explained): \(times($0))" }
        }
        if host.answered > 0 { remarks.append("answered by the proxy itself: \(times(host.answered))") }
        guard !remarks.isEmpty else { return "" }
        let name = LineWrap.lines(of: TerminalText.escape(host.host), width: max(1, width))
        return name.map { Style.heading.applied(to: $0, colour: colour) + "\n" }.joined()
            + remarks.map(indented).joined()
    }

    /// A remark on lines of its own; those after the first are indented further.
    private func indented(_ remark: String) -> String {
        let lines = LineWrap.lines(of: TerminalText.escape(remark), width: max(1, width - 4))
        return lines.enumerated().map { index, line in
            // A refusal may be just what the test is for, so it is marked but not called bad.
            (index == 0 ? "  " : "    ") + Style.warning.applied(to: line, colour: colour) + "\n"
        }.joined()
    }

    private func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(count) times" }

    private func overview(_ summary: RunSummary) -> String {
        var parts = ["\(summary.connections) connection\(plural(summary.connections))"]
        parts.append("\(summary.hostCount) host\(plural(UInt64(summary.hostCount)))")
        if summary.openConnections > 0 { parts.append("\(summary.openConnections) still open") }
        if summary.lost > 0 { parts.append("\(summary.lost) event\(plural(summary.lost)) lost") }
        return parts.joined(separator: ", ") + "\n"
    }

    private func plural(_ count: UInt64) -> String { count == 1 ? "" : "s" }
}
