/// A ClientHello put together by hand (RFC 8446 section 4.1.2), for what no TLS library would send.
struct HelloBytes {
    /// The suites: ECDHE-ECDSA with AES-128-GCM, for TLS 1.2.
    var suites: [UInt16] = [0xC02B]
    /// The groups: P-256.
    var groups: [UInt16] = [0x0017]
    /// Further extensions, by number and body.
    var extensions: [(type: UInt16, body: [UInt8])] = []

    /// The hello in one record.
    var bytes: [UInt8] {
        // ecdsa_secp256r1_sha256
        let usual: [(type: UInt16, body: [UInt8])] = [
            (10, Self.sized(groups.flatMap(Self.octets))), (13, Self.sized([0x04, 0x03])),
        ]
        let encoded = (usual + extensions).flatMap { Self.octets($0.type) + Self.sized($0.body) }
        let body =
            Self.octets(0x0303) + [UInt8](repeating: 7, count: 32) + [0] + Self.sized(suites.flatMap(Self.octets))
            + [1, 0] + Self.sized(encoded)
        return [22, 3, 1] + Self.sized([1, 0] + Self.sized(body))
    }

    /// A server_name extension with these names (RFC 6066 section 3).
    static func serverNames(_ names: [UInt8]...) -> (type: UInt16, body: [UInt8]) {
        (0, sized(names.flatMap { [0] + sized($0) }))
    }

    static func octets(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { octets(UInt16(bytes.count)) + bytes }
}
