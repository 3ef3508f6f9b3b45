package import Crypto

extension CertificateTemplate.RawExtension {
    /// authorityInfoAccess with one caIssuers location (RFC 5280 section 4.2.2.1).
    package static func issuerLocation(_ url: String) -> Self {
        // id-ad-caIssuers, 1.3.6.1.5.5.7.48.2; a uniformResourceIdentifier is [6].
        let method = der(0x06, [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02])
        let access = der(0x30, method + der(0x86, Array(url.utf8)))
        return Self(identifier: "1.3.6.1.5.5.7.1.1", isCritical: false, value: der(0x30, access))
    }
}

/// A PKCS#7 message that holds nothing but certificates (RFC 5652 section 5.1), as authorities publish them in .p7c files.
package func certificatesOnly(_ certificates: [Certificate]) -> [UInt8] {
    // id-signedData is 1.2.840.113549.1.7.2, id-data 1.2.840.113549.1.7.1.
    let prefix: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    let version: [UInt8] = [0x02, 0x01, 0x01]
    let signed =
        version + der(0x31, []) + der(0x30, der(0x06, prefix + [1])) + der(0xA0, certificates.flatMap(\.der))
        + der(0x31, [])
    return der(0x30, der(0x06, prefix + [2]) + der(0xA0, der(0x30, signed)))
}

/// An element of DER: tag, length, contents (X.690 section 8.1).
private func der(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8] = count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    return [tag] + length + contents
}
