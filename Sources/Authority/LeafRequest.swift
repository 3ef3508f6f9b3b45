public import Crypto
public import Wire

/// What determines a forged leaf.
public struct LeafRequest: Hashable, Sendable {
    /// The one name that the leaf is for.
    public var host: HostName
    /// The kind of key it has.
    public var key: KeyKind
    /// The origin's faults that it has too; nil for a sound leaf.
    public var mirror: FaultMirror?

    /// Asks for a leaf for `host`.
    public init(host: HostName, key: KeyKind = .p256, mirror: FaultMirror? = nil) {
        self.host = host
        self.key = key
        self.mirror = mirror
    }
}

extension LeafRequest {
    /// What the leaf says: the exact host and nothing else, never a wildcard; or what the origin's says where that is wrong.
    func template(validity: ClosedRange<Int64>) -> CertificateTemplate {
        let dates =
            mirror?.validity ?? .init(notBefore: validity.lowerBound, notAfter: validity.upperBound)
        var template = CertificateTemplate.server(names: names, notBefore: dates.notBefore, notAfter: dates.notAfter)
        if case .common(let name) = mirror?.names { template.subject = DistinguishedName(commonName: name) }
        // An issuer has a name (RFC 5280, 4.1.2.4), and this one is its own.
        if mirror?.signer == .itself, template.subject.isEmpty { template.subject = [("O", "Pinproof TEST ONLY")] }
        // TLS 1.2 suites without forward secrecy transport their secret under an RSA key (RFC 5246, 7.4.2).
        if case .rsa = key { template.keyUsage = [.digitalSignature, .keyEncipherment] }
        return template
    }

    private var names: [AlternativeName] {
        switch mirror?.names {
        case .alternative(let names): names
        case .common: []
        case nil: hostNames
        }
    }

    /// An IPv4 address is named as an IPv4-mapped IPv6 address too (RFC 4291, 2.5.5.2): a client that was given that form
    /// compares 16 octets, and 4 do not match them.
    private var hostNames: [AlternativeName] {
        guard case .ipv4(let octets) = host.kind else { return [AlternativeName(host)] }
        return [AlternativeName(host), .address([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + octets)]
    }
}

extension AlternativeName {
    /// A host as a certificate names it: an address as its octets, never as text.
    init(_ host: HostName) {
        switch host.kind {
        case .dns(let text): self = .dns(text)
        case .ipv4(let octets), .ipv6(let octets): self = .address(octets)
        }
    }
}
