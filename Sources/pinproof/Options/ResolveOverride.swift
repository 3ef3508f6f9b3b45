internal import Wire

/// An address to connect to instead of asking DNS for a host, as with curl's option of the same name.
struct ResolveOverride: Sendable, Equatable {
    /// The host whose address it is.
    let host: HostName
    /// The port for which it holds; nil for every port.
    let port: UInt16?
    /// The address to connect to.
    let address: HostName
    /// The port to connect to; nil for the one that was asked for.
    let addressPort: UInt16?

    /// Reads `HOST[:PORT]:ADDR[:PORT]`; IPv6 addresses stand in brackets.
    init?(_ text: String) {
        let parts = Self.split(text)
        guard (2...4).contains(parts.count), let host = HostName(String(parts[0])) else { return nil }
        // A part of digits alone is a port: no address looks like that.
        let hasPort = parts.count > 2 && parts[1].isDigits
        let target = parts.dropFirst(hasPort ? 2 : 1)
        guard target.count <= 2, let address = target.first.flatMap({ HostName(String($0)) }), address.isAddress else {
            return nil
        }
        let ports = [hasPort ? parts[1] : nil, target.count == 2 ? target.last : nil]
        let numbers = ports.map { $0.map(Self.port) }
        guard !numbers.contains(.some(nil)) else { return nil }
        self.host = host
        self.port = numbers[0] ?? nil
        self.address = address
        self.addressPort = numbers[1] ?? nil
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.isDigits, let port = UInt16(text), port > 0 else { return nil }
        return port
    }

    /// Splits at the colons that are not inside brackets.
    private static func split(_ text: String) -> [Substring] {
        var isBracketed = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "[" { isBracketed = true }
            if character == "]" { isBracketed = false }
            return character == ":" && !isBracketed
        }
    }
}
