/// A growable first-in-first-out run of bytes, contiguous in memory.
///
/// It carries what a socket delivered to the TLS session, and what the session produced to the socket, without a copy
/// in between. Memory exists only while it holds bytes: `releaseIfEmpty()` gives it back.
///
/// **Ownership:** the queue owns its memory. **Thread:** confined to one thread (an event loop).
public final class ByteQueue {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private var head = 0
    private var tail = 0

    /// Creates an empty queue that holds no memory.
    public init() {}

    deinit { memory?.deallocate() }

    /// The number of bytes that wait to be consumed.
    public var count: Int { tail - head }

    /// Whether nothing waits to be consumed.
    public var isEmpty: Bool { head == tail }

    /// Lends the waiting bytes; the pointer is valid only inside `body`.
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        guard let memory, head < tail else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try body(UnsafeRawBufferPointer(start: memory + head, count: tail - head))
    }

    /// Drops the first `amount` bytes, which must be there.
    public func consume(_ amount: Int) {
        precondition(amount >= 0 && amount <= count, "consumed more than was there")
        head += amount
        if head == tail { (head, tail) = (0, 0) }
    }

    /// Lends at least `minimum` writable bytes to `body`, which returns how many it wrote (negative: none).
    ///
    /// - Returns: What `body` returned.
    @discardableResult
    public func withRoom(_ minimum: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        let room = reserve(minimum)
        let written = body(UnsafeMutableRawBufferPointer(start: room, count: capacity - tail))
        if written > 0 {
            precondition(written <= capacity - tail, "wrote past the room that was lent")
            tail += written
        }
        return written
    }

    /// Appends a copy of `bytes`.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        tail += bytes.count
    }

    /// Appends a copy of `bytes`.
    public func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Removes and returns everything that waits.
    public func takeAll() -> [UInt8] {
        let bytes = withBytes { [UInt8]($0) }
        consume(bytes.count)
        return bytes
    }

    /// Gives the memory back if nothing waits.
    public func releaseIfEmpty() {
        guard isEmpty, let held = memory else { return }
        held.deallocate()
        (memory, capacity) = (nil, 0)
    }

    /// Makes room for `minimum` more bytes and returns where they go.
    private func reserve(_ minimum: Int) -> UnsafeMutableRawPointer {
        precondition(minimum > 0, "room for at least one byte")
        if let memory, capacity - tail >= minimum { return memory + tail }
        let waiting = count
        if let memory, capacity >= waiting + minimum, head >= waiting {
            // The consumed front is large enough to slide down into: cheaper than new memory.
            memory.copyMemory(from: memory + head, byteCount: waiting)
            (head, tail) = (0, waiting)
            return memory + tail
        }
        let needed = max(waiting + minimum, min(capacity * 2, 1 << 20))
        let grown = UnsafeMutableRawPointer.allocate(byteCount: needed, alignment: 16)
        if let memory {
            if waiting > 0 { grown.copyMemory(from: memory + head, byteCount: waiting) }
            memory.deallocate()
        }
        (memory, capacity, head, tail) = (grown, needed, 0, waiting)
        return grown + tail
    }
}
