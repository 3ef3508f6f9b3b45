internal import Glibc

// Sendable: the value is reached with the mutex held only.
/// A value behind a POSIX mutex.
///
/// `Synchronization.Mutex` would do, but when it has to wait it does so inside the standard library, where the thread
/// sanitizer does not look: whatever one loop hands to another would be reported as a race. POSIX mutexes it knows.
package final class Guarded<Value>: @unchecked Sendable {
    // In memory of its own, since a mutex must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Puts a value behind a mutex of its own.
    package init(_ value: Value) {
        self.value = value
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "no mutex to be had")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Lends the value; no other thread has it meanwhile.
    ///
    /// Not to be called inside `body`.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
