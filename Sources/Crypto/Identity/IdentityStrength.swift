internal import COpenSSL
internal import Wire

/// Asks TLS itself whether it takes an identity at the default security level, which distributions choose.
struct IdentityStrength {
    private let context: TLSContext
    private let host: HostName

    /// Makes ready to ask.
    ///
    /// - Throws: `OpenSSLError` if TLS cannot be had at all.
    init() throws {
        guard let host = HostName("identity.invalid") else { preconditionFailure("a literal host name") }
        self.host = host
        context = try TLSContext.client(trust: nil)
    }

    /// Says what TLS refuses an identity for.
    ///
    /// - Parameter identity: What would be presented.
    /// - Returns: The certificate's key or signature that is too weak, in words; nil if nothing is.
    /// - Throws: `IdentityError.unsupportedAlgorithm` if TLS refuses it for another reason.
    func weakness(of identity: TLSIdentity) throws(IdentityError) -> String? {
        for (index, certificate) in identity.chain.enumerated() {
            let part = TLSIdentity(chain: Array(identity.chain[...index]), key: identity.key)
            guard let refusal = refusal(of: part) else { continue }
            let reasons = refusal.entries.filter { $0.library == ERR_LIB_SSL }.map(\.reason)
            if reasons.contains(SSL_R_EE_KEY_TOO_SMALL) || reasons.contains(SSL_R_CA_KEY_TOO_SMALL) {
                let key = certificate.keyDescription
                let place = index == 0 ? "" : " in the certificate of \(certificate.subject)"
                return key + (key.hasPrefix("RSA") ? " bits" : "") + place
            }
            guard reasons.contains(SSL_R_CA_MD_TOO_WEAK) else {
                throw .unsupportedAlgorithm("the certificate of \(certificate.subject) in TLS (\(refusal))")
            }
            return "the signature \(certificate.signatureName) on the certificate of \(certificate.subject)"
        }
        return nil
    }

    /// What TLS says to this identity; nil if it takes it.
    private func refusal(of identity: TLSIdentity) -> OpenSSLError? {
        do {
            try TLSSession.connecting(context, to: host, verify: .trustAndName, alpn: []).present(identity)
            return nil
        } catch {
            return error as? OpenSSLError ?? OpenSSLError(function: "\(error)", entries: [])
        }
    }
}

extension Certificate {
    /// The algorithm of the signature, such as "sha1WithRSAEncryption".
    fileprivate var signatureName: String {
        withHandle { OBJ_nid2ln(X509_get_signature_nid($0)).map { String(cString: $0) } ?? "unknown" }
    }
}
