internal import Transcript
internal import Wire

/// Which directions of a relay have ended, and what that means for the other side.
///
/// Each end is passed on as it was: a close_notify as a close_notify, a FIN as a FIN (half-close), and an unclean end as
/// an unclean one, after everything received has been delivered.
struct RelayState {
    private struct Direction {
        var ends: [End] = []
        /// How often our own direction towards this side was asked to end, and did.
        var asked = 0
        var done = 0
    }

    /// Whom the client thinks it talks to, and in which protocol it could be answered; nil if no page of ours would reach
    /// it.
    let host: HostName?
    let answering: PageProtocol?
    private var client = Direction()
    private var origin = Direction()

    /// What an end calls for.
    enum Consequence {
        /// End our direction towards the other side in this way, and go on with the opposite direction.
        case passOn(End)
        /// Nothing more can flow: flush the other side and end it in this way.
        case breakOff(End)
        /// Nothing new.
        case nothing
    }

    init(host: HostName? = nil, answering: PageProtocol? = nil) {
        self.host = host
        self.answering = answering
    }

    /// Whether any peer has ended.
    var anyEnd: Bool { !client.ends.isEmpty || !origin.ends.isEmpty }

    /// Whether the peer of this side will send nothing more.
    func hasEnded(_ side: Side) -> Bool { self[side].ends.contains(.fin) }

    /// Takes in how a peer ended.
    mutating func ended(_ side: Side, _ end: End) -> Consequence {
        guard !self[side].ends.contains(end) else { return .nothing }
        self[side].ends.append(end)
        switch end {
        case .closeNotify, .fin:
            self[side.opposite].asked += 1
            return .passOn(end)
        case .alert:
            // An alert belongs to the session in which it was sent. What it means for the other one is a stream that
            // stops without a close_notify.
            return .breakOff(.fin)
        case .reset, .timeout, .error, .proxy:
            return .breakOff(.reset)
        }
    }

    /// Takes in that one end that was passed on to this side is flushed.
    mutating func finished(_ side: Side) {
        self[side].done += 1
    }

    /// Whether both directions have ended and all of it is delivered.
    var isOver: Bool {
        !client.ends.isEmpty && !origin.ends.isEmpty && client.done >= client.asked && origin.done >= origin.asked
    }

    private subscript(side: Side) -> Direction {
        get { side == .client ? client : origin }
        set {
            switch side {
            case .client: client = newValue
            case .origin: origin = newValue
            }
        }
    }
}
