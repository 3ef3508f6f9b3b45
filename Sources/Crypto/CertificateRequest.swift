internal import COpenSSL
internal import COpenSSLShims

/// A certificate signing request (PKCS#10, RFC 2986).
public struct CertificateRequest: Sendable {
    /// The request in DER.
    public let der: [UInt8]

    /// Makes the request that a certificate is the answer to: the same subject, key, and what else a subject asks for.
    ///
    /// - Parameters:
    ///   - certificate: The answer.
    ///   - key: The key that it certifies, which signs the request.
    /// - Throws: `OpenSSLError` if OpenSSL cannot make it.
    public init(for certificate: Certificate, key: PrivateKey) throws {
        ERR_clear_error()
        let request = RequestHandle()
        let der = try request.withPointer { request in
            try require(X509_REQ_set_version(request, Int(X509_REQ_VERSION_1)), "X509_REQ_set_version")
            try require(
                certificate.withHandle { X509_REQ_set_subject_name(request, X509_get_subject_name($0)) },
                "X509_REQ_set_subject_name")
            try require(key.withHandle { X509_REQ_set_pubkey(request, $0) }, "X509_REQ_set_pubkey")
            let extensions = try RequestedExtensions(of: certificate)
            let added = extensions.withPointer { $0.map { X509_REQ_add_extensions(request, $0) } ?? 1 }
            try require(added, "X509_REQ_add_extensions")
            let signed = key.withHandle {
                X509_REQ_sign(request, $0, CertificateTemplate.SignatureDigest.sha256.algorithm(for: $0))
            }
            try require(signed > 0, "X509_REQ_sign")
            return encoded { i2d_X509_REQ(request, $0) }
        }
        guard let der else { throw OpenSSLError.drain("i2d_X509_REQ") }
        self.der = der
    }

    /// The request in PEM, ended by a line feed.
    public var pem: String {
        let text = ScratchBIO()
        let written = text.withHandle { PEM_write_bio($0, PEM_STRING_X509_REQ, "", der, der.count) }
        precondition(written > 0, "writing to memory fails only without memory")
        return String(decoding: text.contents(), as: UTF8.self)
    }
}

/// The one owner of a stack of the extensions that a request asks for.
private struct RequestedExtensions: ~Copyable {
    /// The stack; none if there are no extensions.
    private let raw: OpaquePointer?

    /// Copies them from a certificate: all but the identifiers of keys, which the issuer gives.
    init(of certificate: Certificate) throws {
        var stack: OpaquePointer?
        let added = certificate.withHandle { raw in
            (0..<X509_get_ext_count(raw)).allSatisfy { index in
                guard let found = X509_get_ext(raw, index) else { return false }
                let type = OBJ_obj2nid(X509_EXTENSION_get_object(found))
                if [NID_subject_key_identifier, NID_authority_key_identifier].contains(type) { return true }
                return X509v3_add_ext(&stack, found, -1) != nil
            }
        }
        guard added else { preconditionFailure("no memory for extensions") }
        raw = stack
    }

    deinit { copenssl_sk_X509_EXTENSION_pop_free(raw) }

    borrowing func withPointer<R>(_ body: (OpaquePointer?) throws -> R) rethrows -> R { try body(raw) }
}

/// The one owner of an `X509_REQ`.
private struct RequestHandle: ~Copyable {
    private let raw: OpaquePointer

    init() {
        guard let raw = X509_REQ_new() else { preconditionFailure("no memory for a request") }
        self.raw = raw
    }

    deinit { X509_REQ_free(raw) }

    borrowing func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(raw) }
}
