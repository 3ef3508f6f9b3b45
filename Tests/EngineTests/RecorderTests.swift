import Authority
import Crypto
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import Transcript
import Wire

@testable import Engine

/// A consumer that stands still until the test lets it go on.
private final class StoppableConsumer: EventConsumer {
    private let gate = DispatchSemaphore(value: 0)
    private let isOpen: Mutex<Bool>
    private let entered = Watched(0)
    let events = Watched<[Event]>([])

    init(isOpen: Bool = false) { self.isOpen = Mutex(isOpen) }

    func consume(_ batch: [Event]) {
        entered.update { $0 += 1 }
        if !isOpen.withLock({ $0 }) { gate.wait() }
        events.update { $0 += batch }
    }

    /// Waits until a batch is inside.
    func wasEntered(_ times: Int = 1) async throws { try await entered.wait("a batch") { $0 >= times } }

    /// Lets this batch and all later ones through.
    func open() {
        isOpen.withLock { $0 = true }
        gate.signal()
    }

    var lines: [String] { events.current.map(\.kind.line) }
}

@Suite struct RecorderTests {
    /// Waits on a thread of its own, as the program does.
    private func flush(_ recorder: Recorder) async {
        await withCheckedContinuation { continuation in
            Thread.run {
                recorder.flush()
                continuation.resume()
            }
        }
    }

    @Test func eventsAreStampedAndKeptInOrder() async throws {
        let log = EventLog()
        let recorder = Recorder([log])
        let before = time(nil)
        for number in 0..<1000 { recorder.record(.gap(lost: UInt64(number)), connection: 7) }
        await flush(recorder)
        #expect(log.all.map(\.kind) == (0..<1000).map { .gap(lost: $0) })
        #expect(log.all.allSatisfy { $0.connection == 7 })
        #expect(zip(log.all, log.all.dropFirst()).allSatisfy { $0.monotonic <= $1.monotonic })
        #expect(log.all.allSatisfy { $0.wall / 1_000_000 >= Int64(before) && $0.wall / 1_000_000 <= Int64(time(nil)) })
        #expect(recorder.lost(by: [log]) == 0)
    }

    @Test func connectionsAreNumberedFromOne() {
        let recorder = Recorder([])
        #expect((recorder.nextConnection(), recorder.nextConnection()) == (1, 2))
        // What counts are those that are in the transcript: a worker that stops may never open what was numbered.
        #expect(recorder.connectionCount == 0)
        recorder.record(.opened(client: "127.0.0.1:1", listener: "127.0.0.1:2"), connection: 2)
        #expect(recorder.connectionCount == 1)
    }

