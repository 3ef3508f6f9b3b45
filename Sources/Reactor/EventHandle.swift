internal import CLibevent

/// The owner of one `event`.
///
/// **Ownership:** the event is removed and freed with this value, which libevent permits inside the event's own callback
/// too. `owner` is not retained: it holds this value, so it outlives the event. **Thread:** `add` may be called from any
/// thread (libevent guards the base); everything else belongs to the loop.
struct EventHandle: ~Copyable {
    private let raw: OpaquePointer

    /// Makes an event that is not watched yet.
    ///
    /// - Parameters:
    ///   - base: The `event_base`; it must outlive the event.
    ///   - descriptor: A file descriptor, a signal number, or -1 for a timer.
    ///   - events: `EV_READ` and the like.
    ///   - callback: A file-level function, which gets `owner` back through `owner(of:)`.
    ///   - owner: The object that holds this value.
    init(
        _ base: OpaquePointer, descriptor: Int32 = -1, events: Int32, callback: event_callback_fn, owner: AnyObject
    ) {
        let context = Unmanaged.passUnretained(owner).toOpaque()
        guard let raw = event_new(base, descriptor, Int16(truncatingIfNeeded: events), callback, context) else {
            preconditionFailure("event_new: out of memory")
        }
        self.raw = raw
    }

    deinit { event_free(raw) }

    /// Starts watching, with a time limit if there is one.
    borrowing func add(after limit: Duration? = nil) {
        let status: Int32
        if let limit {
            var time = timeval(limit)
            status = event_add(raw, &time)
        } else {
            status = event_add(raw, nil)
        }
        precondition(status == 0, "event_add: out of memory")
    }

    /// Stops watching.
    borrowing func remove() { event_del(raw) }
}

/// The object that an event's callback is meant for.
///
/// The returned reference keeps it alive until the callback returns, even if it is closed and released meanwhile.
func owner<Owner: AnyObject>(of context: UnsafeMutableRawPointer?) -> Owner {
    guard let context else { preconditionFailure("an event without its owner") }
    return Unmanaged<Owner>.fromOpaque(context).takeUnretainedValue()
}

extension timeval {
    /// Rounds up to a microsecond; nothing is shorter than zero or longer than a century.
    fileprivate init(_ duration: Duration) {
        let bounded = min(max(duration, .zero), .seconds(100 * 365 * 86_400))
        let (seconds, attoseconds) = bounded.components
        let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        self.init(tv_sec: Int(seconds + microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
    }
}
