import Interception
import Testing
import Transcript
import Wire

/// Whatever happens in whatever order, a connection ends once, and nothing is asked for after that.
@Suite struct ConnectionPropertyTests {
    @Test func anyEventsEndInExactlyOneClose() {
        var random = SplitMix(seed: 0x5EED)
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

    private func event(_ random: inout SplitMix) -> ConnectionEvent {
        let side: Side = random.below(2) == 0 ? .client : .origin
        let failure = Failure(party: .origin, code: .originHandshake, phase: .originHandshake, detail: "x")
        switch random.below(20) {
        case 0, 1: return .bytes(Sample.connect)
        case 2, 3: return .bytes(Sample.hello())
        case 4: return .bytes((0..<random.below(50)).map { _ in UInt8(random.below(256)) })
        case 5, 6: return .connected(address: "192.0.2.1:443", nanoseconds: 1)
        case 7: return .connectFailed([.timedOut, .ownListener, .failed("x"), .notResolved("x")][random.below(4)])
        case 8, 9: return .originSecured(alpn: random.below(2) == 0 ? nil : Sample.h2)
        case 10: return .originFailed(failure)
        case 11, 12: return .forged
        case 13: return random.below(4) == 0 ? .forgeFailed(failure) : .clientSecured
        case 14: return random.below(4) == 0 ? .clientFailed(failure) : .clientSecured
        case 15: return random.below(2) == 0 ? .full(side) : .drained(side)
        case 16:
            let ends: [End] = [.closeNotify, .fin, .reset, .alert(46), .timeout, .error(5)]
            return .ended(side, ends[random.below(ends.count)])
        case 17: return .finished(side)
        case 18: return random.below(3) == 0 ? .pageDelivered : .drain(idle: random.below(2) == 0)
        default: return random.below(8) == 0 ? .timedOut : .forged
        }
    }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
    }
}
