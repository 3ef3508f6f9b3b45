/// What names of fields and parameters say of their values: the table of what is taken for a secret.
///
/// A name is looked at in any case. Everything but letters and digits separates segments, and so does a capital after a
/// small letter: "x-api.key", "user[pin]" and "accessKey" have the segments "key", "pin" and "key". Names that it takes for
/// secrets although they are none are cheap; those that it misses are not.
enum SecretNames {
    /// A secret wherever it stands in a name, also within a longer word; "-" is any separator or none.
    private static let words = [
        "access-code", "access-key", "api-key", "app-check", "assertion", "auth-code", "authentication",
        "authorization",
        "bearer", "cookie", "credential", "passcode", "passkey", "passphrase", "passwd", "password", "private-key",
        "saml",
        "secret", "security-code", "session", "sessid", "signature", "token", "verification-code", "verifier",
    ]

    /// A secret if it is a whole segment: "pin" is, "shipping" is not.
    private static let segments = [
        "2fa", "auth", "cred", "creds", "csrf", "dpop", "hmac", "jwe", "jws", "jwt", "mfa", "oidc", "otp", "pass",
        "pat",
        "pin", "psk", "psw", "pwd", "sess", "sid", "sig", "totp", "xsrf",
    ]

    /// A secret if it is the last segment: "X-Shopify-Access" is one, "Access-Control-Allow-Origin" is not.
    private static let endings = ["access", "key"]

    /// A secret if it is a parameter's whole name: of a field such words say something else, as `Refresh` does.
    private static let parameters = ["code", "oauth", "refresh", "ticket"]

    /// Whether something of this name is a secret.
    ///
    /// - Parameters:
    ///   - name: The name in any case, without percent-encoding.
    ///   - isParameter: Whether it names a parameter, such as those of a query, and not a field.
    /// - Returns: Whether its value is not to be recorded.
    static func isSecret(_ name: ArraySlice<UInt8>, isParameter: Bool) -> Bool {
        if isParameter, parameterCodes.contains(ShortWord(name).code) { return true }
        return hasSecretSegment(name) || name.indices.contains { hasWord(name, at: $0) }
    }

    private static func hasSecretSegment(_ name: ArraySlice<UInt8>) -> Bool {
        var segment = ShortWord()
        // The part of the segment since the last capital after a small letter.
        var hump = ShortWord()
        var wasSmall = false
        for octet in name {
            if !octet.isAlphanumeric {
                if segmentCodes.contains(segment.code) || segmentCodes.contains(hump.code) { return true }
                (segment, hump, wasSmall) = (ShortWord(), ShortWord(), false)
                continue
            }
            let isCapital = octet != octet.asciiLowercased
            if isCapital, wasSmall {
                if segmentCodes.contains(hump.code) { return true }
                hump = ShortWord()
            }
            segment.append(octet)
            hump.append(octet)
            wasSmall = !isCapital
        }
        return [segment, hump].contains { segmentCodes.contains($0.code) || endingCodes.contains($0.code) }
    }

    private static func hasWord(_ name: ArraySlice<UInt8>, at start: Int) -> Bool {
        let initial = name[start].asciiLowercased
        guard initial >= UInt8(ascii: "a"), initial <= UInt8(ascii: "z") else { return false }
        for word in wordsByInitial[Int(initial - UInt8(ascii: "a"))] where hasWord(word, in: name, at: start) {
            return true
        }
        return false
    }

    private static func hasWord(_ word: [UInt8], in name: ArraySlice<UInt8>, at start: Int) -> Bool {
        var position = start
        for octet in word {
            if octet == UInt8(ascii: "-") {
                while position < name.endIndex, !name[position].isAlphanumeric { position += 1 }
            } else {
                guard position < name.endIndex, name[position].asciiLowercased == octet else { return false }
                position += 1
            }
        }
        return true
    }

    // As the search wants them: it is made for every field of every message.
    private static let wordsByInitial = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { initial in
        words.map { Array($0.utf8) }.filter { $0.first == initial }
    }
    private static let segmentCodes = segments.map { ShortWord(Array($0.utf8)[...]).code }
    private static let endingCodes = endings.map { ShortWord(Array($0.utf8)[...]).code }
    private static let parameterCodes = parameters.map { ShortWord(Array($0.utf8)[...]).code }
}

/// A word of up to eight octets as a number, so that comparing it is one step; longer ones are none.
private struct ShortWord {
    private var value: UInt64 = 0
    private var count = 0

    init() {}

    init(_ text: ArraySlice<UInt8>) {
        for octet in text { append(octet) }
    }

    mutating func append(_ octet: UInt8) {
        value = value << 8 | UInt64(octet.asciiLowercased)
        count += 1
    }

    /// The number; zero, which no word is, for none.
    var code: UInt64 { count <= 8 ? value : 0 }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
