import Foundation
import Reactor
import Testing

// Signals are the process's: one test at a time. They are sent to the process, since the threads that run tests block
// them.
@Suite(.serialized) struct SignalSourceTests {
    @Test func aSignalIsDeliveredOnTheLoopEachTime() throws {
        var count = 0
        try withLoop { fixture in
            let source = fixture.loop.onSignal(SIGUSR1) {
                #expect(fixture.loop.isCurrent)
                count += 1
                if count == 3 { fixture.finish() } else { kill(getpid(), SIGUSR1) }
            }
            fixture.keep(source)
            #expect(kill(getpid(), SIGUSR1) == 0)
            #expect(count == 0, "never inside the signal handler")
        }
        #expect(count == 3)
    }

    @Test func aCancelledSourceGivesTheSignalBack() throws {
        try withLoop { fixture in
            var source: SignalSource?
            source = fixture.loop.onSignal(SIGUSR2) {
                source?.cancel()
                source = nil
                fixture.finish()
            }
            kill(getpid(), SIGUSR2)
        }
        var now = sigaction()
        #expect(sigaction(SIGUSR2, nil, &now) == 0)
        #expect(now.__sigaction_handler.sa_handler == nil, "the default action")
    }

    @Test func anotherLoopMayWatchWhenTheFirstIsDone() throws {
        for _ in 0..<2 {
            try withLoop { fixture in
                fixture.keep(fixture.loop.onSignal(SIGUSR1) { fixture.finish() })
                kill(getpid(), SIGUSR1)
            }
        }
    }
}
