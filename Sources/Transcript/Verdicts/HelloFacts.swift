import Wire

/// What verdicts and findings need to know of a hello.
struct HelloFacts: Sendable, Equatable {
    /// The highest protocol version that is offered.
    let highestVersion: UInt16
    /// Whether application protocols are offered.
    let offersProtocols: Bool
    /// The length of the message, once it is known.
    var length: UInt64?

    init(_ hello: ClientHello) {
        // RFC 8446 section 4.2.1: with supported_versions the field of the hello itself says nothing.
        let offered = hello.supportedVersions.filter { !ClientHello.isGREASE($0) }
        highestVersion = offered.max() ?? hello.legacyVersion
        offersProtocols = !(hello.alpn ?? []).isEmpty
    }
}

/// What a tunnel carried: all that is known of the TLS in it.
struct TunnelTraffic: Sendable, Equatable {
    let clientBytes: UInt64
    let originBytes: UInt64
    /// Whether the client spoke, and the origin after it.
    let isAnswered: Bool
    /// Whether the proxy ended it, so that what more there might have been is not known.
    let isCut: Bool
}
