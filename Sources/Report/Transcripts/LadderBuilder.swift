import Transcript
import Wire

/// Makes a connection's events the steps of a ladder diagram.
struct LadderBuilder {
    private let story: ConnectionStory
    private let certificates: [String: CertificateOutline]
    private var sessions: [Side: SessionProgress] = [:]
    /// The alert that came last on each side: the end that it announces needs no second arrow.
    private var lastAlert: [Side: UInt8] = [:]
    private var steps: [LadderStep] = []

    /// The steps of a connection.
    ///
    /// - Parameters:
    ///   - story: Its events.
    ///   - certificates: What is known of certificates, by digest.
    /// - Returns: The steps in the order of the events.
    static func steps(of story: ConnectionStory, certificates: [String: CertificateOutline]) -> [LadderStep] {
        var builder = LadderBuilder(story: story, certificates: certificates)
        for item in story.items { builder.add(item) }
        return builder.steps
    }

    private init(story: ConnectionStory, certificates: [String: CertificateOutline]) {
        self.story = story
        self.certificates = certificates
    }

    /// Whether data from the peer of a side was recorded.
    private func hasData(_ side: Side) -> Bool {
        story.items.contains { if case .data(side, _, _) = $0 { true } else { false } }
    }

    /// All that came from the peer of a side; nil while that is not known.
    private func total(_ side: Side) -> UInt64? {
        side == .client ? story.record.closed?.clientBytes : story.record.closed?.originBytes
    }

    private mutating func add(_ item: ConnectionStory.Item) {
        switch item {
        case .data(let side, let data, let time): add(data, side, time)
        case .event(let event): add(event.kind, at: event.monotonic)
        }
    }

    private mutating func add(_ kind: Event.Kind, at time: UInt64) {
        switch kind {
        case .opened(let client, _): arrow(time, .client, .received, "connects", ["from \(client)"])
        case .requested(let method, let target, _): arrow(time, .client, .received, method, [target])
        case .phase(let phase, _): remark(time, .client, "phase: \(phase.rawValue)")
        case .decided(let decision, let rule):
            remark(time, .client, "decision: \(decision.rawValue)", [rule.map { "by \($0)" }].compactMap(\.self))
        case .connected(let origin, let nanoseconds, _):
            sessions[.origin] = nil
            let duration = nanoseconds < 1_000_000 ? [] : ["took \(Quantity.duration(nanoseconds: nanoseconds))"]
            arrow(time, .origin, .sent, "connects", ["to \(origin)"] + duration)
        case .withheldHTTP2(let end, _):
            let why = end.map { "after \($0.protocolWords)" } ?? "as an earlier connection showed"
            remark(time, .origin, "HTTP/2 is not offered", [why])
        case .notTLS(let content): remark(time, .client, content.explained)
        case .message(let side, let direction, let bytes, _): add(bytes, side, direction, time)
        case .alert(let side, let direction, _, let code): add(alert: code, side, direction, time)
        case .issuerFetched(let fetched):
            remark(
                time, .origin, fetched.fault == nil ? "missing issuer fetched" : "missing issuer not fetched",
                [fetched.url])
        case .forged(let host, _, let key, _, let mirrors):
            let faults = mirrors.isEmpty ? [] : ["with the faults " + mirrors.map(\.rawValue).joined(separator: ", ")]
            remark(time, .client, "leaf for \(host)", [key] + faults)
        case .secured(let side, let agreed):
            let facts = [
                agreed.resumed ? "resumed" : nil, agreed.alpn.map { "ALPN \($0)" },
                agreed.proof.map { "accepted by \($0.rawValue)" },
            ]
            remark(time, .init(side), "handshake done", facts.compactMap(\.self), style: .good)
        case .framing(let side, let oddity):
            remark(time, .init(side), "odd framing: \(oddity.rawValue)", style: .warning)
        case .firstData(let side) where !hasData(side):
            addData(
                time, side, isTunnel ? "bytes" : "application data",
                total(side).map { ["\(Quantity.bytes($0)) in all"] } ?? [])
        case .firstRequest: remark(time, .client, "the first request in HTTP/2")
        case .head(let head): add(head, time)
        case .headsStopped(let side, let reason):
            remark(time, .init(side), "heads are not followed further", [reason.explained], style: .warning)
        case .answered(let status, let reason):
            arrow(time, .client, .sent, "page of the proxy: \(status)", [reason], isEncrypted: isSecured)
        case .ended(let side, let end, _): add(end, side, time)
        case .failed(let failure):
            let side: Side = failure.party == .origin ? .origin : .client
            remark(
                time, .init(side), "failed: \(failure.code.rawValue)", [failure.detail],
                style: failure.party == .client ? .warning : .bad)
        case .gap(let lost):
            remark(time, .both, lost == 1 ? "1 event is missing here" : "\(lost) events are missing here", style: .bad)
        case .runContinued: remark(time, .both, "files of the run are missing here", style: .bad)
        case .runStarted, .runEnded, .acceptingPaused, .acceptingResumed, .commandStarted, .commandEnded,
            .hello, .originHello, .serverHello, .wire, .traffic, .secret, .certificate, .chain, .identity, .firstData,
            .contentEnded, .data, .verdict, .closed:
            break
        }
    }

