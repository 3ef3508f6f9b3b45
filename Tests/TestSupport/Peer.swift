package import Crypto
package import Reactor
package import Transcript
package import Wire

/// What a peer has seen so far.
package struct PeerView: Sendable, CustomStringConvertible {
    /// The bytes in the clear, unless the peer only counts them.
    package internal(set) var received: [UInt8] = []
    /// How many bytes there were in the clear.
    package internal(set) var count = 0
    /// How many raw bytes came, and how many the kernel took.
    package internal(set) var wire = (received: 0, sent: 0)
    /// Whether everything that was to be sent is with the kernel.
    package internal(set) var isSent = true
    /// Whether the handshake is complete.
    package internal(set) var isSecured = false
    /// What the handshake agreed on.
    package internal(set) var facts: TLSFacts?
    /// The chain that the other end showed.
    package internal(set) var chain: [Certificate] = []
    /// The other end's alerts, by number; 0 is close_notify.
    package internal(set) var alerts: [UInt8] = []
    /// How the other end's TCP stream ended.
    package internal(set) var end: End?
    /// What the other end asked for when it asked for a certificate.
    package internal(set) var requests: [IdentityRequest] = []
    /// What broke the TLS session on this side.
    package internal(set) var failure: TLSFailure?

    /// The received bytes as text.
    package var text: String { String(decoding: received, as: UTF8.self) }
    /// Whether the other end said that it sends no more.
    package var sawCloseNotify: Bool { alerts.contains(0) }

    package var description: String {
        "\(count) bytes in the clear, wire \(wire), secured \(isSecured), alerts \(alerts), "
            + "end \(end.map { "\($0)" } ?? "none"), failure \(failure.map { "\($0)" } ?? "none"), "
            + "\"\(String(decoding: received.prefix(200), as: UTF8.self))\""
    }
}

