internal import Transcript
internal import Wire

// TLS with the origin, the leaf, TLS with the client: in this order.
extension ConnectionMachine {
    mutating func awaitOrigin(
        _ handshaking: Handshaking, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .originAnswered:
            return .originHandshake(handshaking.answered)
        case .originSecured(let alpn):
            if handshaking.withholdsHTTP2 { actions.append(.rememberRefusal(handshaking.route.endpoint)) }
            actions += [.read(.origin, false), .forge(handshaking.endpoint, key: handshaking.key)]
            return .forging(handshaking, alpn: alpn, nil)
        case .originFailed(let failure):
            return explain(failure, handshaking, &actions)
        case .originRefused(let end, let failure, _):
            note(.origin, end, .originHandshake, &actions)
            return explain(failure, handshaking, &actions)
        case .ended(.origin, let end) where handshaking.mayWithholdHTTP2(after: end):
            return tryAgain(handshaking, after: end, &actions)
        case .ended(.origin, let end):
            note(.origin, end, .originHandshake, &actions)
            return explain(failure(of: handshaking, ended: end), handshaking, &actions)
        case .timedOut:
            let failure = Failure(
                party: .origin, code: .timeout, phase: .originHandshake,
                detail: "the origin did not finish the TLS handshake in time", hint: Self.tryDirectly)
            return explain(failure, handshaking, &actions)
        case .ended(.client, let end):
            return abandon(handshaking, end, .originHandshake, &actions)
        case .bytes(let bytes):
            return .originHandshake(keep(bytes, handshaking, &actions))
        default:
            return .originHandshake(handshaking)
        }
    }

    static let tryDirectly =
        "try the origin directly; if it works there, relay it untouched with --tunnel HOST"

    /// The client gave up before it was shown a certificate.
    mutating func abandon(
        _ handshaking: Handshaking, _ end: End, _ phase: Phase, _ actions: inout [ConnectionAction]
    ) -> State {
        recordUnused(handshaking.received, &actions)
        note(.client, end, phase, &actions)
        return finishBoth(.proxy, phase: phase, &actions)
    }

    /// Keeps what the client sends ahead for its session, up to a limit.
    func keep(
        _ bytes: [UInt8], _ handshaking: Handshaking, _ actions: inout [ConnectionAction]
    ) -> Handshaking {
        var handshaking = handshaking
        if !handshaking.receive(bytes) { actions.append(.read(.client, false)) }
        return handshaking
    }

    /// The origin's fault is told to the client inside its own forged session, never hidden and never laundered.
    mutating func explain(
        _ failure: Failure, _ handshaking: Handshaking, _ actions: inout [ConnectionAction]
    ) -> State {
        fail(failure, &actions)
        actions += [
            .read(.origin, false), .finish(.origin, .proxy), .forge(handshaking.endpoint, key: handshaking.key),
        ]
        let page = Page(failure, host: handshaking.name.description)
        return .forging(handshaking, alpn: handshaking.pageProtocol, page)
    }

    mutating func awaitLeaf(
        _ handshaking: Handshaking, _ alpn: [UInt8]?, _ page: Page?, _ event: ConnectionEvent,
        _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .forged:
            actions += [
                .arm(.handshake), .secureClient(alpn: alpn, received: handshaking.received), .read(.client, true),
            ]
            return .clientHandshake(handshaking.name, alpn: alpn, page)
        case .forgeFailed(let failure):
            recordUnused(handshaking.received, &actions)
            fail(failure, &actions)
            // internal_error (RFC 8446 section 6.2): nobody should take it for a verdict on anything.
            alert(80, &actions)
            return finishBoth(.proxy, phase: .forging, &actions)
        case .timedOut:
            recordUnused(handshaking.received, &actions)
            fail(
                Failure(party: .proxy, code: .timeout, phase: .forging, detail: "the leaf took too long to make"),
                &actions)
            return finishBoth(.proxy, phase: .forging, &actions)
        case .ended(.client, let end):
            return abandon(handshaking, end, .forging, &actions)
        case .bytes(let bytes):
            return .forging(keep(bytes, handshaking, &actions), alpn: alpn, page)
        default:
            return .forging(handshaking, alpn: alpn, page)
        }
    }

    mutating func awaitClient(
        _ name: HostName, _ alpn: [UInt8]?, _ page: Page?, _ event: ConnectionEvent,
        _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .clientSecured:
            let version = PageProtocol(alpn: alpn)
            guard let page, let version else {
                return .relaying(
                    startRelay(secured: true, received: [], host: name, answering: version, &actions))
            }
            actions += [.arm(.idle), .serve(page, version)]
            return .serving
        case .clientFailed(let failure):
            fail(failure, &actions)
            return finishBoth(.proxy, phase: .clientHandshake, &actions)
        case .ended(.client, let end):
            note(.client, end, .clientHandshake, &actions)
            return finishBoth(.proxy, phase: .clientHandshake, &actions)
        case .timedOut:
            let failure = Failure(
                party: .client, code: .timeout, phase: .clientHandshake,
                detail: "the client did not finish the TLS handshake in time")
            fail(failure, &actions)
            return finishBoth(.proxy, phase: .clientHandshake, &actions)
        default:
            return .clientHandshake(name, alpn: alpn, page)
        }
    }
}