    private var isTunnel: Bool { story.record.decision == .tunnel }
    private var isSecured: Bool { story.record.client.agreed != nil }

    private mutating func add(_ bytes: [UInt8], _ side: Side, _ direction: Direction, _ time: UInt64) {
        var progress = sessions[side] ?? SessionProgress()
        let message = try? HandshakeMessage(bytes, version: progress.version)
        let isEncrypted = progress.add(message, type: bytes.first, direction)
        sessions[side] = progress
        let facts = MessageFacts(
            message, bytes: bytes,
            .init(
                session: story.record[side], side: side, direction: direction, version: progress.version,
                helloNumber: progress.hellos, certificates: certificates))
        arrow(time, side, direction, facts.name, facts.facts, isEncrypted: isEncrypted, message: bytes)
    }

    private mutating func add(alert code: UInt8, _ side: Side, _ direction: Direction, _ time: UInt64) {
        if direction == .received { lastAlert[side] = code }
        let isEncrypted = sessions[side]?.isEncrypted(direction) ?? false
        guard code != 0 else {
            arrow(time, side, direction, "close_notify", isEncrypted: isEncrypted)
            return
        }
        let words = (direction == .sent ? ["sent by the proxy"] : []) + [AlertWords.remark(code)]
        // What a user calls off tells nothing of the peer.
        let style: Style = code == 90 ? .plain : .bad
        arrow(time, side, direction, AlertWords.name(code), words, isEncrypted: isEncrypted, style: style)
    }

    /// Adds recorded data.
    ///
    /// All that came until then was recorded if more of it was, without a hole, or if all that came was. Otherwise it is
    /// known only what came until the connection was over.
    private mutating func add(_ data: ConnectionStory.RecordedData, _ side: Side, _ time: UInt64) {
        let recorded = story.recordedEnds[side, default: 0]
        let amount = "application data, \(Quantity.bytes(data.octets))"
        let isAll = data.end < recorded || data.end == recorded && total(side) == recorded
        guard !isAll else { return addData(time, side, amount, []) }
        let facts = total(side).map { $0 > data.octets ? ["\(Quantity.bytes($0)) in all"] : [] } ?? []
        addData(time, side, amount + " recorded", facts)
    }

    private mutating func add(_ head: ObservedHead, _ time: UInt64) {
        let label = head.status.map { "\(head.version) \($0)" } ?? "\(head.method ?? "?") \(head.target ?? "")"
        addData(time, Side(head.sender), label, [head.authority].compactMap(\.self))
    }

    private mutating func add(_ end: End, _ side: Side, _ time: UInt64) {
        switch end {
        case .closeNotify where lastAlert[side] == 0: return
        case .alert(let code) where lastAlert[side] == code: return
        case .closeNotify, .fin: arrow(time, side, .received, end.protocolWords)
        case .alert, .reset: arrow(time, side, .received, end.protocolWords, style: .warning)
        case .timeout, .error, .proxy: remark(time, .init(side), end.protocolWords, style: .warning)
        }
    }

    /// Adds application data from the peer of a side: it goes through the proxy to the other one.
    private mutating func addData(_ time: UInt64, _ side: Side, _ label: String, _ facts: [String]) {
        let passes = story.record.answered == nil && story.record.decision != .answer
        steps.append(
            LadderStep(
                time: time, span: passes ? .both : .init(side), figure: .init(side, .received), label: label,
                facts: facts,
                isEncrypted: !isTunnel && story.record[side].agreed != nil))
    }

    private mutating func arrow(
        _ time: UInt64, _ side: Side, _ direction: Direction, _ label: String, _ facts: [String] = [],
        isEncrypted: Bool = false, style: Style = .plain, message: [UInt8]? = nil
    ) {
        steps.append(
            LadderStep(
                time: time, span: .init(side), figure: .init(side, direction), label: label, facts: facts,
                isEncrypted: isEncrypted, style: style, message: message))
    }

    private mutating func remark(
        _ time: UInt64, _ span: LadderStep.Span, _ label: String, _ facts: [String] = [], style: Style = .plain
    ) {
        steps.append(LadderStep(time: time, span: span, figure: .remark, label: label, facts: facts, style: style))
    }
}
