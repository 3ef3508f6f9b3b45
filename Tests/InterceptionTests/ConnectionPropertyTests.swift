import Interception
import TestSupport
import Testing
import Transcript
import Wire

/// Whatever happens in whatever order, a connection ends once, and nothing is asked for after that.
@Suite struct ConnectionPropertyTests {
    @Test func anyEventsEndInExactlyOneClose() {
        var random = SeededGenerator(seed: 0x5EED)
        for round in 0..<3_000 {
            var machine = ConnectionMachine(rules: RuleBook(round % 3 == 0 ? [Rule(HostPattern("*")!, .tunnel)] : []))
            var closes = 0
            for _ in 0..<60 {
                let wasClosed = machine.isClosed
                let actions = machine.handle(event(&random))
                if wasClosed { #expect(actions.isEmpty, "round \(round)") }
                closes += actions.count { if case .close = $0 { true } else { false } }
                if let last = actions.last, closes > 0, !wasClosed {
                    guard case .close = last else {
                        Issue.record("round \(round): something follows the close")
                        return
                    }
                }
            }
            // Time limits, and the endings that they ask for, end whatever state it is in.
            for event in [ConnectionEvent.timedOut, .finished(.client), .finished(.origin), .timedOut, .timedOut] {
                closes += machine.handle(event).count { if case .close = $0 { true } else { false } }
            }
            closes += machine.handle(.abort).count { if case .close = $0 { true } else { false } }
            let isClosed = machine.isClosed
            #expect(isClosed, "round \(round)")
            #expect(closes == 1, "round \(round)")
        }
    }

    private func event(_ random: inout SeededGenerator) -> ConnectionEvent {
        let side: Side = Int.random(in: 0..<2, using: &random) == 0 ? .client : .origin
        let failure = Failure(party: .origin, code: .originHandshake, phase: .originHandshake, detail: "x")
        switch Int.random(in: 0..<21, using: &random) {
        case 0, 1: return .bytes(Sample.connect)
        case 2, 3: return .bytes(Sample.hello())
        case 4:
            let noise = random.noise(below: 50)
            return Int.random(in: 0..<3, using: &random) == 0 ? .originSpoke(noise) : .bytes(noise)
        case 5: return .connected(address: "192.0.2.1:443", nanoseconds: 1)
        case 6: return .connected(address: "192.0.2.1:443", nanoseconds: 1, refusesHTTP2: true)
        case 7:
            return .connectFailed(
                [.timedOut, .ownListener, .failed("x"), .notResolved("x"), .exhausted("x")][
                    Int.random(in: 0..<5, using: &random)])
        case 8, 9: return .originSecured(alpn: Int.random(in: 0..<2, using: &random) == 0 ? nil : Sample.h2)
        case 10: return .originFailed(failure)
        case 11, 12: return .forged
        case 13: return Int.random(in: 0..<4, using: &random) == 0 ? .forgeFailed(failure) : .clientSecured
        case 14: return Int.random(in: 0..<4, using: &random) == 0 ? .clientFailed(failure) : .clientSecured
        case 15: return Int.random(in: 0..<2, using: &random) == 0 ? .full(side) : .drained(side)
        case 16:
            let ends: [End] = [.closeNotify, .fin, .reset, .alert(46), .timeout, .error(5)]
            return .ended(side, ends[Int.random(in: 0..<ends.count, using: &random)])
        case 17: return .finished(side)
        case 19: return Int.random(in: 0..<3, using: &random) == 0 ? .originAnswered : .ended(.origin, .fin)
        case 18:
            return Int.random(in: 0..<3, using: &random) == 0
                ? .pageDelivered : .drain(idle: Int.random(in: 0..<2, using: &random) == 0)
        default: return Int.random(in: 0..<8, using: &random) == 0 ? .timedOut : .forged
        }
    }
}
