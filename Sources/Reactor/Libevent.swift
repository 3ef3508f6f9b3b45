internal import CLibevent

/// The part of libevent's set-up that is done once a process, before the first base is made.
enum Libevent {
    /// Makes libevent safe to call from several threads, and quiet.
    static func prepare() { _ = prepared }

    private static let prepared: Void = {
        precondition(evthread_use_pthreads() == 0, "libevent without threads")
        event_set_log_callback(discardLog)
    }()
}

/// Drops what libevent would print on standard error: failures are reported by return values, and what is left (a name
/// server that does not answer) would spoil the live view.
private func discardLog(_ severity: Int32, _ message: UnsafePointer<CChar>?) {}
