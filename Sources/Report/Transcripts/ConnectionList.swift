import Transcript
import Wire

/// The connections of a transcript as a list with one line for each.
///
/// The columns depend on the width alone, so that a list can be printed while it grows.
public struct ConnectionList: Sendable {
    private let colour: Bool
    private let columns: [Column]

    private struct Column: Sendable {
        var title: String
        var width: Int
        var isRight = false
    }

    /// Says how the list is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark verdicts with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.colour = colour
        // What does not fit into 80 columns in full has room on a wider terminal, up to where nothing is won any more.
        let room = min(max(width, 80), 160) - 80
        let verdict = room * 2 / 3
        columns = [
            Column(title: "No", width: 4, isRight: true), Column(title: "UTC", width: 8),
            Column(title: "Host", width: 16 + room - verdict), Column(title: "Client", width: 10),
            Column(title: "TLS", width: 6), Column(title: "What it shows", width: 19 + verdict),
            Column(title: "Bytes", width: 5, isRight: true), Column(title: "Took", width: 5, isRight: true),
        ]
    }

    /// The line above the list, with a newline.
    public var heading: String {
        Style.heading.applied(to: row(columns.map(\.title), styles: [:], colour: false), colour: colour) + "\n"
    }

    /// The line of a connection, with a newline, harmless to a terminal whatever the peers sent.
    public func text(for listed: ListedConnection) -> String {
        let line = listed.line
        let cells = [
            String(line.connection), listed.isOpen ? "open" : String(time(line.wall)), host(line),
            line.stack?.shortStack ?? "-", session(line), shown(listed), listed.isOpen ? "-" : bytes(line.closed),
            listed.isOpen ? "-" : Self.duration(line.closed.nanoseconds),
        ]
        let verdictStyle = listed.evidence == .whole ? line.verdict?.style : nil
        let style: Style = line.failure.map { $0.party != .client } == true ? .bad : verdictStyle ?? .plain
        return row(cells, styles: [5: style], colour: colour) + "\n"
    }

    private func row(_ cells: [String], styles: [Int: Style], colour: Bool) -> String {
        var row = ""
        var blanks = 0
        for (index, column) in columns.enumerated() {
            let text = TerminalText.clip(TerminalText.escape(cells[index]), to: column.width)
            let padding = max(0, column.width - TerminalText.width(text))
            row += String(repeating: " ", count: blanks + (column.isRight ? padding : 0))
            row += (styles[index] ?? .plain).applied(to: text, colour: colour)
            blanks = 1 + (column.isRight ? 0 : padding)
        }
        return row
    }

    private func time(_ wall: Int64) -> Substring { Quantity.timeOfDay(wall: wall, secondsFromUTC: 0).prefix(8) }

    /// The host, cut in the middle if it is long: both ends of a name tell names apart.
    private func host(_ line: ConnectionLine) -> String {
        guard let endpoint = line.endpoint else { return line.target ?? "-" }
        let name = endpoint.port == 443 ? endpoint.host.description : endpoint.description
        let room = columns[2].width
        guard name.count > room else { return name }
        return "\(name.prefix((room - 1) / 2))…\(name.suffix(room - 1 - (room - 1) / 2))"
    }

    /// Version and protocol of the session with the client, in the way of JA4 where there is no room: `1.3 h2`, `1.2 h1`.
    private func session(_ line: ConnectionLine) -> String {
        guard let session = line.clientSession else { return "-" }
        let version = TLSNames.version(session.version)
        let short = version.hasPrefix("TLS ") ? String(version.dropFirst(4)) : version
        return short + (session.alpn.map { $0 == "http/1.1" ? " h1" : " \($0)" } ?? "")
    }

    /// The decision where it is not the usual one, and the verdict.
    private func shown(_ listed: ListedConnection) -> String {
        let line = listed.line
        let room = columns[5].width
        switch listed.evidence {
        case .whole: break
        case .eventsMissing: return shownWithoutEvents(line, room: room)
        case .notOver: return "not over"
        }
        switch line.decision {
        case .tunnel where line.failure == nil: return "tunnel"
        case .refuse: return "refuse"
        case .tunnel, .intercept, .answer, nil: break
        }
        let prefix = line.decision == .answer ? "answer, " : ""
        guard let verdict = line.verdict else { return prefix + "-" }
        let texts = [verdict.text, verdict.shorterText, verdict.shortestText]
        return prefix + (texts.first { prefix.count + $0.count <= room } ?? verdict.shortestText)
    }

    /// That events are missing, and what was recorded as the verdict.
    private func shownWithoutEvents(_ line: ConnectionLine, room: Int) -> String {
        guard let recorded = line.recordedVerdict else { return "events missing" }
        let name = TranscriptCensus.words(for: recorded.name) ?? recorded.name
        let texts = ["events missing: \(recorded.text)", "events missing: \(name)"]
        return texts.first { $0.count <= room } ?? "gap: \(name)"
    }

    private func bytes(_ closed: Closed) -> String {
        let (sum, isBeyond) = closed.clientBytes.addingReportingOverflow(closed.originBytes)
        return Self.bytes(isBeyond ? .max : sum)
    }

    /// An amount in at most five columns: `999`, `1.2k`, `345M`.
    private static func bytes(_ count: UInt64) -> String {
        guard count >= 1000 else { return String(count) }
        let parts = Quantity.bytes(count).split(separator: " ")
        let number = parts[0].count > 4 ? parts[0].prefix { $0 != "." } : parts[0]
        return String(number) + parts[1].prefix(1)
    }

    /// A length of time in at most five columns: `43ms`, `1.2s`, `2m03s` or `1h02m`.
    private static func duration(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let seconds = milliseconds / 1000
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        switch seconds {
        case 0: return "\(milliseconds)ms"
        case 1..<60: return "\(seconds).\(milliseconds / 100 % 10)s"
        case 60..<600: return "\(seconds / 60)m\(two(seconds % 60))s"
        case 600..<3600: return "\(seconds / 60)m"
        case 3600..<36_000: return "\(seconds / 3600)h\(two(seconds / 60 % 60))m"
        default: return "\(min(seconds / 3600, 9999))h"
        }
    }
}

extension Verdict {
    /// The verdict without when it was.
    fileprivate var shorterText: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let alert, _): "rejected: \(AlertWords.name(alert))"
        case .rejectedSilently(let end): "rejected silently: \(end.protocolWords)"
        case .abandoned(let end): "abandoned: \(end.protocolWords)"
        case .leaked(let leak): leak.bytes > 0 ? "leaked: \(Quantity.bytes(leak.bytes))" : "leaked"
        case .notTested, .idle: text
        }
    }

    /// The verdict where there is little room: its kind, and the number of the alert.
    fileprivate var shortestText: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let alert, _): "rejected: alert \(alert)"
        case .rejectedSilently: "rejected silently"
        case .abandoned: "abandoned"
        case .leaked: "leaked"
        case .notTested, .idle: text
        }
    }
}
