internal import Dispatch
internal import Reactor
package import Transcript
internal import Wire

/// A bounded queue of events between the loops that record and one consumer on a thread of its own.
///
/// It is bounded in number and in memory, since peers decide how large many events are. Recording costs a loop an append
/// under a lock; a consumer that is too slow loses events, which are counted, and never holds up a connection.
// Sendable: all mutable state is inside the mutex; the consumer is only called on the serial queue.
final class EventQueue: @unchecked Sendable {
    private struct State {
        var waiting: [Event] = []
        /// What the waiting events weigh.
        var weight = 0
        var lost: UInt64 = 0
        var lostInAll: UInt64 = 0
        var isScheduled = false
    }

    private let state = Guarded(State())
    private let thread: DispatchQueue
    private let limit: Int
    private let weightLimit: Int
    /// Who gets the events.
    let consumer: any EventConsumer

    /// Creates a queue for a consumer.
    ///
    /// - Parameters:
    ///   - consumer: Who gets the events, in batches and in order.
    ///   - limit: The number of events that may wait.
    ///   - weightLimit: The memory in bytes that those may take, about.
    init(_ consumer: any EventConsumer, limit: Int, weightLimit: Int = 64 << 20) {
        self.consumer = consumer
        self.limit = limit
        self.weightLimit = weightLimit
        thread = DispatchQueue(label: "pinproof.events")
    }

    /// Puts events into the queue, all of them or, if it is full, none.
    ///
    /// - Parameter events: What happened, in order.
    /// - Returns: Whether they are in the queue.
    @discardableResult
    func append(_ events: [Event]) -> Bool {
        let weight = events.reduce(0) { $0 + $1.weight }
        let (isTaken, schedules) = state.withLock { state in
            guard state.waiting.count + events.count <= limit, state.weight + weight <= weightLimit else {
                state.lost += UInt64(events.count)
                state.lostInAll += UInt64(events.count)
                return (false, false)
            }
            state.weight += weight
            if state.lost > 0, let first = events.first {
                var gap = first
                gap.connection = nil
                gap.kind = .gap(lost: state.lost)
                state.waiting.append(gap)
                state.lost = 0
            }
            state.waiting += events
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        // A short wait gathers the events of many connections into one wake-up, which costs more than they do.
        if schedules { thread.asyncAfter(deadline: .now() + Self.wait) { self.deliver() } }
        return isTaken
    }

    /// The number of events that were lost so far.
    var lost: UInt64 { state.withLock { $0.lostInAll } &+ consumer.lostEvents }

    /// Has everything that was put in before consumed soon; the group is left when it is.
    func flush(in group: DispatchGroup) {
        thread.async(group: group) { self.deliver() }
    }

    private func deliver() {
        let batch = state.withLock { state in
            state.isScheduled = false
            let batch = state.waiting
            state.waiting = []
            state.weight = 0
            return batch
        }
        if !batch.isEmpty { consumer.consume(batch) }
    }

    private static let wait = DispatchTimeInterval.milliseconds(10)
}

extension Event {
    /// The memory that the event takes, about.
    fileprivate var weight: Int {
        let payload =
            switch kind {
            case .wire(_, _, let bytes), .message(_, _, let bytes, _), .certificate(_, let bytes),
                .traffic(_, _, _, let bytes), .data(_, _, let bytes):
                bytes.count
            case .head(let head):
                head.fields.reduce(head.target?.utf8.count ?? 0) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
            case .serverHello(_, let record):
                record.hello.extensions.reduce(0) { $0 + 64 + 2 * $1.body.count }
            case .hello(let record), .originHello(let record):
                record.hello.extensions.reduce(8 * record.hello.cipherSuites.count) { $0 + 64 + 2 * $1.body.count }
            case .identity(let exchange): exchange.authorities.reduce(0) { $0 + 16 + $1.utf8.count }
            case .withheldHTTP2(_, let offered): offered.reduce(0) { $0 + 16 + $1.utf8.count }
            case .runStarted, .runContinued, .runEnded, .secret, .contentEnded, .verdict, .gap, .acceptingPaused,
                .acceptingResumed, .commandStarted, .commandEnded,
                .opened, .requested, .phase, .decided,
                .connected, .notTLS, .alert, .chain, .issuerFetched, .forged, .secured, .framing, .firstData,
                .firstRequest, .answered,
                .ended,
                .failed, .closed:
                0
            }
        return 256 + payload
    }
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
