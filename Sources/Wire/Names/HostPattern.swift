/// Which endpoints a rule is for.
///
/// - "*" matches every host.
/// - "*.example.com" matches names any depth below example.com, but not example.com itself.
/// - "example.com" or an address matches exactly that host.
///
/// Each may end in ":port". An IPv6 address needs brackets to carry one: "::1:443" is an address.
public struct HostPattern: Hashable, Sendable {
    private enum Hosts: Hashable {
        case every
        case below(HostName)
        case only(HostName)
    }

    private let hosts: Hosts
    private let port: UInt16?

    /// Reads a pattern.
    ///
    /// - Parameter text: The pattern, as in the type's description.
    public init?(_ text: String) {
        guard let (hostText, port) = Self.splitPort(text) else { return nil }
        self.port = port
        if hostText == "*" {
            hosts = .every
        } else if hostText.hasPrefix("*.") {
            guard let parent = HostName(String(hostText.dropFirst(2))), !parent.isAddress else { return nil }
            hosts = .below(parent)
        } else {
            guard let host = HostName(String(hostText)) else { return nil }
            hosts = .only(host)
        }
    }

    /// Whether `endpoint` is one of those that the rule is for.
    public func matches(_ endpoint: Endpoint) -> Bool {
        if let port, port != endpoint.port { return false }
        switch hosts {
        case .every: return true
        case .only(let host): return host == endpoint.host
        case .below(let parent):
            guard case .dns(let name) = endpoint.host.kind else { return false }
            return name.hasSuffix("." + parent.text)
        }
    }

    /// How narrow the pattern is: of several that match, the one with the largest number decides.
    ///
    /// One host beats any wildcard, a longer wildcard a shorter one; with the same hosts, a port beats none.
    public var specificity: Int {
        // A name has at most 127 labels, so no wildcard reaches an exact host.
        let rank =
            switch hosts {
            case .every: 0
            case .below(let parent): parent.text.utf8.count { $0 == UInt8(ascii: ".") } + 1
            case .only: 128
            }
        return rank * 2 + (port == nil ? 0 : 1)
    }

    /// Splits ":port" off; nil if the port is not one.
    private static func splitPort(_ text: String) -> (Substring, UInt16?)? {
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        let hasPort = text.hasPrefix("[") ? !text.hasSuffix("]") : colons == 1
        guard hasPort else { return (text[...], nil) }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        guard let port = Endpoint.port(text[text.utf8.index(after: colon)...]) else { return nil }
        return (text[..<colon], port)
    }
}

extension HostPattern: CustomStringConvertible {
    /// The pattern in canonical form, as `init` reads it.
    public var description: String {
        let host =
            switch hosts {
            case .every: "*"
            case .below(let parent): "*.\(parent)"
            case .only(let host): host.description
            }
        return port.map { "\(host):\($0)" } ?? host
    }
}
