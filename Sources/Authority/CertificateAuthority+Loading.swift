package import Crypto
internal import Wire

extension CertificateAuthority {
    /// Loads a CA from PEM files.
    ///
    /// The first certificate that the key belongs to signs. Certificates that issued it are sent after each leaf,
    /// whatever their order in the file; a root is not, because clients that trust it have it.
    ///
    /// - Parameters:
    ///   - certificateFile: The CA's certificate, perhaps with those above it.
    ///   - keyFile: Its key, not encrypted, to which nobody but the owner has access; may be the same file.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The CA, and one line for each thing that may get in the user's way.
    /// - Throws: `AuthorityError`.
    public static func load(
        certificateFile: String, keyFile: String, now: Int64
    ) throws -> (authority: CertificateAuthority, warnings: [String]) {
        let key = try loadKey(keyFile)
        let certificates = try loadCertificates(certificateFile)
        guard let certificate = certificates.first(where: key.belongs) else {
            throw AuthorityError(
                .mismatch,
                "the key in \(keyFile) (SHA-256 of its public key \(Hex.encode(Digest.sha256(key.publicKey)))) "
                    + "does not belong to the certificate in \(certificateFile) "
                    + "(\(Hex.encode(Digest.sha256(certificates[0].publicKey))))",
                hint: "name the two files that were made together")
        }
        let path = issuers(of: certificate, among: certificates)
        let warnings = try SigningCheck(certificate: certificate, issuers: path, file: certificateFile, now: now)
            .warnings()
        return (CertificateAuthority(certificate: certificate, issuers: path, key: key), warnings)
    }

    static func loadKey(_ path: String) throws -> PrivateKey {
        var text = try readFile(path, mustBePrivate: true)
        defer { cleanse(&text) }
        do {
            return try PrivateKey(pem: text)
        } catch PrivateKeyError.encrypted {
            throw AuthorityError(
                .encryptedKey, "the key in \(path) is protected by a password",
                hint: "remove it with `openssl pkey -in \(path) -out NEW.key` and name the new file")
        } catch {
            throw AuthorityError(
                .unreadable, "\(path) holds no private key in PEM: \(error)",
                hint: "name the file with BEGIN PRIVATE KEY; convert DER with `openssl pkey -inform DER`")
        }
    }

    static func loadCertificates(_ path: String) throws -> [Certificate] {
        let found: [Certificate]
        do {
            found = try Certificate.pem(readFile(path, mustBePrivate: false))
        } catch let error as OpenSSLError {
            throw AuthorityError(
                .unreadable, "a certificate in \(path) is broken: \(error)", hint: "export it again")
        }
        guard !found.isEmpty else {
            throw AuthorityError(
                .unreadable, "\(path) holds no certificate in PEM",
                hint: "name the file with BEGIN CERTIFICATE; convert DER with `openssl x509 -inform DER`")
        }
        return found
    }

    /// The certificates above `certificate`, nearest first, as far as `others` holds them.
    package static func issuers(of certificate: Certificate, among others: [Certificate]) -> [Certificate] {
        var rest = others.filter { $0 != certificate }
        var path: [Certificate] = []
        var last = certificate
        while !last.isSelfSigned,
            let index = rest.firstIndex(where: { $0.isAuthority && last.isIssued(by: $0) })
        {
            last = rest.remove(at: index)
            path.append(last)
        }
        return path
    }
}
