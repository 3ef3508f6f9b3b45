import Wire

/// An open connection on its way into a capture: the conversations of both sides.
struct PcapngConnection: Sendable {
    /// How many ends of conversations stand in for addresses that are not recorded.
    private(set) var standIns = 0
    /// All conversations that were begun.
    var conversations: [RecordedConversation] { [client, origin, formerOrigin].compactMap { $0 } }
    /// Whether there are any.
    var isConversing: Bool { client != nil }

    private let number: UInt64
    private let opened: (client: PacketAddress?, listener: PacketAddress?, time: Int64)
    private var target: (endpoint: Endpoint, connect: [UInt8]?, time: Int64)?
    private var client: RecordedConversation?
    private var origin: RecordedConversation?
    /// The conversation with the origin that went before, if a second was needed.
    private var formerOrigin: RecordedConversation?
    private var verdict: String?

    /// A connection that was accepted.
    init(_ number: UInt64, client: String, listener: String, at time: Int64) {
        self.number = number
        opened = (PacketAddress(client), PacketAddress(listener), time)
    }

    /// Takes the next event into account.
    mutating func add(_ event: Event, into output: inout [UInt8]) {
        switch event.kind {
        case .requested(let method, let target, let endpoint?):
            self.target = (endpoint, method == "CONNECT" ? Self.request(target) : nil, event.wall)
        case .decided(.intercept, _), .decided(.answer, _):
            if client == nil { openClient(into: &output) }
        case .connected(let peer, _, let local):
            client?.noteAnswer(at: event.wall)
            if client != nil { openOrigin(peer, local: local, at: event.wall, into: &output) }
        case .withheldHTTP2(let end?, _):
            origin?.note(end, at: event.wall)
        case .wire(let side, let direction, let octets):
            change(side) { $0?.shake(octets, direction, at: event.wall, into: &output) }
        case .traffic(let side, let direction, let offset, let octets):
            change(side) { $0?.relay(octets, direction, offset: offset, at: event.wall, into: &output) }
        case .secured(let side, _):
            change(side) { $0?.secure(into: &output) }
        case .ended(let side, let end, _):
            change(side) { $0?.note(end, at: event.wall) }
        case .verdict(let verdict):
            self.verdict = verdict.text.clipped.withoutControls
        default:
            break
        }
    }

    /// Ends both conversations.
    mutating func close(at time: Int64, into output: inout [UInt8]) {
        origin?.close(at: time, comment: nil, into: &output)
        client?.close(at: time, comment: verdict.map { "connection \(number): \($0)" }, into: &output)
    }

    /// Writes what waits for the rest of a handshake that will not come.
    mutating func release(into output: inout [UInt8]) {
        origin?.release(into: &output)
        client?.release(into: &output)
    }

    // MARK: Conversations

    private mutating func openClient(into output: inout [UInt8]) {
        let size = (opened.client ?? opened.listener)?.octets.count ?? 4
        let peer = opened.client ?? standIn(size: size, attempt: 1)
        let proxy = matching(opened.listener, peer) ?? standIn(size: size, attempt: 2)
        let begun = RecordedConversation(
            .client, TCPConversation(peer: peer, proxy: proxy, seed: seed(0)), at: opened.time,
            comment: comment(.client), into: &output)
        client = begun
        if let target, let connect = target.connect {
            client?.ask(connect, at: target.time, answer: Self.answer, into: &output)
        }
    }

    private mutating func openOrigin(_ peer: String, local: String?, at time: Int64, into output: inout [UInt8]) {
        // Only one that was ended makes room for another.
        origin?.close(at: time, comment: nil, into: &output)
        let attempt = origin == nil ? 0 : 1
        formerOrigin = formerOrigin ?? origin
        let ours = local.flatMap { PacketAddress($0) }
        let size = (PacketAddress(peer) ?? ours)?.octets.count ?? 4
        let peer = PacketAddress(peer) ?? standIn(size: size, attempt: 3)
        let proxy = matching(ours, peer) ?? standIn(size: size, attempt: 4 + attempt)
        origin = RecordedConversation(
            .origin, TCPConversation(peer: peer, proxy: proxy, seed: seed(1 + UInt64(attempt))), at: time,
            comment: comment(.origin), into: &output)
    }

    /// An address, if it can be in one packet with another.
    private func matching(_ address: PacketAddress?, _ other: PacketAddress) -> PacketAddress? {
        address?.octets.count == other.octets.count ? address : nil
    }

    private mutating func standIn(size: Int, attempt: Int) -> PacketAddress {
        standIns += 1
        return .standIn(connection: number, attempt: attempt, size: size)
    }

    /// What the numbers of a conversation begin with; those of others with the same ports differ.
    private func seed(_ conversation: UInt64) -> UInt32 {
        // Knuth's multiplier spreads what follows closely (The Art of Computer Programming, 6.4).
        UInt32(truncatingIfNeeded: (number &* 4 &+ conversation) &* 2_654_435_761)
    }

    private func comment(_ side: Side) -> String {
        "connection \(number), \(side.rawValue) side" + (target.map { ": \($0.endpoint)" } ?? "")
    }

    /// Changes a conversation where it is: what is held of a handshake is not copied for each of its runs.
    private mutating func change(_ side: Side, _ body: (inout RecordedConversation?) -> Void) {
        switch side {
        case .client: body(&client)
        case .origin: body(&origin)
        }
    }

    // MARK: The request for the session

    /// The line of a CONNECT request, without the fields that followed: they are not recorded; nil if it is none.
    private static func request(_ target: String) -> [UInt8]? {
        guard (1...1024).contains(target.utf8.count), target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return Array("CONNECT \(target) HTTP/1.1\r\n\r\n".utf8)
    }

    /// What the proxy says to a request that it grants.
    private static let answer = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
}

extension String {
    /// The text with U+FFFD in the place of control characters: a comment is one line.
    fileprivate var withoutControls: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return text
    }
}
