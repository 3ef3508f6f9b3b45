/// Takes secrets out of what is recorded of HTTP heads.
///
/// It goes by names: what is called a token, a password or a signature loses its value, and keeps its name. A secret
/// under a harmless name, or within a path, is not found.
enum Redaction {
    /// What stands in a secret's place.
    static let mark = "(redacted)"

    /// Whether something of this name, in any case, is a secret.
    static func isSecret(_ name: some Sequence<UInt8>) -> Bool {
        let text = name.map(\.asciiLowercased)
        return words.contains { word in
            // The library's search for a sequence within one cost nine tenths of what watching a head did.
            text.indices.contains { text[$0...].starts(with: word) }
        }
    }

    /// Whether a parameter of this name is one: parameters have short names that would say nothing of a field.
    static func isSecretParameter(_ name: some Sequence<UInt8>) -> Bool {
        let text = decoded(name).map(\.asciiLowercased)
        return isSecret(text) || parameters.contains(text)
    }

    private static let words = ["token", "secret", "password", "api-key", "apikey", "api_key", "signature"].map {
        Array($0.utf8)
    }

    private static let parameters = Set(
        [
            "code", "key", "passwd", "pwd", "sig", "session", "auth", "jwt", "x-amz-credential",
        ].map { Array($0.utf8) })

    /// Undoes percent-encoding (RFC 3986 section 2.1), which a name may be hidden in; what is no encoding stays.
    private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var octets: [UInt8] = []
        for octet in text {
            octets.append(octet)
            let last = octets.suffix(3)
            guard last.count == 3, last.first == UInt8(ascii: "%"), let value = Hex.decode(last.dropFirst())?.first
            else { continue }
            octets.replaceSubrange(last.indices, with: [value])
        }
        return octets
    }
}
