internal import Dispatch
internal import Synchronization
package import Transcript
internal import Wire

/// A bounded queue of events between the loops that record and one consumer on a thread of its own.
///
/// Recording costs a loop an append under a lock; a consumer that is too slow loses events, which are counted, and never
/// holds up a connection.
// Sendable: all mutable state is inside the mutex; the consumer is only called on the serial queue.
final class EventQueue: @unchecked Sendable {
    private struct State {
        var waiting: [Event] = []
        var payload = 0
        var lost: UInt64 = 0
        var lostInAll: UInt64 = 0
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let thread: DispatchQueue
    private let limit: Int
    private let consumer: any EventConsumer

    /// Creates a queue for a consumer.
    ///
    /// - Parameters:
    ///   - consumer: Who gets the events, in batches and in order.
    ///   - limit: The number of events that may wait.
    init(_ consumer: any EventConsumer, limit: Int) {
        self.consumer = consumer
        self.limit = limit
        thread = DispatchQueue(label: "pinproof.events")
    }

    /// Puts events into the queue, all of them or, if it is full, none.
    ///
    /// - Parameter events: What happened, in order.
    func append(_ events: [Event]) {
        let schedules = state.withLock { state in
            let payload = events.reduce(0) { $0 + $1.payload }
            guard state.waiting.count + events.count <= limit, state.payload + payload <= Self.payloadLimit else {
                state.lost += UInt64(events.count)
                state.lostInAll += UInt64(events.count)
                return false
            }
            if state.lost > 0, let first = events.first {
                var gap = first
                gap.connection = nil
                gap.kind = .gap(lost: state.lost)
                state.waiting.append(gap)
                state.lost = 0
            }
            state.waiting += events
            state.payload += payload
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        // A short wait gathers the events of many connections into one wake-up, which costs more than they do.
        if schedules { thread.asyncAfter(deadline: .now() + Self.wait) { self.deliver() } }
    }

    /// The number of events that were lost so far.
    var lost: UInt64 { state.withLock { $0.lostInAll } &+ consumer.lostEvents }

    /// Waits until everything that was put in before is consumed.
    func flush() {
        thread.sync { deliver() }
    }

    private func deliver() {
        let batch = state.withLock { state in
            state.isScheduled = false
            let batch = state.waiting
            state.waiting = []
            state.payload = 0
            return batch
        }
        if !batch.isEmpty { consumer.consume(batch) }
    }

    /// Bytes of peers that may wait in all, whatever the number of events.
    private static let payloadLimit = 64 << 20
    private static let wait = DispatchTimeInterval.milliseconds(10)
}

/// Who gets recorded events: a file, the live view, a test.
package protocol EventConsumer: AnyObject, Sendable {
    /// Takes a batch of events; called on one thread at a time, never on a loop.
    func consume(_ events: [Event])
    /// How many of the events that it was given it could not keep.
    var lostEvents: UInt64 { get }
}

extension EventConsumer {
    package var lostEvents: UInt64 { 0 }
}

extension Event {
    /// How many bytes of a peer the event carries: what makes one event cost more memory than another.
    fileprivate var payload: Int {
        switch kind {
        case .wire(_, _, let bytes), .message(_, _, let bytes): bytes.count
        case .certificate(_, let der): der.count
        // The decoded hello holds each octet once.
        case .hello(let record): record.hello.extensions.reduce(0) { $0 + $1.body.count }
        case .requested(_, let target, _): target.utf8.count
        default: 0
        }
    }
}
