public import Transcript
import Wire

/// One connection of a transcript as text: what happened between whom, the chains, the hellos, and what it shows.
public struct ConnectionReport: Sendable {
    /// Which parts are shown.
    public struct Parts: OptionSet, Sendable {
        /// A bit for each part.
        public let rawValue: Int

        /// Takes the parts whose bits are set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// What the connection came to.
        public static let verdict = Parts(rawValue: 1)
        /// The ladder diagram.
        public static let ladder = Parts(rawValue: 2)
        /// The chains, and client certificates.
        public static let chains = Parts(rawValue: 4)
        /// The hellos.
        public static let hellos = Parts(rawValue: 8)
        /// The handshake messages, octet by octet.
        public static let messages = Parts(rawValue: 16)
        /// All but the octets.
        public static let standard: Parts = [.verdict, .ladder, .chains, .hellos]
    }

    private let width: Int
    private let colour: Bool

    /// Says how the text is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark what matters with control sequences.
    public init(width: Int = 80, colour: Bool = false) {
        self.width = max(width, 60)
        self.colour = colour
    }

    /// The report on a connection, harmless to a terminal whatever the transcript holds.
    ///
    /// - Parameters:
    ///   - story: Its events.
    ///   - certificates: What is known of the certificates that it names, by digest.
    ///   - parts: What is shown.
    /// - Returns: Lines with newlines.
    public func text(
        for story: ConnectionStory, certificates: [String: CertificateOutline], parts: Parts = .standard
    ) -> String {
        var section = TextSection(width: width, colour: colour)
        let record = story.record
        section.heading(Self.title(story))
        if parts.contains(.verdict) { writeVerdict(record, to: &section) }
        if parts.contains(.ladder) || parts.contains(.messages) {
            let steps = LadderBuilder.steps(of: story, certificates: certificates)
            if parts.contains(.ladder) { writeLadder(steps, story, to: &section) }
            if parts.contains(.messages) { writeMessages(steps, to: &section) }
        }
        if parts.contains(.chains) { writeChains(record, certificates, to: &section) }
        if parts.contains(.hellos) { writeHellos(record, to: &section) }
        return String(section.text.dropFirst())
    }

    private static func title(_ story: ConnectionStory) -> String {
        let record = story.record
        let time = story.wall.map { ", " + Quantity.timeOfDay(wall: $0, secondsFromUTC: 0) + " UTC" } ?? ""
        let decision = record.decision.map { ", \($0.rawValue)" } ?? ""
        return "Connection \(record.connection): \(record.endpoint?.description ?? "no host")\(decision)\(time)"
    }

    private func writeVerdict(_ record: HandshakeRecord, to section: inout TextSection) {
        let verdict = record.verdict
        if record.lacksEvents {
            section.paragraph(record.judgement?.text ?? verdict.text)
            section.paragraph(verdict.evidence, style: .warning)
            if record.recordedVerdict != nil {
                section.paragraph("The verdict is the one that was recorded when it ended.")
            }
        } else if record.closed == nil {
            section.paragraph("not over")
            section.paragraph("The transcript has no end of this connection: what it showed cannot be told yet.")
        } else {
            section.paragraph(verdict.text, style: verdict.style)
            section.paragraph(verdict.evidence)
            if let recorded = record.recordedVerdict, recorded != RecordedVerdict(verdict) {
                section.paragraph(
                    "The file says something else: \(recorded.text). What counts is what the events show.", style: .bad)
            }
        }
        for failure in record.failures where failure.code != .refusedByRule {
            section.paragraph(
                "\(failure.party.rawValue) at fault: \(failure.code.rawValue), \(failure.detail)",
                style: failure.party == .client ? .warning : .bad)
            if let hint = failure.hint { section.paragraph("Hint: \(hint)") }
        }
    }

