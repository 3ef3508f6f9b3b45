internal import Transcript
internal import Wire

// Carrying application bytes, or answering with a page of ours.
extension ConnectionMachine {
    mutating func serve(_ event: ConnectionEvent, _ actions: inout [ConnectionAction]) -> State {
        switch event {
        case .pageDelivered:
            return endAll(by: .proxy, phase: .relay, &actions)
        case .timedOut:
            return endAll(by: .client, phase: .relay, &actions)
        case .ended(.client, let end):
            note(.client, end, .relay, &actions)
            return finishBoth(.proxy, phase: .relay, &actions)
        default:
            return .serving
        }
    }

    func startRelay(
        secured: Bool, received: [UInt8], ofOrigin: [UInt8] = [], host: HostName? = nil,
        answering version: PageProtocol? = nil, _ actions: inout [ConnectionAction]
    ) -> RelayState {
        actions += [.arm(.idle), .relay(secured: secured, received: received)]
        if !ofOrigin.isEmpty { actions.append(.deliver(ofOrigin)) }
        actions += [.read(.client, true), .read(.origin, true)]
        return RelayState(host: host, answering: version)
    }

    mutating func carry(
        _ relay: RelayState, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        var relay = relay
        switch event {
        case .full(let side):
            actions.append(.read(side.opposite, false))
            return .relaying(relay)
        case .drained(let side):
            if !relay.hasEnded(side.opposite) { actions.append(.read(side.opposite, true)) }
            return .relaying(relay)
        case .ended(let side, let end):
            note(side, end, relay.anyEnd ? .closing : .relay, &actions)
            switch relay.ended(side, end) {
            case .passOn(let how):
                actions.append(.finish(side.opposite, how))
                return .relaying(relay)
            case .breakOff(let how):
                return breakOff(side.opposite, how, &actions)
            case .nothing:
                return .relaying(relay)
            }
        case .originRefused(let end, let failure, let isAnswerable):
            note(.origin, end, .relay, &actions)
            fail(failure, &actions)
            guard isAnswerable, let host = relay.host, let version = relay.answering else {
                return breakOff(.client, end == .reset ? .reset : .fin, &actions)
            }
            actions += [
                .read(.origin, false), .finish(.origin, .proxy), .arm(.idle),
                .serve(Page(failure, host: host.description), version),
            ]
            return .serving
        case .finished(let side):
            relay.finished(side)
            return relay.isOver ? close(phase: .closing, &actions) : .relaying(relay)
        case .timedOut:
            fail(
                Failure(
                    party: .proxy, code: .timeout, phase: .relay,
                    detail: "no byte came in either direction within the idle limit",
                    hint: "raise --idle-timeout for connections that are quiet for long"),
                &actions)
            return cut(by: .proxy, &actions)
        default:
            return .relaying(relay)
        }
    }

    /// Flushes and ends one side, because the other is gone.
    private func breakOff(_ side: Side, _ how: End, _ actions: inout [ConnectionAction]) -> State {
        actions += [.arm(.drain), .read(side, false), .finish(side, how)]
        // Closing while the client still sends would reset the connection under what it is still to read.
        let lingers = side == .client && how == .fin
        if lingers { actions.append(.discard(.client)) }
        return .closing(Closing(unfinished: [side], lingersForClient: lingers))
    }

    mutating func linger(
        _ closing: Closing, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        var closing = closing
        switch event {
        case .finished(let side):
            closing.unfinished.remove(side)
        case .ended(let side, let end):
            note(side, end, .closing, &actions)
            // A peer that is gone takes no more bytes: waiting for them would only wait for the time limit.
            if end.isAbrupt { closing.unfinished.remove(side) }
        case .timedOut:
            return close(phase: .closing, &actions)
        default:
            return .closing(closing)
        }
        let waits = !closing.unfinished.isEmpty || (closing.lingersForClient && ending.client == nil)
        return waits ? .closing(closing) : close(phase: .closing, &actions)
    }
}