    /// Events of one thread keep their order, whatever others record meanwhile.
    @Test func eachThreadsOrderIsKept() async throws {
        let log = EventLog()
        let recorder = Recorder([log])
        await withTaskGroup { group in
            for thread in 1...4 as ClosedRange<UInt64> {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.run {
                            for number in 0..<2000 { recorder.record(.gap(lost: UInt64(number)), connection: thread) }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        await flush(recorder)
        for thread in 1...4 as ClosedRange<UInt64> {
            #expect(log.soFar(of: thread) == (0..<2000).map { .gap(lost: $0) })
        }
    }

    /// What does not fit is counted, and told before the next event that does.
    @Test func fullQueueLosesEventsAndSaysHowMany() async throws {
        let consumer = StoppableConsumer()
        let recorder = Recorder([consumer], limit: 3)
        recorder.record(.opened(client: "first", listener: ""), connection: 1)
        try await consumer.wasEntered()
        // One is inside the consumer; three may wait.
        for _ in 0..<10 { recorder.record(.firstData(.client), connection: 1) }
        #expect(recorder.lost(by: [consumer]) == 7)
        consumer.open()
        await flush(recorder)
        recorder.record(.firstData(.origin), connection: 1)
        await flush(recorder)
        #expect(
            consumer.lines == [
                "opened", "first data client", "first data client", "first data client", "gap 7",
                "first data origin",
            ])
        // The gap belongs to the run, not to a connection.
        #expect(consumer.events.current[4].connection == nil)
        #expect(recorder.lost(by: [consumer]) == 7)
    }

    /// A consumer that stands still loses its own events, and no others'.
    @Test func aBlockedConsumerHoldsNobodyUp() async throws {
        let blocked = StoppableConsumer()
        let log = EventLog()
        let recorder = Recorder([blocked, log], limit: 2)
        recorder.record(.firstData(.client), connection: 1)
        try await blocked.wasEntered()
        let flushed = Watched(false)
        Thread.run {
            recorder.flush()
            flushed.update { $0 = true }
        }
        // In time, though the other one is not done: nothing is waited for here but the log itself.
        try await log.first("the event") { if case .firstData(.client) = $0 { () } else { nil } }
        for _ in 0..<5 {
            let soFar = log.all.count
            recorder.record(.firstData(.origin), connection: 1)
            try await log.count(soFar + 1)
        }
        #expect(log.all.count == 6)
        #expect(!flushed.current)
        // Two wait, and four went by; the log has all, and what is shown by it alone is whole.
        #expect(recorder.lost(by: [blocked]) == 3)
        #expect(recorder.lost(by: [log]) == 0)
        #expect(recorder.lost(by: [log, blocked]) == 3)
        blocked.open()
        try await flushed.wait("the end of flushing") { $0 }
    }

    /// The queue is bounded in memory too: a peer decides how large its messages are.
    @Test func fewLargeEventsFillAQueueToo() async throws {
        let consumer = StoppableConsumer()
        let queue = EventQueue(consumer, limit: 1000, weightLimit: 10_000)
        let event = Event(
            connection: 1, monotonic: 0, wall: 0,
            kind: .wire(.client, .received, [UInt8](repeating: 0, count: 4000)))
        #expect(queue.append([event]))
        try await consumer.wasEntered()
        #expect(queue.append([event]))
        #expect(queue.append([event]))
        #expect(!queue.append([event]))
        #expect(queue.lost == 1)
        consumer.open()
        try await consumer.events.wait("three events") { $0.count == 3 }
        #expect(queue.append([event]))
    }

    // MARK: Certificates

    private func certificates(_ count: Int) throws -> [Certificate] {
        try (0..<count).map { try CertificateAuthority.ephemeral(name: "\($0)", now: Int64(time(nil))).certificate }
    }

    @Test func certificateComesOnceBeforeItsFirstMention() async throws {
        let log = EventLog()
        let recorder = Recorder([log])
        let chain = try certificates(2)
        recorder.record(chain: chain, .origin, connection: 1)
        // Twice in one chain, and again in another.
        recorder.record(chain: [chain[1], chain[1], chain[0]], .client, connection: 2)
        await flush(recorder)
        #expect(
            log.all.map(\.kind.line) == ["certificate", "certificate", "chain origin 2", "chain client 3"])
        guard case .certificate(let first, let der) = log.all[0].kind, case .chain(_, let digests) = log.all[2].kind
        else {
            Issue.record("not a certificate and a chain")
            return
        }
        #expect(first == digests[0])
        #expect(der == chain[0].der)
    }

    /// A certificate that was lost is recorded when it is next named: for the consumer that lost it.
    @Test func lostCertificateComesWithItsNextMention() async throws {
        let blocked = StoppableConsumer()
        let log = EventLog()
        let recorder = Recorder([blocked, log], limit: 2)
        recorder.record(.firstData(.client), connection: 1)
        try await blocked.wasEntered()
        let chain = try certificates(2)
        // Three events do not fit: all or none.
        recorder.record(chain: chain, .origin, connection: 1)
        recorder.record(.firstData(.origin), connection: 1)
        blocked.open()
        await flush(recorder)
        recorder.record(chain: [chain[0]], .origin, connection: 2)
        await flush(recorder)
        #expect(
            blocked.lines == ["first data client", "gap 3", "first data origin", "certificate", "chain origin 1"])
    }

    /// Many connections that name the same certificate at once: it comes once, and first.
    @Test func concurrentMentionsHaveTheirCertificate() async throws {
        let log = EventLog()
        let recorder = Recorder([log])
        let chain = try certificates(1)
        await withTaskGroup { group in
            for connection in 1...8 as ClosedRange<UInt64> {
                group.addTask { recorder.record(chain: chain, .client, connection: connection) }
            }
        }
        await flush(recorder)
        #expect(log.all.first?.kind.line == "certificate")
        #expect(log.all.dropFirst().map(\.kind.line) == [String](repeating: "chain client 1", count: 8))
    }
}