    private func writeLadder(_ steps: [LadderStep], _ story: ConnectionStory, to section: inout TextSection) {
        section.add("\n")
        section.add(LadderDrawing(width: width, colour: colour).text(for: steps, start: story.start))
        if steps.contains(where: \.isEncrypted) { section.paragraph("═══ encrypted on the wire", indent: 9) }
        if story.omitted > 0 {
            section.paragraph("\(story.omitted) further events are left out", indent: 9, style: .warning)
        }
        guard let closed = story.record.closed else {
            section.paragraph("The transcript has no end of this connection.", indent: 9, style: .warning)
            return
        }
        section.paragraph(
            "over after \(Quantity.duration(nanoseconds: closed.nanoseconds)), ended by the \(closed.by.rawValue); "
                + "\(Quantity.bytes(closed.clientBytes)) up, \(Quantity.bytes(closed.originBytes)) down", indent: 9)
    }

    private func writeMessages(_ steps: [LadderStep], to section: inout TextSection) {
        for step in steps {
            guard let message = step.message else { continue }
            let names = step.span == .client ? ("client", "proxy") : ("proxy", "origin")
            let way = step.figure == .right ? "\(names.0) to \(names.1)" : "\(names.1) to \(names.0)"
            section.heading("\(step.label), \(way), \(message.count) octets")
            section.add(HexDump.text(message))
        }
    }

    private func writeChains(
        _ record: HandshakeRecord, _ certificates: [String: CertificateOutline], to section: inout TextSection
    ) {
        let drawing = ChainDrawing(width: width, colour: colour)
        for side in [Side.origin, .client] where !record[side].chain.isEmpty {
            let session = record[side]
            section.heading(side == .origin ? "Chain that the origin showed" : "Chain that the client was shown")
            if side == .client, !record.mirrors.isEmpty {
                section.paragraph(
                    "with the origin's faults: \(record.mirrors.map(\.rawValue).joined(separator: ", "))",
                    style: .warning)
            }
            section.add(drawing.text(of: session.chain, certificates: certificates, at: session.chainTime))
        }
        for side in [Side.origin, .client] {
            guard let identity = record[side].identity else { continue }
            let (asks, answers) = side == .origin ? ("The origin", "the proxy") : ("The proxy", "the client")
            section.heading("\(asks) asked for a client certificate")
            section.row("of", list: identity.authorities.isEmpty ? ["any CA"] : identity.authorities)
            if let fault = identity.fault { section.row("fault", fault, style: .bad) }
            if let source = identity.source { section.row("from", source) }
            guard !identity.chain.isEmpty else {
                section.paragraph("\(answers) gave none")
                continue
            }
            section.paragraph("\(answers) gave")
            section.add(drawing.text(of: identity.chain, certificates: certificates, at: record[side].chainTime))
        }
    }

    private func writeHellos(_ record: HandshakeRecord, to section: inout TextSection) {
        if let hello = record.client.hello {
            section.heading("The client's hello")
            HelloText.write(hello, to: &section)
        }
        if let hello = record.client.serverHello {
            section.heading("Our answer to the client")
            HelloText.write(hello, to: &section)
        }
        if let hello = record.origin.hello {
            section.heading("Our hello to the origin")
            HelloText.writeShort(hello, to: &section)
        }
        if let hello = record.origin.serverHello {
            section.heading("The origin's answer")
            HelloText.write(hello, to: &section)
        }
    }
}

extension ConnectionStory {
    /// The time that counts as zero: that of the first thing that is told.
    fileprivate var start: UInt64 {
        switch items.first {
        case .event(let event): event.monotonic
        case .data(_, _, let time): time
        case nil: 0
        }
    }
}

extension Verdict {
    /// How it is marked: not whether it is wanted, which the phase decides, but what was seen.
    var style: Style {
        switch self {
        case .accepted: .good
        case .rejected, .rejectedSilently, .abandoned: .warning
        case .leaked: .bad
        case .notTested, .idle: .plain
        }
    }
}
