public import Crypto

extension TLSIdentity {
    /// Loads what an endpoint proves itself with from PEM files.
    ///
    /// - Parameters:
    ///   - certificateFile: The chain, in any order.
    ///   - keyFile: The leaf's key, not encrypted, to which nobody but the owner has access; may be the same file.
    /// - Returns: The identity, its chain from the leaf up as far as the file holds it.
    /// - Throws: `AuthorityError`.
    public static func load(certificateFile: String, keyFile: String) throws -> TLSIdentity {
        let key = try CertificateAuthority.loadKey(keyFile)
        let certificates = try CertificateAuthority.loadCertificates(certificateFile)
        guard let leaf = certificates.first(where: key.belongs) else {
            throw AuthorityError(
                .mismatch, "the key in \(keyFile) belongs to no certificate in \(certificateFile)",
                hint: "name the two files that were made together")
        }
        return TLSIdentity(chain: [leaf] + CertificateAuthority.issuers(of: leaf, among: certificates), key: key)
    }
}
