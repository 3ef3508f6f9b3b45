public import Pinning

extension CertificateChainCleaner {
    /// Verifies with OpenSSL the signatures that the cleaner follows, as far as Java can verify them.
    public static let verifySignature: SignatureCheck = { issuer, certificate in
        guard let issuer = try? Certificate(der: issuer.der),
            let certificate = try? Certificate(der: certificate.der)
        else { return false }
        return issuer.hasKeyThatJavaVerifiesWith && issuer.hasSigned(certificate, agreement: .byIdentifier)
    }
}

extension OkHttpCertificatePinner.Runtime {
    /// A JVM, with OpenSSL for the signatures that the library follows.
    ///
    /// - Parameter trustRoots: What the application's trust manager accepts as issuers.
    /// - Returns: The runtime.
    public static func jvm(trustRoots: [CertificateFacts]) -> Self {
        .jvm(trustRoots: trustRoots, hasSigned: CertificateChainCleaner.verifySignature)
    }
}
