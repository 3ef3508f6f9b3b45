extension HTTPHeader {
    /// The field without the secrets in its value.
    var redacted: HTTPHeader {
        guard !value.isEmpty else { return self }
        let kept: String? =
            switch FieldTreatment(name) {
            case .secret: Redaction.mark
            case .credentials: Self.credentials(value)
            case .cookies: Self.cookies(value)
            case .cookieSetting: Self.cookieSetting(value)
            case .authority: Redaction.authority(value)
            case .protocols: Self.protocols(value)
            case .harmless: SecretScan.redact(value, as: .harmless)
            case .open: Self.knownCredentials(value) ?? Redaction.open(value)
            }
        return kept.map { HTTPHeader(name: name, value: $0) } ?? self
    }

    /// Keeps the scheme (RFC 9110 section 11.4); a single word is no scheme but a secret.
    private static func credentials(_ value: String) -> String {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.allSatisfy(\.isHTTPTokenCharacter) else { return Redaction.mark }
        return "\(parts[0]) \(Redaction.mark)"
    }

    /// Keeps the scheme of a value that begins with one that is known; nil for all others.
    private static func knownCredentials(_ value: String) -> String? {
        guard let end = value.utf8.prefix(longestScheme + 1).firstIndex(of: UInt8(ascii: " ")),
            schemes.contains(value.utf8[..<end].map(\.asciiLowercased))
        else { return nil }
        return credentials(value)
    }

    /// Keeps the names of cookies (RFC 6265 section 4.2).
    private static func cookies(_ value: String) -> String {
        value.utf8.split(separator: UInt8(ascii: ";")).map { pair(Substring($0)) }.joined(separator: "; ")
    }

    /// Keeps the cookie's name and its attributes (RFC 6265 section 4.1).
    ///
    /// What is no attribute, or holds a pair of its own, is another cookie: some servers join several with commas.
    private static func cookieSetting(_ value: String) -> String {
        var parts = value.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
        guard let first = parts.first else { return value }
        var text = pair(first)
        parts.removeFirst()
        for part in parts {
            let equals = part.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = part.utf8[..<(equals ?? part.endIndex)].filter { $0 != UInt8(ascii: " ") }
            let content = equals.map { part.utf8[part.utf8.index(after: $0)...] }
            let isAttribute =
                attributes.contains(name.map(\.asciiLowercased)) && content?.contains(UInt8(ascii: "=")) != true
            text += ";" + (isAttribute || name.isEmpty ? part : Substring(" " + pair(part)))
        }
        return text
    }

    /// A cookie without its value; without a name it is nothing but a value.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return Redaction.mark }
        return text[..<equals].drop { $0 == " " } + "=" + Redaction.mark
    }

    /// Keeps the names of subprotocols (RFC 6455 section 1.9), which are short words with few digits.
    ///
    /// A token stands behind a word that announces it, or is known by not looking like a name.
    private static func protocols(_ value: String) -> String {
        var isAnnounced = false
        return value.utf8.split(separator: UInt8(ascii: ",")).map { element in
            var name = Array(element).drop { $0 == UInt8(ascii: " ") }
            while name.last == UInt8(ascii: " ") { name.removeLast() }
            defer { isAnnounced = SecretNames.isSecret(name, isParameter: true) }
            let isSecret =
                isAnnounced || name.count > 32 || name.count(where: \.isASCIIDigit) > 4
                || name.contains(UInt8(ascii: ".")) && SecretNames.isSecret(name, isParameter: true)
            return isSecret ? Redaction.mark : String(decoding: name, as: UTF8.self)
        }.joined(separator: ", ")
    }

    /// The registered schemes (RFC 9110 section 16.4.1), and others that are in wide use.
    private static let schemes = Set(
        [
            "apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "dpop", "gnap", "hawk", "hmac", "hoba", "mutual",
            "negotiate", "ntlm", "oauth", "privatetoken", "scram-sha-1", "scram-sha-256", "sharedkey", "token", "vapid",
        ].map { Array($0.utf8) })
    private static let longestScheme = schemes.map(\.count).max() ?? 0

    /// The attributes of cookies (RFC 6265 section 5.2, and what has come since).
    private static let attributes = Set(
        [
            "comment", "domain", "expires", "httponly", "max-age", "partitioned", "path", "priority", "samesite",
            "secure",
            "version",
        ].map { Array($0.utf8) })
}
