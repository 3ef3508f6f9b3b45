/// Takes secrets out of what is recorded of HTTP heads.
///
/// It goes by names (`SecretNames`, `FieldTreatment`), and by the look of values (`SecretScan`). A secret under a harmless
/// name that looks like nothing, or within a path, is not found.
enum Redaction {
    /// What stands in a secret's place.
    static let mark = "(redacted)"

    /// Takes secrets out of a request's target (RFC 9112 section 3.2).
    static func target(_ target: String, of method: String) -> String {
        method == "CONNECT" ? authority(target) : SecretScan.redact(target, as: .reference) ?? target
    }

    /// Takes the userinfo off an authority (RFC 3986 section 3.2).
    static func authority(_ authority: String) -> String {
        guard let end = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
        return String(decoding: authority.utf8[authority.utf8.index(after: end)...], as: UTF8.self)
    }

    /// Takes secrets out of a value of which nothing is known; nil if there are none.
    static func open(_ value: String) -> String? {
        // What goes on behind white space is not the URL any more.
        let isReference =
            (value.utf8.first == UInt8(ascii: "/") || isURL(value)) && !value.utf8.contains(UInt8(ascii: " "))
        return SecretScan.redact(value, as: isReference ? .reference : .text)
    }

    /// Whether a value is a URL: its scheme is followed by "://".
    private static func isURL(_ value: String) -> Bool {
        let scheme = value.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit }
        guard scheme.count > 1 else { return false }
        return value.utf8[scheme.endIndex...].starts(with: "://".utf8)
    }
}
