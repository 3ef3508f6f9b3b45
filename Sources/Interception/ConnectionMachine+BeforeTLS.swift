internal import Transcript
internal import Wire

// From the first byte to TCP with the origin.
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
                actions.append(request("CONNECT", target, endpoint))
                return decide(endpoint, rest, &actions)
            case .unserved(let method, let target, let endpoint, let failure, let reply):
                if let method, let target { actions.append(request(method, target, endpoint)) }
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

    /// Records what was asked for, but for a name and password in it (RFC 3986 section 3.2.1).
    private func request(_ method: String, _ target: String, _ endpoint: Endpoint?) -> ConnectionAction {
        let start = target.firstRange(of: "://")?.upperBound ?? target.startIndex
        let authority = target[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else {
            return .record(.requested(method: method, target: target, endpoint: endpoint))
        }
        let redacted = target[..<start] + "***" + target[at...]
        return .record(.requested(method: method, target: String(redacted), endpoint: endpoint))
    }

    mutating func decide(
        _ endpoint: Endpoint, _ rest: [UInt8], _ actions: inout [ConnectionAction]
    ) -> State {
        let (decision, rule) = rules.decide(endpoint)
        if rotatesPhases {
            if decision.showsLeaf {
                actions.append(.assignPhase(endpoint))
                return .assigning(endpoint, received: rest)
            }
            // The rule is the same in every phase; in the baseline it would not be seen.
            actions.append(.record(.phase(.untrusted, authority: nil)))
        }
        return follow(decision, rule, endpoint, rest, &actions)
    }

    /// Waits for the phase of a connection; in the baseline what would be intercepted is relayed.
    mutating func awaitPhase(
        _ endpoint: Endpoint, _ received: [UInt8], _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .assigned(let phase, let authority):
            actions.append(.record(.phase(phase, authority: authority)))
            let (decision, rule) = rules.decide(endpoint)
            return phase == .baseline
                ? follow(.tunnel, nil, endpoint, received, &actions)
                : follow(decision, rule, endpoint, received, &actions)
        case .ended(.client, let end):
            note(.client, end, .greeting, &actions)
            return close(phase: .greeting, &actions)
        default:
            return .assigning(endpoint, received: received)
        }
    }

    private mutating func follow(
        _ decision: Decision, _ rule: Rule?, _ endpoint: Endpoint, _ rest: [UInt8],
        _ actions: inout [ConnectionAction]
    ) -> State {
        actions.append(.record(.decided(decision, rule: rule?.description)))
        let route = Route(endpoint: endpoint, decision: decision)
        switch decision {
        case .refuse:
            let failure = Failure(
                party: .proxy, code: .refusedByRule, phase: .greeting,
                detail: "\(endpoint) is refused by \(rule?.description ?? "a rule")",
                hint: "take the rule away to let it through")
            return refuse(failure, .refusal(status: 403, failure), &actions)
        case .answer:
            actions += [.reply(ProxyReply.established.bytes), .arm(.silence), .read(.client, true)]
            return awaitHello(HelloWait(route: route, limit: limits.hello), .bytes(rest), &actions)
        case .intercept, .tunnel:
            actions += [.read(.client, false), .arm(.connect), .connect(endpoint)]
            return .connecting(route, received: rest)
        }
    }

    mutating func connect(
        _ route: Route, _ received: [UInt8], _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .connected(let address, let nanoseconds, let local, let refusesHTTP2):
            var route = route
            route.refusesHTTP2 = refusesHTTP2
            actions.append(.record(.connected(origin: address, nanoseconds: nanoseconds, local: local)))
            actions.append(.reply(ProxyReply.established.bytes))
            if route.decision == .tunnel {
                return .relaying(startRelay(secured: false, received: received, &actions))
            }
            actions += [.arm(.silence), .read(.client, true), .read(.origin, true)]
            return awaitHello(HelloWait(route: route, limit: limits.hello), .bytes(received), &actions)
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
}

extension Decision {
    /// Whether a client is shown a leaf of ours.
    fileprivate var showsLeaf: Bool {
        switch self {
        case .intercept, .answer: true
        case .tunnel, .refuse: false
        }
    }
}
