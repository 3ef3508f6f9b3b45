public import Wire

/// What to fetch: an `https` URL (RFC 3986, RFC 9110 section 4.2.2), taken apart; an `http` one where that is allowed.
public struct CheckURL: Hashable, Sendable {
    /// The schemes, with their default ports.
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP in clear text: there is no certificate to check, and nobody is connected to.
        case http
        /// HTTP over TLS.
        case https

        var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host and the port; the scheme's unless the URL names another.
    public let endpoint: Endpoint
    /// The host letter for letter as the URL has it, without an address's brackets: some libraries mind case and a
    /// trailing dot.
    public let spelledHost: String
    /// The path and query as the request line has them; "/" if the URL has no path.
    public let target: String

    /// Reads a URL.
    ///
    /// A fragment is dropped, as it is never sent. Nothing is percent-encoded or repaired: the request is to be what was
    /// written.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - allowsPlain: Whether `http` is a scheme too; some policies have something to say of it.
    /// - Throws: `CheckURLError`, which says what is wrong and how to mend it.
    public init(_ text: String, allowsPlain: Bool = false) throws(CheckURLError) {
        guard !text.isEmpty else { throw .empty }
        guard let odd = text.unicodeScalars.first(where: { !("!"..."~").contains($0) }) else {
            (scheme, endpoint, spelledHost, target) = try Self.parts(of: text[...], allowsPlain: allowsPlain)
            return
        }
        throw .notPrintable(odd)
    }

    private static func parts(
        of text: Substring, allowsPlain: Bool
    ) throws(CheckURLError) -> (Scheme, Endpoint, String, String) {
        let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        let afterScheme = text.dropFirst(scheme.count)
        guard afterScheme.hasPrefix("://") else { throw .noScheme }
        guard let known = Scheme(rawValue: scheme.lowercased()), allowsPlain || known == .https else {
            throw .notHTTPS(scheme: String(scheme))
        }
        let rest = afterScheme.dropFirst(3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        let (endpoint, spelling) = try endpoint(of: authority, defaultPort: known.defaultPort)
        return (known, endpoint, spelling, path.hasPrefix("/") ? String(path) : "/\(path)")
    }

    private static func endpoint(
        of authority: Substring, defaultPort: UInt16
    ) throws(CheckURLError) -> (Endpoint, spelling: String) {
        guard !authority.contains("@") else { throw .userInformation }
        var host = authority
        var port = defaultPort
        // A colon inside brackets belongs to an IPv6 address.
        let behindAddress = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[behindAddress...].lastIndex(of: ":") {
            host = authority[..<colon]
            let digits = authority[colon...].dropFirst()
            // An empty port is the default one (RFC 3986 section 3.2.3).
            if !digits.isEmpty {
                guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt16(digits), number > 0 else {
                    throw .badPort(String(digits))
                }
                port = number
            }
        }
        guard !host.isEmpty else { throw .noHost }
        guard host.contains("[") || !host.contains(":"), let name = HostName(String(host)) else {
            throw .badHost(String(authority))
        }
        return (Endpoint(host: name, port: port), host.trimmingBrackets)
    }

    /// The host as the Host field has it (RFC 9110 section 7.2), without the default port.
    var authority: String { endpoint.port == scheme.defaultPort ? "\(endpoint.host)" : "\(endpoint)" }
}

extension Substring {
    /// An IPv6 address without its brackets.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    }
}

extension CheckURL: CustomStringConvertible {
    /// The URL in canonical form.
    public var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

/// What is wrong with a URL.
public enum CheckURLError: Error, Hashable, Sendable {
    /// There is nothing.
    case empty
    /// It does not begin with a scheme.
    case noScheme
    /// The scheme is another.
    case notHTTPS(scheme: String)
    /// There is a user name before the host.
    case userInformation
    /// There is no host.
    case noHost
    /// The host is neither a name nor an address.
    case badHost(String)
    /// The port is no number from 1 to 65535.
    case badPort(String)
    /// It is no reference to anything.
    case badReference(String)
    /// A character that no URL holds as it stands.
    case notPrintable(Unicode.Scalar)
}

extension CheckURLError: CustomStringConvertible {
    /// What is wrong and how to mend it, in one line.
    public var description: String {
        switch self {
        case .empty: "the URL is empty; write https://HOST/PATH"
        case .noScheme: "the URL has no scheme; write https://HOST/PATH"
        case .notHTTPS(let scheme): "the scheme is \(scheme): only https has a certificate to check"
        case .userInformation: "the URL holds a user name or password; leave it out, it is not sent"
        case .noHost: "the URL has no host; write https://HOST/PATH"
        case .badHost(let host): "\(host) is neither a host name nor an address; IPv6 addresses stand in brackets"
        case .badPort(let port): "\(port) is not a port from 1 to 65535"
        case .badReference(let text): "\(text) is no URL"
        case .notPrintable(let scalar):
            "the URL holds the character U+\(Self.hexadecimal(scalar)); write it percent-encoded, in a host as punycode"
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
