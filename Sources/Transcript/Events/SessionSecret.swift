/// A secret of a TLS session, in the parts of a line of a key log (the SSLKEYLOGFILE format, RFC 9850).
public struct SessionSecret: Sendable, Equatable {
    /// What it is for, such as "CLIENT_HANDSHAKE_TRAFFIC_SECRET".
    public var label: String
    /// The random of the ClientHello, which names the session.
    public var clientRandom: [UInt8]
    /// The secret.
    public var secret: [UInt8]

    /// Joins a secret with what it is for.
    public init(label: String, clientRandom: [UInt8], secret: [UInt8]) {
        self.label = label
        self.clientRandom = clientRandom
        self.secret = secret
    }

    /// Whether it opens messages of the handshake only, and no application data (RFC 8446 section 7.1).
    ///
    /// The master secret of TLS 1.2 opens both.
    public var opensHandshakeOnly: Bool { Self.handshakeLabels.contains(label) }

    private static let handshakeLabels: Set<String> = [
        "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET",
    ]
}
