extension HTTPHeader {
    /// The field without the secrets in its value.
    var redacted: HTTPHeader {
        switch String(decoding: name.utf8.map(\.asciiLowercased), as: UTF8.self) {
        case "authorization", "proxy-authorization": replacing(Self.credentials(value))
        case "cookie": replacing(Self.cookies(value))
        case "set-cookie": replacing(Self.cookieSetting(value))
        case "location", "content-location", "referer": replacing(Redaction.reference(value))
        case let name where Redaction.isSecret(name.utf8): replacing(Redaction.mark)
        default: self
        }
    }

    private func replacing(_ value: String) -> HTTPHeader { HTTPHeader(name: name, value: value) }

    /// Keeps the scheme (RFC 9110 section 11.4); a single word is no scheme but a secret.
    private static func credentials(_ value: String) -> String {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.allSatisfy(\.isHTTPTokenCharacter) else { return Redaction.mark }
        return "\(parts[0]) \(Redaction.mark)"
    }

    /// Keeps the names of cookies (RFC 6265 section 4.2).
    private static func cookies(_ value: String) -> String {
        value.utf8.split(separator: UInt8(ascii: ";")).map { pair(Substring($0)) }.joined(separator: "; ")
    }

    /// Keeps the cookie's name and its attributes (RFC 6265 section 4.1).
    private static func cookieSetting(_ value: String) -> String {
        let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
        return pair(value[..<end]) + value[end...]
    }

    /// A cookie without its value; without a name it is nothing but a value.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return Redaction.mark }
        return text[..<equals].drop { $0 == " " } + "=" + Redaction.mark
    }
}
