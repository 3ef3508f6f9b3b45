internal import Glibc

/// A subject alternative name (RFC 5280, 4.2.1.6).
package enum AlternativeName: Hashable, Sendable {
    /// A DNS name, perhaps with a wildcard.
    case dns(String)
    /// The octets of an IP address; 4 or 16 if the certificate is sound.
    case address([UInt8])
    /// A mailbox.
    case email(String)
    /// A URI.
    case uri(String)

    /// The name without its kind.
    package var text: String {
        switch self {
        case .dns(let text), .email(let text), .uri(let text): text
        case .address(let octets): Self.addressText(octets)
        }
    }

    /// The octets of an address as text, in the canonical form of RFC 5952; in hexadecimal if they are no address.
    static func addressText(_ octets: [UInt8]) -> String {
        let family: Int32
        switch octets.count {
        case 4: family = AF_INET
        case 16: family = AF_INET6
        default: return "0x" + octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(family, octets, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension AlternativeName: CustomStringConvertible {
    /// The name with its kind in front, as OpenSSL prints it: "DNS:example.com", "IP:192.0.2.1".
    package var description: String {
        switch self {
        case .dns: "DNS:" + text
        case .address: "IP:" + text
        case .email: "email:" + text
        case .uri: "URI:" + text
        }
    }
}
