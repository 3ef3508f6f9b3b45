/// Where a file is to be had in clear text: an `http` URL (RFC 9110 section 4.2.1), taken apart.
public struct HTTPLocation: Hashable, Sendable {
    /// The host and the port; 80 unless the URL names another.
    public let endpoint: Endpoint
    /// The path and query as the request line has them.
    public let target: String

    /// Reads a URL; nil if it is none, of another scheme, with user information, or longer than 2,048 octets.
    ///
    /// - Parameter text: The URL; a fragment is dropped.
    public init?(_ text: String) {
        let scheme = "http://"
        guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        let rest = text.dropFirst(scheme.count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // A colon inside brackets belongs to an IPv6 address.
        let hasPort = authority.hasPrefix("[") ? !authority.hasSuffix("]") : authority.contains(":")
        guard !authority.contains("@"), let endpoint = Endpoint(hasPort ? String(authority) : "\(authority):80") else {
            return nil
        }
        self.endpoint = endpoint
        let path = rest.dropFirst(authority.count)
        target = path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    private static let limit = 2048
}

extension HTTPLocation: CustomStringConvertible {
    /// The URL, always with its port.
    public var description: String { "http://\(endpoint)\(target)" }
}
