internal import COpenSSL

/// A `BIO` over a file, for one call that reads it piece by piece.
///
/// **Ownership:** frees the `BIO`, which closes the file.
struct FileBIO: ~Copyable {
    private let raw: OpaquePointer

    /// Opens a file to read it.
    init(reading path: String) throws {
        guard let raw = BIO_new_file(path, "rb") else { throw OpenSSLError.drain("BIO_new_file") }
        self.raw = raw
    }

    deinit { BIO_vfree(raw) }

    /// Lends the handle; it is valid only inside `body`.
    borrowing func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}
