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
    private let box: LoopBox<Value>

    /// Boxes a value that was made on the loop; to be called there.
    public init(_ value: Value, loop: EventLoop) {
        loop.preconditionCurrent()
        self.loop = loop
        box = LoopBox(value)
    }

    /// Boxes a value that the calling thread gives away for good.
    public init(sending value: sending Value, loop: EventLoop) {
        self.loop = loop
        box = LoopBox(value)
    }

    deinit {
        if !loop.isCurrent { loop.release(box) }
    }

    /// The value; to be touched on its loop only.
    public var value: Value {
        get {
            loop.preconditionCurrent()
            guard let value = box.value else { preconditionFailure("emptied by deinit only") }
            return value
        }
        set {
            loop.preconditionCurrent()
            box.value = newValue
        }
    }
}

// Sendable: only `LoopBound` has it, which checks every access, and the loop, which empties it.
/// Where a `LoopBound` keeps its value, so that the loop can release the value alone.
final class LoopBox<Value>: @unchecked Sendable {
    var value: Value?

    init(_ value: Value) { self.value = value }
}
