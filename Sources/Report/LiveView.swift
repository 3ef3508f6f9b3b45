public import Transcript
import Wire

/// The live view: one line for every connection that closed.
///
/// `14:02:07.123  #12  intercept  api.example.com:443  TLS 1.3 h2 | client: close_notify  origin: close_notify | 1.2 kB
/// up, 3.4 MB down, 0.21 s`; what failed follows on the same line, with the side at fault.
public struct LiveView: Sendable {
    private let colour: Bool
    private let secondsFromUTC: Int

    /// Says how lines are to look.
    ///
    /// - Parameters:
    ///   - colour: Whether to mark failures with control sequences.
    ///   - secondsFromUTC: The offset of the time zone in which the time of day is shown.
    public init(colour: Bool = false, secondsFromUTC: Int = 0) {
        self.colour = colour
        self.secondsFromUTC = secondsFromUTC
    }

    /// The line of a connection, without a newline, harmless to a terminal whatever the peers sent.
    public func line(for line: ConnectionLine) -> String {
        var text = Quantity.timeOfDay(wall: line.wall, secondsFromUTC: secondsFromUTC)
        text += "  #\(line.connection)  \(decision(line))  \(target(line))"
        if let name = line.serverName {
            text += "  as " + TerminalText.clip(TerminalText.escape(name), to: Self.longestTarget)
        }
        if let sessions = sessions(line) { text += "  " + sessions }
        if line.withheldHTTP2 { text += " (HTTP/2 withheld)" }
        if line.originProof == .nothing {
            text += "  " + Style.bad.applied(to: "ORIGIN NOT VERIFIED", colour: colour)
        }
        if let content = line.content { text += "  " + content.explained }
        if !line.mirroredFaults.isEmpty {
            text += "  " + Style.bad.applied(to: line.mirroredFaults.mark, colour: colour)
        }
        if let status = line.answered { text += "  answered \(status)" }
        if let verdict = line.verdict, verdict.isShown { text += " | " + verdict.text }
        if line.lacksEvents {
            let recorded = line.recordedVerdict.map { ": " + TerminalText.escape($0.text) }
            text += " | events missing" + (recorded ?? "")
        }
        let closed = line.closed
        text += " | client: \(end(closed.client))  origin: \(end(closed.origin))"
        text += " | \(Quantity.bytes(closed.clientBytes)) up, \(Quantity.bytes(closed.originBytes)) down, "
        text += Quantity.duration(nanoseconds: closed.nanoseconds)
        if let failure = line.failure {
            // That a client refuses may be just what the test is for, so it is marked but not called bad.
            let style: Style = failure.party == .client ? .warning : .bad
            text += " | " + style.applied(to: self.failure(failure), colour: colour)
        }
        return text
    }

    /// The decision, padded to the longest.
    private func decision(_ line: ConnectionLine) -> String {
        // What was to be intercepted and turned out to be no TLS was relayed as it came.
        let word = line.content == nil ? line.decision?.rawValue ?? "-" : "not TLS"
        return word + String(repeating: " ", count: max(0, Decision.intercept.rawValue.utf8.count - word.utf8.count))
    }

    /// What the client asked for: understood, or as it was sent.
    private func target(_ line: ConnectionLine) -> String {
        if let endpoint = line.endpoint { return TerminalText.escape(endpoint.description) }
        guard let target = line.target else { return RunSummary.noHost }
        return TerminalText.clip(TerminalText.escape(target), to: Self.longestTarget)
    }

    /// What the handshakes agreed on: once if both sides agreed on the same.
    private func sessions(_ line: ConnectionLine) -> String? {
        if line.clientSession == line.originSession { return line.clientSession.map(session) }
        let client = line.clientSession.map { "client " + session($0) }
        let origin = line.originSession.map { "origin " + session($0) }
        return [client, origin].compactMap(\.self).joined(separator: ", ")
    }

    private func session(_ session: ConnectionLine.Session) -> String {
        let version = TLSNames.version(session.version)
        guard let alpn = session.alpn else { return version }
        return version + " " + TerminalText.clip(TerminalText.escape(alpn), to: Self.longestTarget)
    }

    /// How a peer ended its direction, in the words of the protocols.
    private func end(_ end: End?) -> String {
        switch end {
        case .closeNotify: "close_notify"
        case .fin: "FIN"
        case .reset: "RST"
        case .alert(let code): "alert \(TLSNames.alert(code)) (\(code))"
        case .timeout: "timeout"
        case .error(let number): "error \(number)"
        case .proxy: "closed by the proxy"
        case nil: "-"
        }
    }

    private func failure(_ failure: Failure) -> String {
        let hint = failure.hint.map { "; " + $0 } ?? ""
        let text = TerminalText.clip(TerminalText.escape(failure.detail + hint), to: Self.longestFailure)
        // A rule of the user's own is nobody's fault.
        guard failure.code != .refusedByRule else { return text }
        return "\(failure.party.rawValue) at fault: \(failure.code.rawValue), \(text)"
    }

    /// A line that says why nobody is served for the time being, or that this is over; nil for other events.
    public func line(for event: Event) -> String? {
        let time = Quantity.timeOfDay(wall: event.wall, secondsFromUTC: secondsFromUTC)
        switch event.kind {
        case .acceptingPaused(.connections(let number)):
            let what =
                (number == 1 ? "a connection is open" : "\(number) connections are open")
                + ": further ones wait until one ends (--max-connections)"
            return time + "  " + Style.warning.applied(to: what, colour: colour)
        case .acceptingPaused(.system(let errno)):
            let what =
                "this machine has no room for further connections, which wait (error \(errno)): "
                + "raise the limit of open files (ulimit -n) or lower --max-connections"
            return time + "  " + Style.bad.applied(to: what, colour: colour)
        case .acceptingResumed(let nanoseconds):
            return time + "  connections are accepted again, after " + Quantity.duration(nanoseconds: nanoseconds)
        default:
            return nil
        }
    }

    private static let longestTarget = 60
    private static let longestFailure = 200
}

extension Verdict {
    /// Whether it says something that the rest of the line does not.
    fileprivate var isShown: Bool {
        if case .notTested = self { false } else { true }
    }
}

extension TunnelContent {
    /// What was found, in a few words.
    var explained: String {
        switch self {
        case .otherProtocol: "the client speaks another protocol; relayed untouched"
        case .originFirst: "the origin speaks first; relayed untouched"
        case .silence: "nobody said anything"
        }
    }
}
