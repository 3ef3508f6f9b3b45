import Reactor
import Testing

@Suite struct LoopTimerTests {
    @Test func timersFireWhenTheyAreDue() throws {
        var order: [Int] = []
        try withLoop { fixture in
            for delay in [40, 0, 60, 20, -5] {
                let timer = fixture.loop.timer(after: .milliseconds(delay)) {
                    order.append(delay)
                    if delay == 60 { fixture.finish() }
                }
                fixture.keep(timer)
            }
            #expect(order.isEmpty, "never inside the call")
        }
        // The two that are due at once may come in either order.
        #expect(Set(order.prefix(2)) == [0, -5])
        #expect(order.dropFirst(2) == [20, 40, 60])
    }

    @Test func aTimerWaitsAtLeastAboutItsTime() throws {
        let start = ContinuousClock.now
        try withLoop { fixture in
            fixture.keep(fixture.loop.timer(after: .milliseconds(50)) { fixture.finish() })
        }
        // The clock of timers advances by 1 to 10 ms.
        #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test func aCancelledOrReleasedTimerDoesNotFire() throws {
        var fired: [String] = []
        try withLoop { fixture in
            let cancelled = fixture.keep(fixture.loop.timer(after: .zero) { fired.append("cancelled") })
            cancelled.cancel()
            cancelled.cancel()
            var released: LoopTimer? = fixture.loop.timer(after: .zero) { fired.append("released") }
            #expect(released != nil)
            released = nil
            fixture.after(turns: 5) { fixture.finish() }
        }
        #expect(fired.isEmpty)
    }

    @Test func aTimerMayBeReleasedAndReplacedInItsOwnBody() throws {
        var count = 0
        var timer: LoopTimer?
        try withLoop { fixture in
            func arm() {
                timer = fixture.loop.timer(after: .zero) {
                    count += 1
                    timer = nil
                    if count == 5 { fixture.finish() } else { arm() }
                }
            }
            arm()
        }
        #expect(count == 5)
        #expect(timer == nil)
    }

    @Test func whatTheBodyCapturedIsReleasedOnceItRan() throws {
        var released: [String] = []
        try withLoop { fixture in
            for name in ["ran", "cancelled"] {
                let witness = Witness { released.append(name) }
                let timer = fixture.keep(fixture.loop.timer(after: .zero) { witness.touch() })
                if name == "cancelled" { timer.cancel() }
            }
            fixture.after(turns: 3) {
                #expect(released == ["cancelled", "ran"])
                fixture.finish()
            }
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1_000_000_000)])
    func extremeDelaysAreAccepted(delay: Duration) throws {
        let loop = try EventLoop()
        var fired = false
        let timer = loop.timer(after: delay) { fired = true }
        let check = loop.timer(after: .milliseconds(20)) { loop.stop() }
        loop.run()
        #expect(fired == (delay < .zero))
        withExtendedLifetime((timer, check)) {}
    }
}

/// Calls back when it is released; for one thread.
private final class Witness {
    private let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    func touch() {}
    deinit { body() }
}
