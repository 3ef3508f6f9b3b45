/// Fingerprints of the server's TLS stack. Digests are injected, so that this module needs no cryptography.
extension ServerHello {
    /// JA3S before hashing: version, suite and extensions in decimal, GREASE left out.
    ///
    /// Defined at <https://github.com/salesforce/ja3>; the fingerprint is the MD5 of this text.
    public var ja3sText: String {
        var text = FingerprintText()
        text.append(decimal: CollectionOfOne(legacyVersion), separator: "-")
        text.append(",")
        text.append(decimal: CollectionOfOne(cipherSuite), separator: "-")
        text.append(",")
        text.append(decimal: extensions.lazy.map(\.type).filter { !ClientHello.isGREASE($0) }, separator: "-")
        return String(decoding: text.octets, as: UTF8.self)
    }

    /// JA4S for TLS over TCP: the extensions count in the server's order.
    ///
    /// Defined at <https://github.com/FoxIO-LLC/ja4/blob/main/technical_details/JA4S.md>.
    ///
    /// - Parameter sha256: Computes the SHA-256 of its argument: 32 octets.
    /// - Returns: The fingerprint, such as "t130200_1301_234ea6891581".
    public func ja4s(sha256: ([UInt8]) -> [UInt8]) -> String {
        let types = extensions.map(\.type).filter { !ClientHello.isGREASE($0) }
        var suite = FingerprintText()
        suite.append(hexadecimal: CollectionOfOne(cipherSuite), separator: ",")
        var list = FingerprintText()
        list.append(hexadecimal: types, separator: ",")
        let digest = types.isEmpty ? "000000000000" : Hex.encode([UInt8](sha256(list.octets).prefix(6)))
        let summary = "t\(JA4Text.version(version))\(JA4Text.count(types.count))\(JA4Text.applicationProtocol(alpn))"
        return "\(summary)_\(String(decoding: suite.octets, as: UTF8.self))_\(digest)"
    }
}
