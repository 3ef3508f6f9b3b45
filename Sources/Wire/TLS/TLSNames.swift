/// The names that the RFCs give to the numbers of TLS, for display.
///
/// A number without a name is shown in hexadecimal ("0x1234"), one of GREASE's (RFC 8701) as "GREASE".
public enum TLSNames {
    /// The name of a protocol version, such as "TLS 1.3".
    public static func version(_ value: UInt16) -> String {
        switch value {
        case 0x0002: "SSL 2.0"
        case 0x0300: "SSL 3.0"
        case 0x0301: "TLS 1.0"
        case 0x0302: "TLS 1.1"
        case 0x0303: "TLS 1.2"
        case 0x0304: "TLS 1.3"
        default: unnamed(value)
        }
    }

    /// The name of an alert, such as "unknown_ca" (RFC 8446 section 6 and the IANA registry).
    public static func alert(_ value: UInt8) -> String {
        alerts[value] ?? unnamed(value)
    }

    /// The name of a handshake message, such as "client_hello" (RFC 8446 section 4 and the IANA registry).
    public static func handshakeMessage(_ value: UInt8) -> String {
        handshakeMessages[value] ?? unnamed(value)
    }

    /// The name of a signature scheme, such as "ecdsa_secp256r1_sha256" (RFC 8446 section 4.2.3).
    public static func signatureScheme(_ value: UInt16) -> String {
        signatureSchemes[value] ?? unnamed(value)
    }

    /// The group that OpenSSL calls so: by its short name of the curve (obj_mac.h), in any case; nil for one that is not
    /// known.
    ///
    /// - Parameter name: A name such as "X25519" or "prime256v1"; those of the registry are known too.
    /// - Returns: Its number.
    public static func group(named name: String) -> UInt16? { groupsByName[name.lowercased()] }

    // Two curves are known to OpenSSL by the names that X9.62 gives them.
    private static let groupsByName: [String: UInt16] = Dictionary(
        groups.map { ($0.value.lowercased(), $0.key) } + [("prime192v1", 19), ("prime256v1", 23)]
    ) { first, _ in first }

    /// The name of a group for the key exchange, such as "x25519" (RFC 8446 section 4.2.7).
    public static func group(_ value: UInt16) -> String {
        groups[value] ?? unnamed(value)
    }

    /// The name of an extension, such as "server_name" (RFC 8446 section 4.2 and the IANA registry).
    public static func `extension`(_ value: UInt16) -> String {
        extensions[value] ?? unnamed(value)
    }

    /// The name of an application protocol (RFC 7301 section 3.1), which is bytes: as text, `\xNN` for what is not
    /// printable ASCII and for the backslash itself.
    public static func applicationProtocol(_ name: [UInt8]) -> String {
        var text = ""
        for byte in name {
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + Hex.encode([byte])
            }
        }
        return text
    }

    static func unnamed(_ value: UInt16) -> String {
        ClientHello.isGREASE(value) ? "GREASE" : "0x" + Hex.encode([UInt8(value >> 8), UInt8(value & 0xff)])
    }

    private static func unnamed(_ value: UInt8) -> String {
        "0x" + Hex.encode([value])
    }
}
