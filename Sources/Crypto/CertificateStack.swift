internal import COpenSSL
internal import COpenSSLShims

/// The one owner of a `STACK_OF(X509)` that is handed to OpenSSL, or that OpenSSL handed over.
///
/// **Ownership:** owns the stack; its elements belong to the certificates, which it keeps alive.
struct CertificateStack: ~Copyable {
    private let raw: OpaquePointer
    /// The elements, in order.
    let certificates: [Certificate]

    /// Lists certificates in order.
    init(_ certificates: [Certificate]) {
        guard let raw = copenssl_sk_X509_new_null() else { preconditionFailure("no memory for certificates") }
        for certificate in certificates {
            let count = certificate.withHandle { copenssl_sk_X509_push(raw, $0) }
            precondition(count > 0, "no memory for certificates")
        }
        self.raw = raw
        self.certificates = certificates
    }

    /// Takes over a stack and one reference to each of its elements.
    init(owning raw: OpaquePointer) {
        self.raw = raw
        certificates = (0..<max(0, copenssl_sk_X509_num(raw))).compactMap { index in
            copenssl_sk_X509_value(raw, index).map(Certificate.init(owning:))
        }
    }

    /// Takes over a stack, but none of its elements.
    init(borrowing raw: OpaquePointer) {
        self.raw = raw
        certificates = (0..<max(0, copenssl_sk_X509_num(raw))).compactMap { index in
            copenssl_sk_X509_value(raw, index).map { element in
                X509_up_ref(element)
                return Certificate(owning: element)
            }
        }
    }

    deinit { copenssl_sk_X509_free(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}
