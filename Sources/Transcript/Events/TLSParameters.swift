/// By what an origin's certificate was accepted.
public enum OriginProof: String, Sendable, Equatable, CaseIterable {
    /// A chain to a trusted certificate, its time, and the name.
    case trust
    /// The certificate or key that was pinned for the host, and nothing else.
    case pin
    /// Nothing: whoever answers is taken.
    case nothing
    /// It was not: it is faulty, and the leaf for the client was given the same faults.
    case mirrored
}

/// What a handshake agreed on.
public struct TLSParameters: Sendable, Equatable {
    /// The protocol version as on the wire (0x0303 TLS 1.2, 0x0304 TLS 1.3).
    public var version: UInt16
    /// The cipher suite as on the wire.
    public var cipherSuite: UInt16
    /// The suite's standard name.
    public var cipherSuiteName: String
    /// The key exchange group, in OpenSSL's short name; nil where there is none.
    public var group: String?
    /// The application protocol, if one was agreed.
    public var alpn: String?
    /// The server name that was asked for, if any.
    public var serverName: String?
    /// Whether a session was resumed, so that no certificate was shown.
    public var resumed: Bool
    /// By what the origin's certificate was accepted; nil on the client side.
    public var proof: OriginProof?

    /// Joins the parameters.
    public init(
        version: UInt16, cipherSuite: UInt16, cipherSuiteName: String, group: String?, alpn: String?,
        serverName: String?, resumed: Bool, proof: OriginProof? = nil
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.cipherSuiteName = cipherSuiteName
        self.group = group
        self.alpn = alpn
        self.serverName = serverName
        self.resumed = resumed
        self.proof = proof
    }
}
