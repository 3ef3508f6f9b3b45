/// How much is taken from a client before TLS begins, in octets.
public struct SizeLimits: Sendable {
    /// The head of its request to the proxy.
    public var greeting = 65_536
    /// Its ClientHello, the headers of its records included: so many that one who stalls there costs 64 KiB at most.
    public var hello = 56 * 1024

    /// The defaults.
    public init() {}
}
