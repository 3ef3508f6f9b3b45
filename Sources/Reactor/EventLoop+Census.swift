internal import CLibevent

extension EventLoop {
    /// How many events of sockets and timers wait on the loop: for tests that nothing is left behind.
    package var waitingEvents: Int {
        preconditionCurrent()
        return Int(event_base_get_num_events(base, UInt32(EVENT_BASE_COUNT_ADDED)))
    }
}
