// Sendable: every access to the value is checked to happen on the loop, and the value is released there too.
/// A value that belongs to one loop, in a box that any thread may carry.
///
/// It is the only way for something that is not `Sendable` to be referred to from elsewhere: the box travels, the value
/// stays.
///
/// **Ownership:** the value is released on the loop, wherever the last reference to the box is dropped; after the loop's
/// end it is released where that happens. **Thread:** the box anywhere, `value` on its loop only.
public final class LoopBound<Value>: @unchecked Sendable {
    /// The loop that the value belongs to.
    public let loop: EventLoop
    // Optional only so that deinit can hand it over.
    private var stored: Value?

    /// Boxes a value that was made on the loop; to be called there.
    public init(_ value: Value, loop: EventLoop) {
        loop.preconditionCurrent()
        self.loop = loop
        stored = value
    }

    /// Boxes a value that the calling thread gives away for good.
    public init(sending value: sending Value, loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    deinit {
        guard !loop.isCurrent else { return }
        nonisolated(unsafe) let value = stored
        stored = nil
        // Unsafe in name only: this was the last reference to the box.
        loop.execute { withExtendedLifetime(value) {} }
    }

    /// The value; to be touched on its loop only.
    public var value: Value {
        get {
            loop.preconditionCurrent()
            guard let stored else { preconditionFailure("read from its own deinit") }
            return stored
        }
        set {
            loop.preconditionCurrent()
            stored = newValue
        }
    }
}
