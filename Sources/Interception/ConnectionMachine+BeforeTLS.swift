internal import Transcript
internal import Wire

// From the first byte to the whole ClientHello.
extension ConnectionMachine {
    mutating func greet(
        _ greeting: Greeting, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        var greeting = greeting
        switch event {
        case .bytes(let bytes):
            switch greeting.receive(bytes) {
            case .incomplete:
                return .greeting(greeting)
            case .connect(let endpoint, let target, let rest):
                actions.append(.record(.requested(method: "CONNECT", target: target, endpoint: endpoint)))
                return decide(endpoint, rest, &actions)
            case .unserved(let method, let target, let failure, let reply):
                if let method, let target {
                    actions.append(.record(.requested(method: method, target: target, endpoint: nil)))
                }
                return refuse(failure, reply, &actions)
            }
        case .ended(let side, let end):
            note(side, end, .greeting, &actions)
            return close(phase: .greeting, &actions)
        case .timedOut:
            let failure = Failure(
                party: .client, code: .timeout, phase: .greeting,
                detail: greeting.isSilent ? "the client sent nothing" : "the client's request stayed incomplete")
            return refuse(failure, greeting.isSilent ? nil : .refusal(status: 408, failure), &actions)
        default:
            return .greeting(greeting)
        }
    }

    mutating func decide(
        _ endpoint: Endpoint, _ rest: [UInt8], _ actions: inout [ConnectionAction]
    ) -> State {
        let (decision, rule) = rules.decide(endpoint)
        actions.append(.record(.decided(decision, rule: rule?.description)))
        if decision == .refuse {
            let failure = Failure(
                party: .proxy, code: .refusedByRule, phase: .greeting,
                detail: "\(endpoint) is refused by \(rule?.description ?? "a rule")",
                hint: "take the rule away to let it through")
            return refuse(failure, .refusal(status: 403, failure), &actions)
        }
        actions += [.read(.client, false), .arm(.connect), .connect(endpoint)]
        return .connecting(Route(endpoint: endpoint, decision: decision), received: rest)
    }

    mutating func connect(
        _ route: Route, _ received: [UInt8], _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .connected(let address, let nanoseconds, let refusesHTTP2):
            var route = route
            route.refusesHTTP2 = refusesHTTP2
            actions.append(.record(.connected(origin: address, nanoseconds: nanoseconds)))
            actions.append(.reply(ProxyReply.established.bytes))
            if route.decision == .tunnel { return startRelay(secured: false, received: received, &actions) }
            actions += [.arm(.hello), .read(.client, true)]
            return awaitHello(HelloWait(route: route), .bytes(received), &actions)
        case .connectFailed(let reason):
            let (failure, status) = reason.explained(for: route.endpoint)
            return refuse(failure, .refusal(status: status, failure), &actions)
        case .timedOut:
            return connect(route, received, .connectFailed(.timedOut), &actions)
        case .ended(.client, let end):
            note(.client, end, .connecting, &actions)
            return close(phase: .connecting, &actions)
        default:
            return .connecting(route, received: received)
        }
    }

    mutating func awaitHello(
        _ wait: HelloWait, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        var wait = wait
        switch event {
        case .bytes(let bytes):
            switch wait.receive(bytes) {
            case .incomplete:
                return .hello(wait)
            case .hello(let hello, _):
                var handshaking = Handshaking(hello, route: wait.route, received: wait.received)
                if let failure = outdated(hello, for: handshaking.endpoint) {
                    return refuseOutdated(failure, hello, wait.received, &actions)
                }
                // Reading goes on: a client that gives up meanwhile was never shown a certificate.
                actions += [.recordHello(hello), .arm(.handshake)]
                if wait.route.refusesHTTP2 { withholdHTTP2(after: nil, &handshaking, &actions) }
                actions.append(.secureOrigin(handshaking.endpoint, alpn: handshaking.forOrigin))
                return .originHandshake(handshaking)
            case .notTLS:
                let failure = Failure(
                    party: .client, code: .notTLS, phase: .hello,
                    detail: "what the client sends is not TLS; it is relayed untouched")
                actions.append(.record(.failed(failure)))
                return startRelay(secured: false, received: wait.received, &actions)
            case .malformed(let error):
                return refuseHello(wait, .helloMalformed, "the ClientHello does not decode: \(error)", &actions)
            case .tooLarge:
                return refuseHello(wait, .helloTooLarge, "the ClientHello is larger than 64 KiB", &actions)
            }
        case .ended(let side, let end):
            recordUnused(wait.received, &actions)
            note(side, end, .hello, &actions)
            if side == .client, !wait.received.isEmpty {
                let detail = "the client ended in the middle of its ClientHello (\(wait.received.count) octets)"
                fail(Failure(party: .client, code: .peerVanished, phase: .hello, detail: detail), &actions)
            }
            return finishBoth(.proxy, phase: .hello, &actions)
        case .timedOut:
            let detail =
                wait.received.isEmpty
                ? "the client sent nothing after CONNECT"
                : "the ClientHello stayed incomplete (\(wait.received.count) octets)"
            recordUnused(wait.received, &actions)
            fail(Failure(party: .client, code: .timeout, phase: .hello, detail: detail), &actions)
            return finishBoth(.proxy, phase: .hello, &actions)
        default:
            return .hello(wait)
        }
    }

    /// A hello that cannot be understood gets the alert that RFC 8446 section 6.2 asks for: decode_error.
    mutating func refuseHello(
        _ wait: HelloWait, _ code: Failure.Code, _ detail: String, _ actions: inout [ConnectionAction]
    ) -> State {
        recordUnused(wait.received, &actions)
        fail(Failure(party: .client, code: code, phase: .hello, detail: detail), &actions)
        alert(50, &actions)
        return finishBoth(.proxy, phase: .hello, &actions)
    }

    /// Tells the client with a fatal alert why there will be no session; none has begun, so it is sent in the clear.
    func alert(_ code: UInt8, version: UInt16 = 0x0303, _ actions: inout [ConnectionAction]) {
        let record = [0x15, UInt8(version >> 8), UInt8(version & 0xFF), 0x00, 0x02, 0x02, code]
        actions += [
            .reply(record), .record(.alert(.client, .sent, level: 2, code: code)),
            .record(.wire(.client, .sent, record)),
        ]
    }

    /// Records bytes of the client's handshake that no TLS session will see, and so none will report.
    func recordUnused(_ bytes: [UInt8], _ actions: inout [ConnectionAction]) {
        if !bytes.isEmpty { actions.append(.record(.wire(.client, .received, bytes))) }
    }
}
