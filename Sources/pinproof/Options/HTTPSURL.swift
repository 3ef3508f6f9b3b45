internal import Wire

/// An `https` URL (RFC 9110 section 4.2.2), taken apart into whom to connect to and what to ask for.
struct HTTPSURL: Sendable, Equatable {
    /// The host and the port, 443 unless the URL names one.
    let endpoint: Endpoint
    /// The path with the query, as a request line has it; never empty.
    let target: String

    /// Reads a URL: no user name, nothing but printable ASCII, so that nothing in it can break a request's lines; a
    /// fragment is dropped.
    init?(_ text: String) {
        let scheme = "https://"
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), text.lowercased().hasPrefix(scheme) else { return nil }
        let rest = text.dropFirst(scheme.count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hasPort = authority.hasPrefix("[") ? !authority.hasSuffix("]") : authority.contains(":")
        guard let endpoint = Endpoint(hasPort ? String(authority) : "\(authority):443") else { return nil }
        let path = rest.dropFirst(authority.count)
        self.endpoint = endpoint
        target = path.hasPrefix("/") ? String(path) : "/\(path)"
    }
}

extension HTTPSURL: CustomStringConvertible {
    /// The URL in canonical form.
    var description: String {
        let authority = endpoint.port == 443 ? "\(endpoint.host)" : "\(endpoint)"
        return "https://\(authority)\(target)"
    }
}
