/// A host as one canonical value: a DNS name in lower case without a trailing dot, or an IP address.
///
/// Every part of Pinproof that compares hosts (rules, cache, server name, report) compares this.
public struct HostName: Hashable, Sendable {
    /// What the host is written as.
    public enum Kind: Hashable, Sendable {
        /// A DNS name in canonical form.
        case dns(String)
        /// The four octets of an IPv4 address.
        case ipv4([UInt8])
        /// The sixteen octets of an IPv6 address.
        case ipv6([UInt8])
    }

    /// What the host is written as.
    public let kind: Kind
    /// The canonical text, without brackets around an IPv6 address.
    public let text: String

    /// Reads a host as people and peers write it.
    ///
    /// Brackets around an IPv6 address, upper case and one trailing dot are accepted and leave no trace in the value;
    /// an IPv4 address inside IPv6 (RFC 4291 section 2.5.5.2) becomes the IPv4 address. A name consists of letters,
    /// digits, hyphens and underscores in labels of at most 63, 253 in all (RFC 1123 section 2.1). Names that end in a
    /// number ("127.1", "0x7f000001") are refused: resolvers take them for addresses, so they would slip past every
    /// rule for that address.
    ///
    /// - Parameter text: The host, without a port.
    public init?(_ text: String) {
        var bytes = [UInt8](text.utf8)[...]
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.count > 2, bytes.last == UInt8(ascii: "]") else { return nil }
            bytes = bytes.dropFirst().dropLast()
            guard let octets = IPAddressText.ipv6(bytes) else { return nil }
            self.init(addressBytes: octets)
        } else if bytes.contains(UInt8(ascii: ":")) {
            guard let octets = IPAddressText.ipv6(bytes) else { return nil }
            self.init(addressBytes: octets)
        } else {
            if bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
            if let octets = IPAddressText.ipv4(bytes) {
                self.init(addressBytes: octets)
            } else {
                guard let name = Self.canonicalName(bytes) else { return nil }
                self.init(kind: .dns(name), text: name)
            }
        }
    }

    /// Makes a host of the octets of an address.
    ///
    /// - Parameter octets: Four (IPv4) or sixteen (IPv6) octets; any other number gives nil.
    public init?(addressBytes octets: [UInt8]) {
        switch octets.count {
        case 4:
            self.init(kind: .ipv4(octets), text: IPAddressText.text(ipv4: octets))
        case 16 where octets.starts(with: Self.mappedPrefix):
            self.init(addressBytes: [UInt8](octets.suffix(4)))
        case 16:
            self.init(kind: .ipv6(octets), text: IPAddressText.text(ipv6: octets))
        default:
            return nil
        }
    }

    private init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Whether the host is an address and not a name.
    public var isAddress: Bool { addressBytes != nil }

    /// The octets of an address in network order; nil for a name.
    public var addressBytes: [UInt8]? {
        switch kind {
        case .dns: nil
        case .ipv4(let octets), .ipv6(let octets): octets
        }
    }

    /// What stands before the four octets of an IPv4 address inside an IPv6 address.
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    private static func canonicalName(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...253).contains(bytes.count) else { return nil }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last, !isNumber(last) else { return nil }
        return String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == hyphen || $0 == UInt8(ascii: "_") }
    }

    /// Whether resolvers read the label as a number, decimal or with "0x" in front.
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if label.allSatisfy(\.isASCIIDigit) { return true }
        return label.first == UInt8(ascii: "0") && label.dropFirst().first?.asciiLowercased == UInt8(ascii: "x")
            && label.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
    }
}

extension HostName: CustomStringConvertible {
    /// The canonical text, with brackets around an IPv6 address, as a URL has it.
    public var description: String {
        if case .ipv6 = kind { return "[\(text)]" }
        return text
    }
}
