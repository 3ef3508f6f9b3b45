internal import COpenSSL

// Sendable: an X509 is not written to after it was made, and its reference count and caches are guarded by OpenSSL.
/// An X.509 certificate.
///
/// **Ownership:** holds one reference to an `X509`. Sharing it is cheap; decoding one costs several signatures, so
/// decode once and share. **Thread:** immutable, so usable from any thread.
public final class Certificate: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Takes over one reference to `raw`.
    package init(owning raw: OpaquePointer) { self.raw = raw }

    /// Decodes one DER certificate.
    ///
    /// - Parameter der: The certificate; nothing may follow it.
    /// - Throws: `OpenSSLError` if it does not decode.
    public init(der: [UInt8]) throws {
        ERR_clear_error()
        let decoded = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &cursor, buffer.count) else { return nil }
            guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let decoded else { throw OpenSSLError.drain("d2i_X509") }
        raw = decoded
    }

    deinit { X509_free(raw) }

    /// Lends the handle; it is valid only inside `body`.
    package func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}
