internal import Transcript
internal import Wire

/// Whether the events that verdicts rest on agree with the messages and alerts of the sessions.
///
/// Everything here holds in any connection that was recorded without a gap, so that what does not was changed.
struct Course {
    private let record: ConnectionRecord
    private let session: SessionRecord
    private let handshakes: [Handshake]

    /// What a session claims of its course.
    ///
    /// - Parameters:
    ///   - record: The connection.
    ///   - session: One of its sessions.
    ///   - handshakes: The session's handshakes.
    /// - Returns: One claim, with the first contradiction if there are several; none where there was no handshake and nothing
    ///   is contradictory.
    static func claim(_ record: ConnectionRecord, _ session: SessionRecord, _ handshakes: [Handshake]) -> Claim? {
        let course = Course(record: record, session: session, handshakes: handshakes)
        if session.isCut {
            return Claim(
                .course, session.side,
                .notProven("there is more of this session than is kept while it is checked"))
        }
        let rules = [
            course.repetition, course.time, course.handshakeWithoutWay, course.handshakeWhereNoneIs,
            course.endOfHandshake, course.helloWithoutEvent, course.certificateWithoutEvent,
            course.identityWithoutEvent, course.endWithoutAlert, course.endWithoutEvent,
        ]
        let fault = rules.lazy.compactMap { $0 }.first
        if fault == nil, session.messages.isEmpty { return nil }
        return Claim(
            .course, session.side, fault.map { .failed($0.words) } ?? .proven,
            line: fault?.line ?? session.secured?.line)
    }

    private struct Fault {
        let words: String
        var line: Int?
    }

    /// What happens once in a session, or a connection, is told once.
    private var repetition: Fault? {
        (session.repetitions + record.repetitions).min().map {
            Fault(words: "the line says once more what can be said only once", line: $0)
        }
    }

    private var time: Fault? {
        record.lineBeforeItsTime.map { Fault(words: "the line is from before the one above it", line: $0) }
    }

    /// A client asks for a target, rules decide on it, and an origin is connected to, before any handshake.
    private var handshakeWithoutWay: Fault? {
        guard let first = session.messages.first else { return nil }
        switch session.side {
        case .client where !record.isRequested:
            return Fault(words: "no event tells what the client asked for", line: first.line)
        case .client where record.decision == nil:
            return Fault(words: "no event tells what the rules decided", line: first.line)
        case .origin where !record.isConnected:
            return Fault(words: "no event tells of a connection to the origin", line: first.line)
        case .client, .origin: return nil
        }
    }

    /// Whom the proxy does not intercept it exchanges no handshake with.
    private var handshakeWhereNoneIs: Fault? {
        guard session.side == .client, !session.messages.isEmpty else { return nil }
        if let content = record.content {
            return Fault(words: "there is a handshake, and the tunnel is said to hold no TLS", line: content.line)
        }
        switch record.decision?.value {
        case .tunnel?, .refuse?:
            return Fault(words: "there is a handshake, and it is said to be left alone", line: record.decision?.line)
        case .intercept?, .answer?, nil: return nil
        }
    }

    /// A handshake is over with both Finished (RFC 8446 section 4.4.4, RFC 5246 section 7.4.9), and not before.
    private var endOfHandshake: Fault? {
        let directions = [true, false].filter { isFromClient in
            handshakes.contains {
                $0.steps.contains { $0.isFromClient == isFromClient && $0.type == HandshakeType.finished }
            }
        }
        if let secured = session.secured, directions.count < 2, !handshakes.isEmpty {
            let party = directions == [true] ? "server" : "client"
            return Fault(
                words: "the handshake is said to be over, and has no Finished of the \(party)'s", line: secured.line)
        }
        if session.secured == nil, directions.count == 2, !session.isBroken {
            return Fault(words: "the handshake is over, and no line says so")
        }
        if session.secured == nil, let data = session.firstData, !handshakes.isEmpty {
            return Fault(words: "data is said to come before the handshake is over", line: data)
        }
        return nil
    }

    private var helloWithoutEvent: Fault? {
        if session.clientHellos.isEmpty,
            let line = handshakes.lazy.filter({ !$0.clientHellos.isEmpty }).first?.steps.first?.line
        {
            return Fault(words: "no event tells of this ClientHello", line: line)
        }
        guard session.serverHellos.isEmpty, !session.serverRandoms.isEmpty else { return nil }
        return Fault(words: "no event tells of the ServerHello")
    }

    /// What the client is shown was chosen, and what an origin shows was noted.
    private var certificateWithoutEvent: Fault? {
        guard let shown = handshakes.lazy.compactMap({ $0.certificates(isFromClient: false) }).first else { return nil }
        if session.side == .client, record.forged == nil {
            return Fault(words: "no event says that this certificate was chosen", line: shown.line)
        }
        // What cannot be read as a certificate has no name.
        guard session.chain == nil, !session.isBroken else { return nil }
        return Fault(words: "no event names these certificates", line: shown.line)
    }

    private var identityWithoutEvent: Fault? {
        guard session.identities.isEmpty, !session.isBroken,
            let shown = handshakes.lazy.compactMap({ $0.certificates(isFromClient: true) }).first
        else { return nil }
        return Fault(words: "no event tells what the client answered when it was asked", line: shown.line)
    }

    /// An end by an alert has its alert, which in turn is looked for in the records.
    private var endWithoutAlert: Fault? {
        guard !session.mayLackMessages else { return nil }
        let received = session.alerts.filter { $0.direction == .received }.map(\.code)
        for end in session.ends {
            let code: UInt8
            switch end.value {
            case .alert(let number): code = number
            case .closeNotify: code = 0
            case .fin, .reset, .timeout, .error, .proxy: continue
            }
            guard !received.contains(code) else { continue }
            return Fault(words: "no alert \(TLSNames.alert(code)) was received", line: end.line)
        }
        return nil
    }

    /// The end of the connection sums up how its sides ended.
    private var endWithoutEvent: Fault? {
        guard let closed = record.closed, record.sessions.count(where: { $0.side == session.side }) == 1 else {
            return nil
        }
        let end = session.side == .client ? closed.value.client : closed.value.origin
        if let end, !session.ends.contains(where: { $0.value == end }) {
            return Fault(words: "no event tells of the \(session.side.rawValue)'s end", line: closed.line)
        }
        guard end == nil, let told = session.ends.first else { return nil }
        return Fault(words: "the end of the connection knows nothing of this end", line: told.line)
    }
}
