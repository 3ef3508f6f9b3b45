internal import CLibevent
internal import Glibc
public import Wire

/// A connected TCP socket on a loop, read from and written to without waiting.
///
/// Readiness is level-triggered: `onReadable` is called in every turn of the loop in which there is something to read
/// and `wantsReadable` is set, so a callback may leave the rest for later. The two sides are watched by an event each,
/// made when first wanted: most connections never wait to write, so they cost one event and one registration with the
/// kernel; a change of mind is one more call at the end of the loop's turn, or none if it was changed back.
///
/// **Ownership:** hold it: a stream that is released is closed. `close` and `reset` drop both callbacks, so a cycle
/// through them lasts as long as the stream is open. **Thread:** its loop's; it may be closed and released inside its
/// own callbacks.
public final class SocketStream {
    /// What one read brought.
    public enum ReadResult: Hashable, Sendable {
        /// So many bytes were appended.
        case bytes(Int)
        /// Nothing has come yet.
        case wouldBlock
        /// The peer has finished writing (FIN).
        case end
        /// The connection is broken, for example `ECONNRESET`.
        case failed(errno: Int32)
    }

    /// How far a write came.
    public enum WriteResult: Hashable, Sendable {
        /// The queue is empty.
        case drained
        /// The kernel takes no more for now; the rest is still in the queue.
        case wouldBlock
        /// The connection is broken, for example `EPIPE`.
        case failed(errno: Int32)
    }

    /// Called when a read would bring something: bytes, the end or an error.
    public var onReadable: (() -> Void)?
    /// Called when the kernel would take something, or the connection is broken.
    public var onWritable: (() -> Void)?

    private let loop: EventLoop
    private var socket: Socket?
    private var readEvent: EventHandle?
    private var writeEvent: EventHandle?
    private var watchesRead = false
    private var watchesWrite = false

    /// Takes over a connected socket.
    public init(loop: EventLoop, socket: consuming Socket) {
        loop.preconditionCurrent()
        self.loop = loop
        self.socket = consume socket
    }

    deinit { close() }

    /// Whether neither `close` nor `reset` was called.
    public var isOpen: Bool { socket != nil }

    /// Whether `onReadable` is to be called.
    ///
    /// Off at first; off again after a read said `end` or `failed`, since there is nothing more to wait for, and if the
    /// stream turns out to be readable while there is no callback.
    public var wantsReadable: Bool {
        get { watchesRead }
        set {
            loop.preconditionCurrent()
            guard newValue != watchesRead, let descriptor = socket?.descriptor else { return }
            watchesRead = newValue
            if readEvent == nil {
                readEvent = EventHandle(
                    loop.base, descriptor: descriptor, events: EV_READ | EV_PERSIST, callback: streamIsReadable,
                    owner: self)
            }
            if newValue { readEvent?.add() } else { readEvent?.remove() }
        }
    }

    /// Whether `onWritable` is to be called.
    ///
    /// Off at first; off again after a write failed, and if the stream turns out to be writable while there is no
    /// callback. To be set only while something waits to be written, else it fires in every turn.
    public var wantsWritable: Bool {
        get { watchesWrite }
        set {
            loop.preconditionCurrent()
            guard newValue != watchesWrite, let descriptor = socket?.descriptor else { return }
            watchesWrite = newValue
            if writeEvent == nil {
                writeEvent = EventHandle(
                    loop.base, descriptor: descriptor, events: EV_WRITE | EV_PERSIST, callback: streamIsWritable,
                    owner: self)
            }
            if newValue { writeEvent?.add() } else { writeEvent?.remove() }
        }
    }

