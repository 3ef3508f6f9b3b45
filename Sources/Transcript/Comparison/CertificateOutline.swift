/// What of a certificate is shown and compared.
///
/// Parsing DER is injected, so that this module needs no cryptography.
public struct CertificateOutline: Sendable, Equatable {
    /// The SHA-256 of the DER in hexadecimal, as events name it.
    public var digest: String
    /// The subject, in the style of RFC 2253.
    public var subject: String
    /// The issuer, in the same style.
    public var issuer: String
    /// The subject's alternative names, such as "DNS:api.example.com".
    public var names: [String]
    /// The kind of its key, such as "EC P-256".
    public var key: String
    /// The first second in which it is valid, counted from 1970-01-01 UTC.
    public var notBefore: Int64
    /// The last one.
    public var notAfter: Int64
    /// Whether it is signed with its own key, as far as its fields tell.
    public var isSelfSigned: Bool

    /// Joins what is known of a certificate.
    public init(
        digest: String, subject: String, issuer: String, names: [String], key: String, notBefore: Int64,
        notAfter: Int64, isSelfSigned: Bool
    ) {
        self.digest = digest
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.key = key
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.isSelfSigned = isSelfSigned
    }

    /// The days in which its validity begins and ends, in UTC: `2026-03-01 to 2027-03-01`.
    public var validity: String { "\(Self.day(notBefore)) to \(Self.day(notAfter))" }

    private static func day(_ seconds: Int64) -> String {
        let (microseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        var text: [UInt8] = []
        text.append(wall: isBeyond ? (seconds < 0 ? .min : .max) : microseconds)
        return String(decoding: text.prefix(10), as: UTF8.self)
    }
}
