/// Fingerprints of the client's TLS stack. Digests are injected, so that this module needs no cryptography.
extension ClientHello {
    /// JA3 before hashing: version, suites, extensions, groups and point formats in decimal, GREASE left out.
    ///
    /// Defined at <https://github.com/salesforce/ja3>; the fingerprint is the MD5 of this text.
    public var ja3Text: String {
        var text = FingerprintText()
        text.append(decimal: CollectionOfOne(legacyVersion), separator: "-")
        for list in [cipherSuites, extensions.map(\.type), supportedGroups, pointFormats.map(UInt16.init)] {
            text.append(",")
            text.append(decimal: list.lazy.filter { !Self.isGREASE($0) }, separator: "-")
        }
        return String(decoding: text.octets, as: UTF8.self)
    }

    /// JA4 for TLS over TCP.
    ///
    /// Defined at <https://github.com/FoxIO-LLC/ja4/blob/main/technical_details/JA4.md>.
    ///
    /// - Parameter sha256: Computes the SHA-256 of its argument: 32 octets.
    /// - Returns: The fingerprint, such as "t13d1516h2_8daaf6152771_e5627efa2ab1".
    public func ja4(sha256: ([UInt8]) -> [UInt8]) -> String {
        func hash(_ text: FingerprintText) -> String {
            text.octets.isEmpty ? "000000000000" : Hex.encode([UInt8](sha256(text.octets).prefix(6)))
        }
        return "\(ja4Summary)_\(hash(ja4CipherText))_\(hash(ja4ExtensionText))"
    }

    /// The readable first part: transport, version, server name, counts, first application protocol.
    private var ja4Summary: String {
        let suites = cipherSuites.count { !Self.isGREASE($0) }
        let types = extensions.count { !Self.isGREASE($0.type) }
        let name = body(of: .serverName) == nil ? "i" : "d"
        let offered = JA4Text.applicationProtocol(alpn?.first)
        return "t\(ja4Version)\(name)\(JA4Text.count(suites))\(JA4Text.count(types))\(offered)"
    }

    /// The suites, sorted.
    private var ja4CipherText: FingerprintText {
        var text = FingerprintText()
        text.append(hexadecimal: cipherSuites.filter { !Self.isGREASE($0) }.sorted(), separator: ",")
        return text
    }

    /// The extensions, sorted, without those that the summary covers, then the signature schemes in the client's order.
    private var ja4ExtensionText: FingerprintText {
        var text = FingerprintText()
        let types = extensions.map(\.type).filter {
            !Self.isGREASE($0) && $0 != Known.serverName.rawValue && $0 != Known.applicationProtocols.rawValue
        }
        text.append(hexadecimal: types.sorted(), separator: ",")
        let schemes = signatureAlgorithms.filter { !Self.isGREASE($0) }
        guard !schemes.isEmpty else { return text }
        text.append("_")
        text.append(hexadecimal: schemes, separator: ",")
        return text
    }

    /// The highest version offered, in two characters.
    private var ja4Version: String {
        let offered = supportedVersions.filter { !Self.isGREASE($0) }.max()
        return JA4Text.version(body(of: .supportedVersions) == nil ? legacyVersion : offered)
    }
}
