internal import CLibevent
internal import Glibc
internal import Synchronization

// Sendable: libevent guards the base with its own lock, the inbox and the thread are behind a mutex, owner and end are
// atomic, and what is left is touched on the loop's thread only.
/// A libevent loop: one thread waits here for sockets, timers, signals and jobs, and serves them in turn.
///
/// A loop runs once. Until it runs it belongs to the thread that made it, so that what lives on it can be set up there;
/// then to the thread that runs it; and after `join` to the thread that joined it.
///
/// **Ownership:** everything that lives on a loop keeps the loop alive, never the other way round: a stream, timer,
/// listener or lookup that is released is closed or cancelled. **Thread:** `execute`, `stop`, `join` and `isCurrent`
/// from any thread, all else on the loop's own.
public final class EventLoop: @unchecked Sendable {
    /// The `event_base`.
    let base: OpaquePointer
    /// The loop's name lookups.
    let names: NameServices

    private let inbox = Guarded(Inbox())
    private let ownerThread = Atomic<pthread_t>(pthread_self())
    private let hasEnded = Atomic(false)
    private let thread = Guarded<pthread_t?>(nil)
    // Written in init only.
    private var wake: EventHandle?

    /// Makes a loop that belongs to this thread until it is run.
    ///
    /// - Throws: `ReactorError` if the system has no descriptor or memory left for it.
    public init() throws(ReactorError) {
        Libevent.prepare()
        base = try makeBase()
        names = NameServices(base: base)
        wake = EventHandle(base, events: 0, callback: wakened, owner: self)
    }

    deinit {
        wake = nil
        names.shutDown()
        event_base_free(base)
        // The last reference may be the thread's own, so it is not waited for.
        if let thread = thread.withLock({ $0.take() }) { pthread_detach(thread) }
    }

    /// Whether the calling thread is the one that the loop belongs to now.
    public var isCurrent: Bool { ownerThread.load(ordering: .acquiring) == pthread_self() }

    /// Serves events on the calling thread until `stop`.
    public func run() {
        precondition(inbox.withLock { $0.begin() }, "a loop runs once")
        ownerThread.store(pthread_self(), ordering: .releasing)
        let status = event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
        precondition(status >= 0, "the kernel refuses to wait for events")
        names.shutDown()
        // Running or dropping one may queue another.
        while case let late = takeLateJobs(), !late.isEmpty {
            for job in late where job.runsLate { job.run() }
        }
    }

    /// Makes `run` return after the jobs that wait now, and after what is being served.
    ///
    /// Nothing fires afterwards: streams stay open until they are released, timers and lookups just end. From any thread.
    public func stop() {
        // Once: adding a timer that is due puts it off to the next turn, so a callback that stops the loop in every turn
        // would keep it running.
        if inbox.withLock({ $0.stop() }) { wake?.add(after: .zero) }
    }

    /// Queues a job; jobs run on the loop's thread, one after the other, in the order of queuing.
    ///
    /// A job that queues another lets sockets and timers have a turn between the two. From any thread.
    ///
    /// - Parameter job: What it captured may be released on either thread; what belongs to the loop travels in a
    ///   `LoopBound`.
    /// - Returns: Whether the job will be run: false once `stop` was called.
    @discardableResult
    public func execute(_ job: sending @escaping () -> Void) -> Bool {
        switch place(Job(runsLate: false, run: job)) {
        case .first, .queued: true
        case .afterStop, .afterEnd: false
        }
    }

    /// Waits until the loop has ended and its thread is gone; the loop then belongs to the calling thread.
    ///
    /// Returns at once for a loop without a thread of its own, or one that was joined before. It does not stop the loop.
    public func join() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        precondition(thread != pthread_self(), "a loop waits for itself")
        pthread_join(thread, nil)
        ownerThread.store(pthread_self(), ordering: .releasing)
    }

    /// Makes a loop and a thread that runs it.
    ///
    /// - Parameter name: The thread's name, as debuggers show it; the system keeps 15 bytes.
    /// - Returns: The running loop.
    /// - Throws: `ReactorError` if there is no thread or descriptor to be had.
    public static func onOwnThread(name: String) throws(ReactorError) -> EventLoop {
        let loop = try EventLoop()
        loop.ownerThread.store(0, ordering: .releasing)
        let start = Unmanaged.passRetained(ThreadStart(loop: loop, name: name))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runThread, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw ReactorError(operation: "start thread \(name)", code: .system(code))
        }
        loop.thread.withLock { $0 = thread }
        return loop
    }

    /// Traps unless the calling thread is the loop's.
    func preconditionCurrent(_ function: StaticString = #function) {
        precondition(isCurrent, "\(function) on a thread that is not the loop's")
    }

    /// Traps unless something that lives on the loop may be released here: on its thread, or after its end.
    func preconditionReleasable(_ type: Any.Type) {
        precondition(
            isCurrent || hasEnded.load(ordering: .acquiring), "\(type) released on a thread that is not the loop's")
    }

    /// Empties `box` on the loop's thread, even if the loop was stopped already; after its end, here.
    func release<Value>(_ box: LoopBox<Value>) {
        if place(Job(runsLate: true) { box.value = nil }) == .afterEnd { box.value = nil }
    }

    private func place(_ job: Job) -> Inbox.Placement {
        let placement = inbox.withLock { $0.put(job) }
        // A timer rather than an activation: the loop asks the kernel for events before it serves it.
        if placement == .first { wake?.add(after: .zero) }
        return placement
    }

    /// Takes what came after `stop`; when nothing did, the loop has ended.
    private func takeLateJobs() -> [Job] {
        inbox.withLock { inbox in
            let late = inbox.takeLate()
            // Inside the lock: whoever finds the inbox ended must find this too.
            if late.isEmpty { hasEnded.store(true, ordering: .releasing) }
            return late
        }
    }

    fileprivate func runJobs() {
        let (jobs, isLast) = inbox.withLock { $0.take() }
        for job in jobs { job.run() }
        if isLast { event_base_loopbreak(base) }
    }
}

/// What a new thread needs to begin.
private final class ThreadStart {
    let loop: EventLoop
    let name: String

    init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
    }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { preconditionFailure("a thread without its loop") }
    let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
    pthread_setname_np(pthread_self(), String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
    start.loop.run()
    return nil
}

private func wakened(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let loop: EventLoop = owner(of: context)
    loop.runJobs()
}

/// Makes a base that batches its changes to the kernel's list: what is added and removed within one turn costs nothing.
///
/// Its clock is not cached, so that a timer set late in a long turn does not fire early.
private func makeBase() throws(ReactorError) -> OpaquePointer {
    guard let configuration = event_config_new() else { throw .last("make an event loop") }
    defer { event_config_free(configuration) }
    for flag in [EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST, EVENT_BASE_FLAG_NO_CACHE_TIME] {
        event_config_set_flag(configuration, Int32(flag.rawValue))
    }
    guard let base = event_base_new_with_config(configuration) else { throw .last("make an event loop") }
    return base
}
