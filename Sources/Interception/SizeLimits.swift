/// How much is taken from a client before TLS begins, in octets.
public struct SizeLimits: Sendable {
    /// The head of its request to the proxy.
    public var greeting = 65_536
    /// Its ClientHello, the headers of its records included.
    public var hello = 65_536

    /// The defaults.
    public init() {}
}
