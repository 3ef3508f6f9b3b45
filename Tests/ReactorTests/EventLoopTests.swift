import Dispatch
import Foundation
import Reactor
import Testing

@Suite struct EventLoopTests {
    @Test func jobsRunInTheOrderOfQueuing() throws {
        var order: [Int] = []
        try withLoop { fixture in
            nonisolated(unsafe) let fixture = fixture
            nonisolated(unsafe) let note = { (number: Int) in order.append(number) }
            fixture.loop.execute {
                note(1)
                fixture.loop.execute {
                    note(3)
                    fixture.finish()
                }
            }
            fixture.loop.execute { note(2) }
        }
        #expect(order == [1, 2, 3])
    }

    @Test func jobsOfManyThreadsAllRunEachThreadsInOrder() throws {
        let loop = try EventLoop.onOwnThread(name: "many")
        let seen = Shared<[[Int]]>(Array(repeating: [], count: 8))
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<2_000 {
                loop.execute { seen.update { $0[thread].append(number) } }
            }
        }
        loop.stop()
        loop.join()
        for numbers in seen.current { #expect(numbers == Array(0..<2_000)) }
    }

    @Test func aSleepingLoopIsWoken() throws {
        let loop = try EventLoop.onOwnThread(name: "sleeper")
        // Each one finds the loop asleep again, since the answer to the last was waited for.
        for number in 0..<200 { #expect(try on(loop) { number } == number) }
        loop.stop()
        loop.join()
    }

    @Test func jobsThatQueueJobsLeaveTurnsToTimers() throws {
        try withLoop { fixture in
            nonisolated(unsafe) let fixture = fixture
            @Sendable func again() { fixture.loop.execute { again() } }
            again()
            fixture.keep(fixture.loop.timer(after: .milliseconds(5)) { fixture.finish() })
        }
    }

    @Test func stopFinishesTheJobsThatWaitAndRefusesOthers() throws {
        let loop = try EventLoop()
        let ran = Shared<[String]>([])
        for name in ["first", "second"] {
            #expect(loop.execute { ran.update { $0.append(name) } })
        }
        loop.stop()
        #expect(!loop.execute { ran.update { $0.append("late") } })
        loop.run()
        #expect(!loop.execute { ran.update { $0.append("after the end") } })
        #expect(ran.current == ["first", "second"])
    }

    @Test func stopFromAJobLetsTheRestOfTheJobsRun() throws {
        let loop = try EventLoop()
        let ran = Shared<[Int]>([])
        loop.execute {
            ran.update { $0.append(1) }
            loop.stop()
        }
        loop.execute { ran.update { $0.append(2) } }
        loop.run()
        #expect(ran.current == [1, 2])
    }

    @Test func stoppingInEveryTurnStops() throws {
        try withLoop { fixture in
            try fixture.withPair { client, _ in
                client.onWritable = { fixture.finish() }
                client.wantsWritable = true
            }
        }
    }

    @Test func aLoopBelongsToOneThreadAtATime() throws {
        let loop = try EventLoop()
        #expect(loop.isCurrent)
        let own = try EventLoop.onOwnThread(name: "a name longer than fifteen bytes")
        #expect(!own.isCurrent)
        #expect(try on(own) { own.isCurrent && !loop.isCurrent })
        let name = try on(own) { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
        #expect(name == "a name longer t\n")
        own.stop()
        own.join()
        #expect(own.isCurrent)
        own.join()
    }

    @Test func aLoopIsFreedWithItsThread() throws {
        weak var freed: EventLoop?
        let ended = DispatchSemaphore(value: 0)
        do {
            let loop = try EventLoop.onOwnThread(name: "short")
            freed = loop
            // The last reference is then the thread's own.
            loop.execute { [signal = Deinit { ended.signal() }] in withExtendedLifetime(signal) {} }
            loop.stop()
            loop.join()
        }
        #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(freed == nil)
    }
}

/// Calls back when it is released.
final class Deinit: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}
