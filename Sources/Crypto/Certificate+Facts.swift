internal import COpenSSL
internal import Glibc
internal import Wire

extension Certificate {
    /// The SHA-1 of `der`, as older tools print it.
    public var sha1: [UInt8] { Digest.sha1(der) }

    /// The subject as RFC 2253 writes it: most specific part first, special characters escaped.
    public var subject: String { withHandle { distinguishedName(X509_get_subject_name($0)) } }

    /// The issuer as RFC 2253 writes it: most specific part first, special characters escaped.
    public var issuer: String { withHandle { distinguishedName(X509_get_issuer_name($0)) } }

    /// The serial number in lower-case hexadecimal, with a minus sign if it is negative.
    public var serial: String {
        withHandle { raw in
            guard let number = X509_get0_serialNumber(raw)?.pointee else { return "" }
            let octets = UnsafeBufferPointer(start: number.data, count: Int(number.length))
            return (number.type == V_ASN1_NEG_INTEGER ? "-" : "") + Hex.encode(Array(octets))
        }
    }

    /// The first second of validity, in seconds since 1970.
    ///
    /// A time that does not parse makes the certificate valid at no time: `Int64.max` here, `Int64.min` in `notAfter`.
    public var notBefore: Int64 { withHandle { seconds(X509_get0_notBefore($0)) } ?? .max }

    /// The last second of validity, in seconds since 1970.
    public var notAfter: Int64 { withHandle { seconds(X509_get0_notAfter($0)) } ?? .min }

    /// Says whether `time` (seconds since 1970) lies in the validity window, both ends included (RFC 5280, 4.1.2.5).
    public func isValid(at time: Int64) -> Bool { notBefore <= time && time <= notAfter }

    /// `der` in PEM, ended by a line feed.
    public var pem: String {
        let text = ScratchBIO()
        // Not `PEM_write_bio_X509`, which encodes anew: a certificate that is not quite DER would become another one.
        let written = text.withHandle { PEM_write_bio($0, PEM_STRING_X509, "", der, der.count) }
        precondition(written > 0, "writing to memory fails only without memory")
        return String(decoding: text.contents(), as: UTF8.self)
    }
}

/// A name as RFC 2253 writes it.
func distinguishedName(_ name: OpaquePointer?) -> String {
    // RFC 2253's form, but text beyond ASCII stays readable instead of becoming octets in hexadecimal.
    let flags =
        UInt(ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | ASN1_STRFLGS_DUMP_UNKNOWN)
        | UInt(ASN1_STRFLGS_DUMP_DER | XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV | XN_FLAG_DUMP_UNKNOWN_FIELDS)
    let text = ScratchBIO()
    _ = text.withHandle { X509_NAME_print_ex($0, name, 0, flags) }
    return String(decoding: text.contents(), as: UTF8.self)
}

private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(timegm(&parts))
}
