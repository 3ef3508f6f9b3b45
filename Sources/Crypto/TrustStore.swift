internal import COpenSSL

// Sendable: OpenSSL locks an X509_STORE itself, and nothing here writes to it after it was made.
/// The certificates that a verification may end in.
///
/// An anchor need not be a root: whatever certificate is listed is trusted as it stands, an intermediate or a leaf
/// too.
///
/// **Ownership:** holds one reference to an `X509_STORE`. **Thread:** usable from any thread.
public final class TrustStore: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Trusts exactly `anchors`.
    ///
    /// - Parameter anchors: The trusted certificates; none at all means that nothing is trusted.
    /// - Throws: `OpenSSLError` if one cannot be added.
    public init(anchors: [Certificate]) throws {
        raw = TrustStore.makeStore()
        ERR_clear_error()
        for anchor in anchors {
            guard anchor.withHandle({ X509_STORE_add_cert(raw, $0) }) == 1 else {
                throw OpenSSLError.drain("X509_STORE_add_cert")
            }
        }
    }

    /// Trusts certificates that decoded before, which OpenSSL has no reason to refuse.
    convenience init(exactly anchors: [Certificate]) {
        do {
            try self.init(anchors: anchors)
        } catch {
            preconditionFailure("a store takes every certificate: \(error)")
        }
    }

    deinit { X509_STORE_free(raw) }

    /// Lends the handle; it is valid only inside `body`.
    package func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }

    private static func makeStore() -> OpaquePointer {
        guard let store = X509_STORE_new() else { preconditionFailure("out of memory") }
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return store
    }
}

extension TrustStore {
    /// Says whether a certificate is itself an anchor.
    func contains(_ certificate: Certificate) -> Bool { namesakes(of: certificate).contains(certificate) }

    /// The anchors that have the subject of a certificate.
    func namesakes(of certificate: Certificate) -> [Certificate] {
        certificate.withHandle { certificates(named: X509_get_subject_name($0)) }
    }

    /// The anchors that have the name of a certificate's issuer; whether one signed it is not looked at.
    func possibleIssuers(of certificate: Certificate) -> [Certificate] {
        certificate.withHandle { certificates(named: X509_get_issuer_name($0)) }
    }

    private func certificates(named name: OpaquePointer?) -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // A store that finds its certificates in a folder, by a hash of the name, only finds them by way of a context.
        let context = VerificationContext()
        return withHandle { store in
            guard X509_STORE_CTX_init(context.raw, store, nil, nil) == 1,
                let found = X509_STORE_CTX_get1_certs(context.raw, name)
            else { return [] }
            return CertificateStack(owning: found).certificates
        }
    }
}
