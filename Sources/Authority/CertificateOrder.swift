public import Crypto
internal import Wire

/// What `CertificateAuthority.issue(_:now:)` is asked to make for a test set-up.
public struct CertificateOrder: Sendable {
    /// Whom the certificate is for.
    public enum Subject: Hashable, Sendable {
        /// A root of its own that signs others.
        case root
        /// A TLS server with these names; not empty.
        case server([ServerName])
        /// A TLS client of this name: a mailbox, a host or any text.
        case client(String)
    }

    /// Whom the certificate is for.
    public var subject: Subject
    /// The distinguished name; nil for the usual one.
    ///
    /// Servers and clients get a common name if it has none.
    public var name: DistinguishedName?
    /// How long it lives from now on; nil for what is usual.
    public var days: Int?
    /// The kind of its key.
    public var key: KeyKind

    /// Joins the four.
    public init(_ subject: Subject, name: DistinguishedName? = nil, days: Int? = nil, key: KeyKind = .p256) {
        self.subject = subject
        self.name = name
        self.days = days
        self.key = key
    }

    /// How long leaves live from now on if nothing else is said: with the back-dating the 397 days that clients accept.
    public static let usualDays = 395
    /// How long roots live from now on if nothing else is said.
    public static let usualRootDays = 3650
    /// How long a certificate may live.
    public static let days = 1...3650
    /// The sizes that RSA keys may have.
    public static let rsaBits = 2048...8192
}

/// A name of a server as its certificate has it: a host, or all names directly below one.
public struct ServerName: Hashable, Sendable {
    /// The name as a subject alternative name.
    let alternativeName: AlternativeName

    /// Reads "api.example.com", an address, or "*.example.com".
    ///
    /// A wildcard stands for the whole first label, above a name of at least two: no client accepts another (RFC 6125,
    /// 6.4.3).
    public init?(_ text: String) {
        if text.hasPrefix("*.") {
            guard let parent = HostName(String(text.dropFirst(2))), case .dns(let name) = parent.kind,
                name.contains(".")
            else { return nil }
            alternativeName = .dns("*." + name)
        } else {
            guard let host = HostName(text) else { return nil }
            alternativeName = AlternativeName(host)
        }
    }

    /// The name as text.
    public var text: String { alternativeName.text }
}

extension CertificateOrder {
    /// What the certificate says.
    ///
    /// - Throws: `AuthorityError` if a value is out of its range.
    func template(validity: ClosedRange<Int64>) throws -> CertificateTemplate {
        switch subject {
        case .root:
            return .authority(
                subject: name ?? CertificateAuthority.testSubject("Pinproof"), notBefore: validity.lowerBound,
                notAfter: validity.upperBound)
        case .server(let names):
            var template = CertificateTemplate.server(
                names: names.map(\.alternativeName), notBefore: validity.lowerBound, notAfter: validity.upperBound)
            if let name {
                let common = template.subject.commonName
                template.subject = name.commonName == nil ? common.map(name.adding) ?? name : name
            }
            // TLS 1.2 suites without forward secrecy transport their secret under an RSA key (RFC 5246, 7.4.2).
            if case .rsa = key { template.keyUsage = [.digitalSignature, .keyEncipherment] }
            return template
        case .client(let text):
            return .client(
                subject: try clientSubject(text), names: Self.alternativeNames(ofClient: text),
                notBefore: validity.lowerBound, notAfter: validity.upperBound)
        }
    }

    private func clientSubject(_ text: String) throws -> DistinguishedName {
        if let name, name.commonName != nil { return name }
        guard (1...64).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw AuthorityError(
                .badRequest, "\"\(text)\" is no common name, which has 1 to 64 characters that can be seen",
                hint: "choose a shorter one, or give a --subject with a CN")
        }
        return name?.adding(commonName: text) ?? DistinguishedName(commonName: text)
    }

    /// What a client's name is besides a common name: a mailbox, a URI, an address or a host with a dot in it.
    private static func alternativeNames(ofClient text: String) -> [AlternativeName] {
        guard text.allSatisfy(\.isASCII), !text.contains(" ") else { return [] }
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        if halves.count == 2, !halves[0].isEmpty, let domain = HostName(String(halves[1])), !domain.isAddress {
            return [.email(text)]
        }
        if let scheme = text.firstRange(of: "://"), scheme.lowerBound > text.startIndex { return [.uri(text)] }
        guard let host = HostName(text), host.isAddress || host.text.contains(".") else { return [] }
        return [AlternativeName(host)]
    }
}
