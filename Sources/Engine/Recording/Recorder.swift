package import Crypto
internal import Glibc
internal import Synchronization
package import Transcript
internal import Wire

/// Stamps what happens and hands it to everyone who listens, without ever blocking a loop.
package final class Recorder: Sendable {
    private let queues: [EventQueue]
    private let origin: UInt64
    private let named = Mutex<Set<String>>([])
    private let connections = Atomic<UInt64>(0)

    /// Starts the run's clock.
    ///
    /// - Parameters:
    ///   - consumers: Who gets the events, each on a thread of its own.
    ///   - limit: How many events may wait for one consumer before they are lost, and counted.
    package init(_ consumers: [any EventConsumer], limit: Int = 65_536) {
        queues = consumers.map { EventQueue($0, limit: limit) }
        origin = Self.now(CLOCK_MONOTONIC)
    }

    /// Records what happened.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - connection: The number of the connection; nil for an event of the run.
    package func record(_ kind: Event.Kind, connection: UInt64?) {
        deliver([stamp(kind, connection)])
    }

    /// Records the chain presented on a side; each certificate itself only the first time it is seen in the run.
    package func record(chain: [Certificate], _ side: Side, connection: UInt64) {
        let digests = chain.map { Hex.encode($0.sha256) }
        // Under the lock, so that no other connection can name a digest before its certificate is in the queues.
        named.withLock { named in
            var events: [Event] = []
            // Recorded once more rather than remembered for ever.
            if named.count > Self.namedLimit { named.removeAll() }
            for (certificate, digest) in zip(chain, digests) where named.insert(digest).inserted {
                events.append(stamp(.certificate(digest: digest, der: certificate.der), nil))
            }
            events.append(stamp(.chain(side, digests), connection))
            deliver(events)
        }
    }

    /// Numbers a new connection, uniquely within the run.
    package func nextConnection() -> UInt64 {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// How many connections were numbered so far.
    package var connectionCount: UInt64 { connections.load(ordering: .relaxed) }

    /// Nanoseconds since the run started.
    package var elapsed: UInt64 { Self.now(CLOCK_MONOTONIC) &- origin }

    /// The largest number of events that any consumer lost.
    package var lost: UInt64 { queues.map(\.lost).max() ?? 0 }

    /// Waits until all consumers have everything that was recorded before.
    package func flush() {
        for queue in queues { queue.flush() }
    }

    /// How many certificates are remembered as recorded.
    private static let namedLimit = 65_536

    private func stamp(_ kind: Event.Kind, _ connection: UInt64?) -> Event {
        Event(
            connection: connection, monotonic: elapsed, wall: Int64(Self.now(CLOCK_REALTIME) / 1000), kind: kind)
    }

    private func deliver(_ events: [Event]) {
        for queue in queues { queue.append(events) }
    }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