    /// Reads once, straight into the queue.
    ///
    /// - Parameters:
    ///   - queue: Where the bytes go; if none came, it gives back memory that it does not use.
    ///   - limit: The most to read, at least 1. Large is cheap: one system call, and memory only while bytes wait.
    /// - Returns: What came; `failed(EBADF)` once the stream is closed.
    public func read(into queue: ByteQueue, upTo limit: Int) -> ReadResult {
        loop.preconditionCurrent()
        guard let descriptor = socket?.descriptor else { return .failed(errno: EBADF) }
        var error: Int32 = 0
        let count = queue.withRoom(limit) { room in
            let outcome = uninterrupted { recv(descriptor, room.baseAddress, limit, 0) }
            error = outcome.error
            return outcome.value
        }
        if count > 0 { return .bytes(count) }
        queue.releaseIfEmpty()
        if error == EAGAIN { return .wouldBlock }
        wantsReadable = false
        return count == 0 ? .end : .failed(errno: error)
    }

    /// Writes what waits in the queue, as much as the kernel takes.
    ///
    /// A broken connection is an error here, never a `SIGPIPE`.
    ///
    /// - Returns: How far it came; `failed(EBADF)` once the stream is closed.
    public func write(from queue: ByteQueue) -> WriteResult {
        loop.preconditionCurrent()
        guard let descriptor = socket?.descriptor else { return .failed(errno: EBADF) }
        while !queue.isEmpty {
            let waiting = queue.count
            let (sent, error) = queue.withBytes { bytes in
                uninterrupted { send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
            }
            if sent > 0 { queue.consume(sent) }
            // Less than all went: the kernel's buffer is full, and asking again would only say so.
            if error == EAGAIN || (error == 0 && sent < waiting) { return .wouldBlock }
            guard error == 0 else {
                wantsWritable = false
                return .failed(errno: error)
            }
        }
        return .drained
    }

    /// Acknowledges what came at once, where the system would wait for an answer to send along (40 ms).
    ///
    /// For when the peer has something more to say, and by Nagle's rule (RFC 9293 section 3.7.4) may not while what it
    /// said is not acknowledged, and there is no answer.
    public func acknowledge() {
        loop.preconditionCurrent()
        // Fails only if the connection is gone already.
        try? socket?.set(TCP_QUICKACK, at: Int32(IPPROTO_TCP), to: Int32(1), "acknowledge")
    }

    /// Tells the peer that nothing more will be written (FIN, after what was written); reading goes on.
    public func finishWriting() {
        loop.preconditionCurrent()
        guard let descriptor = socket?.descriptor else { return }
        // Fails only if the connection is gone already, which the next read tells.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the connection; the kernel still delivers what was written.
    ///
    /// Without effect the second time.
    public func close() {
        loop.preconditionReleasable(SocketStream.self)
        readEvent = nil
        writeEvent = nil
        socket = nil
        (watchesRead, watchesWrite) = (false, false)
        (onReadable, onWritable) = (nil, nil)
    }

    /// Closes the connection with a RST, throwing away what the peer has not got yet.
    public func reset() {
        // Fails only if the connection is gone already: then there is nothing left to reset.
        try? socket?.set(SO_LINGER, at: SOL_SOCKET, to: linger(l_onoff: 1, l_linger: 0), "reset")
        close()
    }

    /// The bytes written that the peer's kernel has not acknowledged.
    public var unsentBytes: Int {
        loop.preconditionCurrent()
        var count: Int32 = 0
        guard let descriptor = socket?.descriptor, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// The address of this end; nil once the stream is closed.
    public var localAddress: SocketAddress? { socket?.localAddress() }

    /// The address of the other end; nil once the stream is closed or reset by the peer.
    public var peerAddress: SocketAddress? { socket?.peerAddress() }

    fileprivate func becameReadable() {
        guard let onReadable else {
            wantsReadable = false
            return
        }
        onReadable()
    }

    fileprivate func becameWritable() {
        guard let onWritable else {
            wantsWritable = false
            return
        }
        onWritable()
    }
}

@available(*, unavailable)
extension SocketStream: Sendable {}  // confined to its loop

private func streamIsReadable(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let stream: SocketStream = owner(of: context)
    stream.becameReadable()
}

private func streamIsWritable(_ descriptor: Int32, _ events: Int16, _ context: UnsafeMutableRawPointer?) {
    let stream: SocketStream = owner(of: context)
    stream.becameWritable()
}
