internal import COpenSSL

/// What a certificate is to say: sound as `authority` and `server` make it, or faulty in any way a test asks for.
///
/// Nothing is checked here beyond what OpenSSL refuses to encode.
package struct CertificateTemplate: Sendable {
    /// The subject; may be empty.
    package var subject: DistinguishedName
    /// The subject alternative names; the extension is left out if there are none.
    package var alternativeNames: [AlternativeName] = []
    /// The first second of validity, in seconds since 1970.
    package var notBefore: Int64
    /// The last second of validity, in seconds since 1970.
    package var notAfter: Int64
    /// The serial number's magnitude, most significant octet first; nil for 16 random octets.
    package var serial: [UInt8]?
    /// The basicConstraints extension; nil leaves it out.
    package var basicConstraints: BasicConstraints?
    /// The keyUsage extension; nil leaves it out.
    package var keyUsage: KeyUsage?
    /// The extendedKeyUsage extension; empty leaves it out.
    package var purposes: [Purpose] = []
    /// The nameConstraints extension, which is for CAs; nil leaves it out.
    package var nameConstraints: NameConstraints?
    /// Whether there is a subject key identifier.
    package var hasSubjectKeyIdentifier = true
    /// Whether there is an authority key identifier.
    package var hasAuthorityKeyIdentifier = true
    /// Further extensions as they stand.
    package var otherExtensions: [RawExtension] = []
    /// The digest that is signed.
    package var digest = SignatureDigest.sha256

    /// Makes a template without extensions except the key identifiers.
    package init(subject: DistinguishedName, notBefore: Int64, notAfter: Int64) {
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// A sound CA (RFC 5280, 4.2.1.3 and 4.2.1.9).
    package static func authority(
        subject: DistinguishedName, notBefore: Int64, notAfter: Int64, pathLength: Int? = nil
    ) -> CertificateTemplate {
        var template = CertificateTemplate(subject: subject, notBefore: notBefore, notAfter: notAfter)
        template.basicConstraints = BasicConstraints(isAuthority: true, pathLength: pathLength)
        template.keyUsage = [.keyCertSign, .cRLSign]
        return template
    }

    /// A sound leaf of a TLS server with an elliptic-curve key.
    ///
    /// The common name is the first name if that fits into it (64 characters); names that matter are the alternative names.
    package static func server(
        names: [AlternativeName], notBefore: Int64, notAfter: Int64
    ) -> CertificateTemplate {
        let common = names.first.map(\.text).flatMap { $0.unicodeScalars.count <= 64 ? $0 : nil }
        var template = CertificateTemplate(
            subject: DistinguishedName(commonName: common), notBefore: notBefore, notAfter: notAfter)
        template.alternativeNames = names
        template.basicConstraints = BasicConstraints(isAuthority: false, pathLength: nil)
        template.keyUsage = .digitalSignature
        template.purposes = [.serverAuth]
        return template
    }

    /// A sound leaf of a TLS client.
    package static func client(
        subject: DistinguishedName, names: [AlternativeName], notBefore: Int64, notAfter: Int64
    ) -> CertificateTemplate {
        var template = CertificateTemplate(subject: subject, notBefore: notBefore, notAfter: notAfter)
        template.alternativeNames = names
        template.basicConstraints = BasicConstraints(isAuthority: false)
        template.keyUsage = .digitalSignature
        template.purposes = [.clientAuth]
        return template
    }
}

extension CertificateTemplate {
    /// The basicConstraints extension; always critical.
    package struct BasicConstraints: Hashable, Sendable {
        /// Whether the subject may issue certificates.
        package var isAuthority: Bool
        /// How many more CAs may follow below.
        package var pathLength: Int?

        /// Joins the two.
        package init(isAuthority: Bool, pathLength: Int? = nil) {
            self.isAuthority = isAuthority
            self.pathLength = pathLength
        }
    }

    /// A purpose in the extendedKeyUsage extension, by OpenSSL's short name.
    package enum Purpose: String, Sendable {
        /// A TLS server.
        case serverAuth
        /// A TLS client.
        case clientAuth
        /// Signed programs.
        case codeSigning
        /// Anything.
        case any = "anyExtendedKeyUsage"
    }

    /// An extension as it stands.
    package struct RawExtension: Hashable, Sendable {
        /// The object identifier in dotted decimal.
        package var identifier: String
        /// Whether who does not know it must refuse the certificate.
        package var isCritical: Bool
        /// The DER of its value.
        package var value: [UInt8]

        /// Joins the three.
        package init(identifier: String, isCritical: Bool, value: [UInt8]) {
            self.identifier = identifier
            self.isCritical = isCritical
            self.value = value
        }
    }

    /// A digest to sign.
    package enum SignatureDigest: Sendable {
        /// What everything accepts.
        case sha256
        /// What nothing should accept any more.
        case sha1
    }
}
