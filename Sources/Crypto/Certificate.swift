internal import COpenSSL

// Sendable: an X509 is not written to after it was made, and its reference count and caches are guarded by OpenSSL.
/// An X.509 certificate.
///
/// **Ownership:** holds one reference to an `X509`. Sharing it is cheap; decoding one costs several signatures, so
/// decode once and share. **Thread:** immutable, so usable from any thread.
public final class Certificate: @unchecked Sendable {
    private let handle: CertificateHandle

    /// The encoding, byte for byte as it was received or signed.
    public let der: [UInt8]
    /// The SHA-256 of `der`, by which certificates are told apart.
    public let sha256: [UInt8]

    /// Takes over one reference to `raw`.
    package convenience init(owning raw: OpaquePointer) { self.init(CertificateHandle(owning: raw)) }

    /// Takes over a certificate that is complete and signed.
    init(_ handle: consuming CertificateHandle) {
        guard let der = handle.withPointer({ raw in encoded { i2d_X509(raw, $0) } }) else {
            preconditionFailure("a decoded or signed certificate encodes")
        }
        self.handle = handle
        self.der = der
        sha256 = Digest.sha256(der)
    }

    /// Decodes one DER certificate.
    ///
    /// - Parameter der: The certificate; nothing may follow it.
    /// - Throws: `OpenSSLError` if it does not decode.
    public init(der: [UInt8]) throws {
        ERR_clear_error()
        var consumed = 0
        let decoded = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            let certificate = d2i_X509(nil, &cursor, buffer.count)
            consumed = cursor.map { $0 - start } ?? 0
            return certificate
        }
        guard let decoded else { throw OpenSSLError.drain("d2i_X509") }
        handle = CertificateHandle(owning: decoded)
        self.der = der
        sha256 = Digest.sha256(der)
        guard consumed == der.count else { throw OpenSSLError.drain("d2i_X509 (bytes follow the certificate)") }
    }

    /// Lends the handle; it is valid only inside `body`.
    package func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R {
        try handle.withPointer(body)
    }
}

extension Certificate: Hashable {
    /// Certificates are equal when their encodings are.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.sha256 == right.sha256 }

    /// Hashes what equality looks at.
    public func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

/// The one owner of an `X509`, while it is built and afterwards.
struct CertificateHandle: ~Copyable {
    private let raw: OpaquePointer

    /// Takes over one reference to `raw`.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Makes an empty certificate to fill in.
    init() {
        guard let raw = X509_new() else { preconditionFailure("no memory for a certificate") }
        self.raw = raw
    }

    deinit { X509_free(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}
