internal import Transcript

// How a connection ends, and who is said to have ended it.
extension ConnectionMachine {
    /// Records how a peer ended, once for each way, and who was first.
    mutating func note(_ side: Side, _ end: End, _ phase: Phase, _ actions: inout [ConnectionAction]) {
        if ending.note(side, end, phase) { actions.append(.record(.ended(side, end, phase))) }
    }

    /// Records a failure, and who was first.
    mutating func fail(_ failure: Failure, _ actions: inout [ConnectionAction]) {
        ending.first(failure.party, failure.phase)
        actions.append(.record(.failed(failure)))
    }

    /// Refuses a client in plain HTTP, and reads on until it ends so that the answer is not lost to a reset.
    mutating func refuse(
        _ failure: Failure, _ reply: ProxyReply?, _ actions: inout [ConnectionAction]
    ) -> State {
        fail(failure, &actions)
        if let reply {
            actions.append(.reply(reply.bytes))
            actions.append(.record(.answered(status: reply.status, reason: failure.code.rawValue)))
        }
        return finishBoth(.proxy, phase: failure.phase, &actions)
    }

    /// Ends both our directions politely because the proxy, or time, wants the connection to end.
    mutating func endAll(by party: Party, phase: Phase, _ actions: inout [ConnectionAction]) -> State {
        ending.first(party, phase)
        return finishBoth(.proxy, phase: phase, &actions)
    }

    /// Cuts a relay: without close_notify, so that nobody takes what was cut short for whole (RFC 8446 section 6.1).
    mutating func cut(by party: Party, _ actions: inout [ConnectionAction]) -> State {
        ending.first(party, .relay)
        return finishBoth(.timeout, phase: .relay, &actions)
    }

    /// Flushes and ends both our directions, then waits for that and for the client's own end.
    mutating func finishBoth(
        _ how: End, phase: Phase, _ actions: inout [ConnectionAction]
    ) -> State {
        actions += [.arm(.drain), .read(.origin, false), .finish(.origin, how)]
        if ending.client?.isAbrupt == true {
            return .closing(Closing(unfinished: [.origin], lingersForClient: false))
        }
        actions += [.finish(.client, how), .discard(.client)]
        return .closing(Closing(unfinished: [.client, .origin], lingersForClient: true))
    }

    mutating func close(phase: Phase, _ actions: inout [ConnectionAction]) -> State {
        actions.append(.close(ending.summary(phase)))
        return .closed
    }
}
