import Wire

/// Watches how soon after the handshake a client ends.
///
/// A client that looks at its pins when the handshake is over, and then closes, does so at once. One that closes a
/// connection which it turned out not to need does so later, or when something else has happened: another connection was
/// opened, or came to its end. So silence counts only if it comes at once and nothing else came between.
struct DepartureWatch: Sendable {
    /// How long a client may take to look at its pins, in nanoseconds; it includes the way from and to the client.
    ///
    /// A phone that is busy may take a second or two; clients' own time limits begin at five.
    static let limit: UInt64 = 3_000_000_000

    private var shown: (time: UInt64, activity: UInt64)?
    private var isEnded = false
    /// Whether the client, if it has ended, did so at once.
    private(set) var isPrompt = true

    /// Takes the connection's next event into account.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - activity: How often anything happened in the run so far that may make a client end a connection.
    mutating func add(_ event: Event, activity: UInt64) {
        switch event.kind {
        case .message(.client, .sent, let bytes, _) where bytes.first == HandshakeType.certificate:
            shown = (event.monotonic, activity)
        case .secured(.client, _): shown = (event.monotonic, activity)
        case .ended(.client, _, _), .closed:
            guard !isEnded else { return }
            isEnded = true
            guard let shown else { return }
            isPrompt = activity == shown.activity && event.monotonic &- shown.time <= Self.limit
        default: break
        }
    }
}
