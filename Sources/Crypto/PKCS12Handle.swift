internal import COpenSSL

/// The one owner of a `PKCS12`, read or written.
struct PKCS12Handle: ~Copyable {
    private let raw: OpaquePointer

    /// Takes over a file that was made or decoded.
    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { PKCS12_free(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}
