public import Crypto
public import Wire

/// What determines a forged leaf.
public struct LeafRequest: Hashable, Sendable {
    /// The one name that the leaf is for.
    public var host: HostName
    /// The kind of key it has.
    public var key: KeyKind

    /// Asks for a leaf for `host`.
    public init(host: HostName, key: KeyKind = .p256) {
        self.host = host
        self.key = key
    }
}

extension LeafRequest {
    /// What the leaf says: the exact host and nothing else, never a wildcard.
    func template(validity: ClosedRange<Int64>) -> CertificateTemplate {
        let name =
            switch host.kind {
            case .dns(let text): AlternativeName.dns(text)
            case .ipv4(let octets), .ipv6(let octets): AlternativeName.address(octets)
            }
        var template = CertificateTemplate.server(
            names: [name], notBefore: validity.lowerBound, notAfter: validity.upperBound)
        // TLS 1.2 suites without forward secrecy transport their secret under an RSA key (RFC 5246, 7.4.2).
        if case .rsa = key { template.keyUsage = [.digitalSignature, .keyEncipherment] }
        return template
    }
}
