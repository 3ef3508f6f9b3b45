/// A client's hello (RFC 8446 section 4.1.2), as it was sent.
public struct ClientHello: Sendable, Equatable {
    /// One extension, undecoded.
    public struct Extension: Sendable, Equatable {
        /// The extension's number.
        public let type: UInt16
        /// Its body.
        public let body: [UInt8]
    }

    /// The version field of the hello itself (0x0303 for TLS 1.2 and 1.3).
    public let legacyVersion: UInt16
    /// The 32 random octets.
    public let random: [UInt8]
    /// The session identifier, at most 32 octets.
    public let sessionID: [UInt8]
    /// The cipher suites in the client's order, GREASE included.
    public let cipherSuites: [UInt16]
    /// The compression methods.
    public let compressionMethods: [UInt8]
    /// The extensions in the client's order, GREASE included.
    public let extensions: [Extension]
}
