internal import COpenSSL
internal import Glibc

extension TrustStore {
    /// Trusts what the system trusts, where OpenSSL looks for it: `SSL_CERT_FILE` and `SSL_CERT_DIR`, or the defaults
    /// that it was built with.
    ///
    /// It parses the system's whole bundle, which takes some 50 ms: load it once and share it.
    ///
    /// - Parameter additions: Certificates that are trusted besides.
    /// - Returns: A new store.
    /// - Throws: `OpenSSLError` if the bundle is there but cannot be read, or one of the additions cannot be added.
    public static func system(adding additions: [Certificate] = []) throws -> TrustStore {
        let store = try TrustStore(anchors: additions)
        ERR_clear_error()
        guard store.withHandle({ X509_STORE_set_default_paths($0) }) == 1 else {
            throw OpenSSLError.drain("X509_STORE_set_default_paths")
        }
        return store
    }

    /// Lists what `system()` trusts, for who needs the certificates themselves.
    ///
    /// The bundle, and whatever the folder has under the hash of a name, which is all that OpenSSL finds there. Some
    /// systems have only one of the two: Debian has the folder.
    ///
    /// - Returns: The certificates, each once, in no particular order.
    /// - Throws: `OpenSSLError` if a file is there but cannot be read.
    public static func systemCertificates() throws -> [Certificate] {
        try certificates(
            inBundle: setting(X509_get_default_cert_file_env(), otherwise: X509_get_default_cert_file()),
            folders: setting(X509_get_default_cert_dir_env(), otherwise: X509_get_default_cert_dir()))
    }

    /// Lists what a bundle and folders hold; either may be missing.
    ///
    /// - Parameters:
    ///   - bundle: A file in PEM.
    ///   - folders: Folders of files that are named by a hash, with colons between them.
    /// - Returns: The certificates, each once.
    /// - Throws: `OpenSSLError` if a file is there but cannot be read.
    static func certificates(inBundle bundle: String, folders: String) throws -> [Certificate] {
        let files =
            [bundle].filter { access($0, F_OK) == 0 }
            + folders.split(separator: ":").flatMap { hashedFiles(in: String($0)) }
        let store = try TrustStore(anchors: [])
        ERR_clear_error()
        return try store.withHandle { store throws -> [Certificate] in
            for file in files where X509_STORE_load_file(store, file) != 1 {
                throw OpenSSLError.drain("X509_STORE_load_file (\(file))")
            }
            guard let all = X509_STORE_get1_all_certs(store) else {
                throw OpenSSLError.drain("X509_STORE_get1_all_certs")
            }
            return CertificateStack(owning: all).certificates
        }
    }

    /// The value of a variable of the environment, or what OpenSSL was built with.
    private static func setting(_ variable: UnsafePointer<CChar>?, otherwise standard: UnsafePointer<CChar>?) -> String
    {
        let value = variable.flatMap { getenv($0) }.map { UnsafePointer($0) } ?? standard
        return value.map { String(cString: $0) } ?? ""
    }

    /// The files of a folder that are named by a hash: eight hexadecimal digits, a dot and a number.
    private static func hashedFiles(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var files: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.wholeMatch(of: /[0-9a-f]{8}\.[0-9]+/) != nil { files.append("\(folder)/\(name)") }
        }
        return files.sorted()
    }
}
