public import Wire

/// The names and passwords of those who may use the proxy, as HTTP's Basic scheme sends them (RFC 7617).
///
/// They are compared in a time that does not depend on how much of them is right, and never put into words.
public struct ProxyCredentials: Sendable {
    /// Each "name:password", as it is sent.
    private let tokens: [[UInt8]]

    /// Keeps who may use the proxy.
    ///
    /// - Parameter pairs: Each is "name:password" in UTF-8; the first colon divides it.
    public init(_ pairs: [[UInt8]]) {
        tokens = pairs.map { Array(Base64.encode($0).utf8) }
    }

    /// Whether a request's head has one of them.
    public func accept(_ headers: [HTTPHeader]) -> Bool {
        let sent = headers.values(named: "Proxy-Authorization")
        // Two could mean two things.
        guard sent.count == 1, let token = Self.basicToken(sent[0]) else { return false }
        // All are looked at, however early one matches.
        return tokens.reduce(false) { Self.areEqual(token, $1) || $0 }
    }

    /// What stands behind "Basic", whose case does not matter (RFC 9110 section 11.1).
    private static func basicToken(_ value: String) -> [UInt8]? {
        let parts = value.utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, String(Substring(parts[0])).lowercased() == "basic" else { return nil }
        return Array(parts[1])
    }

    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
