package import Crypto
internal import Dispatch
internal import Glibc
internal import Reactor
internal import Synchronization
package import Transcript
internal import Wire

/// Stamps what happens and hands it to everyone who listens, without ever blocking a loop.
package final class Recorder: Sendable {
    private let queues: [EventQueue]
    private let origin: UInt64
    /// For each queue, the certificates that it has taken.
    private let named: Guarded<[Set<String>]>
    private let connections = Atomic<UInt64>(0)
    private let opened = Atomic<UInt64>(0)

    /// Starts the run's clock.
    ///
    /// - Parameters:
    ///   - consumers: Who gets the events, each on a thread of its own.
    ///   - limit: How many events may wait for one consumer before they are lost, and counted.
    package init(_ consumers: [any EventConsumer], limit: Int = 65_536) {
        queues = consumers.map { EventQueue($0, limit: limit) }
        named = Guarded(consumers.map { _ in [] })
        origin = Self.now(CLOCK_MONOTONIC)
    }

    /// Records what happened.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - connection: The number of the connection; nil for an event of the run.
    package func record(_ kind: Event.Kind, connection: UInt64?) {
        if case .opened = kind { opened.add(1, ordering: .relaxed) }
        let event = stamp(kind, connection)
        for queue in queues { queue.append([event]) }
    }

    /// Records what happened with certificates; each of them itself only before it is first named.
    ///
    /// A consumer that lost a certificate gets it when it is next named.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - certificates: The certificates whose digests it names.
    ///   - connection: The number of the connection.
    package func record(_ kind: Event.Kind, naming certificates: [Certificate], connection: UInt64) {
        let digests = certificates.map { Hex.encode($0.sha256) }
        let naming = stamp(kind, connection)
        // Under the lock, so that no other connection can name a digest before its certificate is in the queues.
        named.withLock { named in
            for (index, queue) in queues.enumerated() {
                // Recorded once more rather than remembered for ever.
                if named[index].count > Self.namedLimit { named[index].removeAll() }
                var added: Set<String> = []
                var events: [Event] = []
                for (digest, certificate) in zip(digests, certificates)
                where !named[index].contains(digest) && added.insert(digest).inserted {
                    events.append(stamp(.certificate(digest: digest, der: certificate.der), nil))
                }
                if queue.append(events + [naming]) { named[index].formUnion(added) }
            }
        }
    }

    /// Records the chain presented on a side.
    package func record(chain: [Certificate], _ side: Side, connection: UInt64) {
        record(.chain(side, chain.map { Hex.encode($0.sha256) }), naming: chain, connection: connection)
    }

    /// Numbers a new connection, uniquely within the run.
    package func nextConnection() -> UInt64 {
        connections.add(1, ordering: .relaxed).newValue
    }

    /// How many connections were opened so far.
    package var connectionCount: UInt64 { opened.load(ordering: .relaxed) }

    /// Nanoseconds since the run started.
    package var elapsed: UInt64 { Self.now(CLOCK_MONOTONIC) &- origin }

    /// How many events some of the consumers lost, one as well as another.
    ///
    /// - Parameter consumers: Those that count; what another one lost does no harm to them.
    /// - Returns: The largest number that one of them lost.
    package func lost(by consumers: [any EventConsumer]) -> UInt64 {
        queues.filter { queue in consumers.contains { $0 === queue.consumer } }.map(\.lost).max() ?? 0
    }

    /// Waits until all consumers have everything that was recorded before; one that is slow delays no other.
    ///
    /// - Parameter limit: How long to wait for those that are slow, or stuck; nil to wait for as long as it takes.
    /// - Returns: Whether all have it.
    @discardableResult
    package func flush(within limit: Duration? = nil) -> Bool {
        let group = DispatchGroup()
        for queue in queues { queue.flush(in: group) }
        return group.wait(timeout: limit.map { .now() + $0 / .seconds(1) } ?? .distantFuture) == .success
    }

    /// How many certificates are remembered as recorded.
    private static let namedLimit = 65_536

    private func stamp(_ kind: Event.Kind, _ connection: UInt64?) -> Event {
        Event(
            connection: connection, monotonic: elapsed, wall: Int64(Self.now(CLOCK_REALTIME) / 1000), kind: kind)
    }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
