import Transcript

/// One step of a ladder diagram: an arrow or a remark, with facts below it.
struct LadderStep: Sendable, Equatable {
    /// Between whom it is.
    enum Span: Sendable, Equatable {
        /// The client and the proxy.
        case client
        /// The proxy and the origin.
        case origin
        /// The client and the origin, through the proxy.
        case both
    }

    /// What is drawn.
    enum Figure: Sendable, Equatable {
        /// An arrow towards the origin.
        case right
        /// An arrow towards the client.
        case left
        /// No arrow.
        case remark
    }

    /// When it was: nanoseconds on the clock of the run.
    var time: UInt64
    /// Between whom it is.
    var span: Span
    /// What is drawn.
    var figure: Figure
    /// What stands on the arrow, or the remark.
    var label: String
    /// What stands below it.
    var facts: [String] = []
    /// Whether it is encrypted on the wire.
    var isEncrypted = false
    /// What it means.
    var style: Style = .plain
    /// The message, if it is one.
    var message: [UInt8]?
}

extension LadderStep.Span {
    /// The span of a session.
    init(_ side: Side) { self = side == .client ? .client : .origin }
}

extension LadderStep.Figure {
    /// The arrow of something that was sent or received by the proxy in a session.
    init(_ side: Side, _ direction: Direction) {
        switch (side, direction) {
        case (.client, .received), (.origin, .sent): self = .right
        case (.client, .sent), (.origin, .received): self = .left
        }
    }
}
