internal import COpenSSL

/// The one owner of a `GENERAL_NAMES` stack.
struct GeneralNames: ~Copyable {
    private let raw: OpaquePointer

    /// Takes over `raw`.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Makes an empty stack.
    init() {
        guard let raw = GENERAL_NAMES_new() else { preconditionFailure("no memory for names") }
        self.raw = raw
    }

    deinit { GENERAL_NAMES_free(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }

    /// Adds a name.
    ///
    /// - Throws: `OpenSSLError` if OpenSSL refuses it.
    borrowing func append(_ name: AlternativeName) throws {
        let type =
            switch name {
            case .dns: GEN_DNS
            case .address: GEN_IPADD
            case .email: GEN_EMAIL
            case .uri: GEN_URI
            }
        ERR_clear_error()
        guard let element = a2i_GENERAL_NAME(nil, nil, nil, type, name.text, 0) else {
            throw OpenSSLError.drain("a2i_GENERAL_NAME")
        }
        guard OPENSSL_sk_push(raw, element) > 0 else { preconditionFailure("no memory for names") }
    }

    /// The names that Pinproof knows, in order.
    borrowing func names() -> [AlternativeName] {
        (0..<max(0, OPENSSL_sk_num(raw))).compactMap { index in
            guard let element = OPENSSL_sk_value(raw, index) else { return nil }
            var type: Int32 = 0
            guard let value = GENERAL_NAME_get0_value(element.assumingMemoryBound(to: GENERAL_NAME.self), &type),
                [GEN_DNS, GEN_IPADD, GEN_EMAIL, GEN_URI].contains(type)
            else { return nil }
            let string = value.assumingMemoryBound(to: ASN1_STRING.self).pointee
            let octets = [UInt8](UnsafeBufferPointer(start: string.data, count: Int(string.length)))
            switch type {
            case GEN_DNS: return .dns(String(decoding: octets, as: UTF8.self))
            case GEN_IPADD: return .address(octets)
            case GEN_EMAIL: return .email(String(decoding: octets, as: UTF8.self))
            default: return .uri(String(decoding: octets, as: UTF8.self))
            }
        }
    }
}