/// One end of a TCP connection that does what a test says: an app under test, a client of the origin, or an origin.
///
/// It is made of a bare stream and a bare TLS session, so that what the engine does with both is seen from outside.
package final class Peer: Sendable {
    private let end: LoopBound<PeerEnd>
    private let view: Watched<PeerView>

    private init(_ end: LoopBound<PeerEnd>, _ view: Watched<PeerView>) {
        self.end = end
        self.view = view
    }

    /// Takes over an accepted or connected socket; to be called on the loop.
    package static func on(_ loop: EventLoop, socket: consuming Socket) -> Peer {
        let view = Watched(PeerView())
        let end = PeerEnd(SocketStream(loop: loop, socket: socket), on: loop, view)
        return Peer(LoopBound(end, loop: loop), view)
    }

    /// What it has seen so far.
    package var seen: PeerView { view.current }

    /// Waits for something to be seen.
    @discardableResult
    package func wait(
        _ what: String, within limit: Duration = patience, until condition: @escaping @Sendable (PeerView) -> Bool
    ) async throws -> PeerView {
        try await view.first(what, within: limit) { condition($0) ? $0 : nil }
    }

    // MARK: Sending

    /// Sends bytes, inside TLS once there is a session.
    package func send(_ bytes: [UInt8]) async throws { try await perform { $0.send(bytes) } }

    /// Sends text.
    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes below TLS.
    package func send(raw bytes: [UInt8]) async throws { try await perform { $0.send(raw: bytes) } }

    /// Sends close_notify.
    package func sendCloseNotify() async throws { try await perform { $0.sendCloseNotify() } }

    /// Sends FIN after everything else.
    package func sendFIN() async throws { try await perform { $0.sendFIN() } }

    /// Waits until the other end's kernel has everything that was sent: a RST before would destroy the rest.
    package func delivered() async throws {
        try await wait("everything to be sent") { $0.isSent }
        try await repeatedly(until: "the kernel has delivered everything") {
            try await perform { $0.stream.unsentBytes == 0 }
        }
    }

    /// The address of the other end.
    package func remoteAddress() async throws -> String {
        try await perform { $0.stream.peerAddress?.description ?? "none" }
    }

    /// Closes the socket with a RST.
    package func reset() async throws { try await perform { $0.stream.reset() } }

    /// Closes the socket: a FIN, or a RST if bytes came that were not read.
    package func close() async throws { try await perform { $0.stream.close() } }

    /// Does something with the TLS session, then sends what came of it.
    package func withSession(_ body: @escaping @Sendable (TLSSession) -> Void) async throws {
        try await perform { $0.withSession(body) }
    }

    /// Has the session take what was put into its `inbound` queue, as if it had come from the network.
    package func provoke() async throws { try await perform { $0.digest() } }

    // MARK: Receiving

    /// Waits for so many bytes in the clear, or more, and takes all of them.
    package func receive(_ count: Int) async throws -> [UInt8] {
        try await wait("\(count) bytes") { $0.received.count >= count }
        return take()
    }

    /// Waits for a text, and takes everything up to and with it.
    package func receive(through text: String) async throws -> String {
        let octets = Array(text.utf8)
        try await wait("the text \(text.debugDescription)") { $0.received.firstRange(of: octets) != nil }
        return view.update { view in
            guard let range = view.received.firstRange(of: octets) else { return "" }
            let found = String(decoding: view.received[..<range.upperBound], as: UTF8.self)
            view.received.removeSubrange(..<range.upperBound)
            return found
        }
    }

    /// Takes what has come.
    @discardableResult
    package func take() -> [UInt8] {
        view.update { view in
            defer { view.received = [] }
            return view.received
        }
    }

    /// Waits until the TCP stream has ended, and says how.
    @discardableResult
    package func ended(within limit: Duration = patience) async throws -> End {
        try await view.first("the end of the stream", within: limit) { $0.end }
    }

    /// Whether it reads at all; on at first.
    package func setReading(_ isOn: Bool) async throws { try await perform { $0.setReading(isOn) } }

    /// Reads at most so many bytes, whether it reads otherwise or not.
    package func readOnce(_ count: Int) async throws { try await perform { $0.read(count) } }

    /// Repeats something on the loop, whatever else the test does, until the peer is let go of or told something else.
    package func keep(every milliseconds: Int, _ action: @escaping @Sendable (any PeerActions) -> Void) async throws {
        try await perform { $0.keep(every: milliseconds, action) }
    }

    /// Stops repeating.
    package func rest() async throws { try await perform { $0.rest() } }

    /// Has it count bytes from now on and forget them.
    package func countOnly() async throws {
        try await perform { $0.keepsBytes = false }
        view.update { ($0.received, $0.count) = ([], 0) }
    }

    // MARK: TLS

    /// Begins a handshake as a client.
    package func beginTLS(
        to host: HostName, _ context: TLSContext, verify: TLSSession.Verification = .trustAndName, alpn: [String] = [],
        identity: TLSIdentity? = nil
    ) async throws {
        nonisolated(unsafe) let verify = verify
        try await perform {
            $0.begin(
                try .connecting(context, to: host, verify: verify, alpn: alpn.map { Array($0.utf8) }),
                presenting: identity)
        }
    }

    /// Begins a handshake as a server.
    package func beginTLS(
        _ context: TLSContext, identity: TLSIdentity, authentication: ClientAuthentication? = nil, alpn: String? = nil
    ) async throws {
        nonisolated(unsafe) let authentication = authentication
        try await perform {
            $0.begin(
                try .accepting(
                    context, identity: identity, authentication: authentication, alpn: alpn.map { Array($0.utf8) }))
        }
    }

    /// Waits until the handshake is over.
    ///
    /// - Returns: What it led to: complete, broken, or ended by the other side.
    @discardableResult
    package func handshakeOver() async throws -> PeerView {
        try await wait("the end of the handshake") { $0.isSecured || $0.failure != nil || $0.end != nil }
    }

    /// Waits until the handshake is complete.
    package func secured() async throws {
        let view = try await handshakeOver()
        guard view.isSecured else { throw Unfulfilled("the handshake did not complete: \(view)") }
    }

    /// Lets so many milliseconds pass on the loop, in which everything that is ready there is served.
    package func turns(_ milliseconds: Int) async throws { try await end.loop.turns(milliseconds) }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PeerEnd) throws -> Value
    ) async throws -> Value {
        let end = end
        return try await end.loop.perform { try body(end.value) }
    }
}
