public import Crypto
internal import Glibc

/// A certificate that was issued for a test set-up, with all that goes with it.
public struct IssuedCertificate: Sendable {
    /// The certificate, what is sent after it, and its key.
    public let identity: TLSIdentity
    /// The root that it ends in, if it is known; the certificate itself if it is a root.
    public let root: Certificate?
    /// The request that it answers.
    public let request: CertificateRequest

    init(_ identity: TLSIdentity, root: Certificate?) throws {
        self.identity = identity
        self.root = root
        request = try CertificateRequest(for: identity.chain[0], key: identity.key)
    }

    /// The certificate itself.
    public var certificate: Certificate { identity.chain[0] }

    /// Key and chain, up to the root if it is known.
    private var whole: TLSIdentity {
        TLSIdentity(
            chain: identity.chain + [root].compactMap { $0 == identity.chain.last ? nil : $0 }, key: identity.key)
    }
}

extension IssuedCertificate {
    /// A file that was written.
    public struct File: Hashable, Sendable {
        /// What it holds.
        public let kind: Kind
        /// Where it is.
        public let path: String
    }

    /// What the files of an issued certificate hold.
    public enum Kind: String, CaseIterable, Sendable {
        /// The private key in PEM, not encrypted.
        case key
        /// The request in PEM.
        case request
        /// The certificate in PEM, and after it what a peer is sent with it: all up to the root, but not the root.
        case certificate
        /// The certificate in DER.
        case der
        /// Key and chain in PKCS#12, up to the root if it is known.
        case pkcs12

        /// What the file's name ends in.
        public var suffix: String {
            switch self {
            case .key: ".key.pem"
            case .request: ".csr"
            case .certificate: ".pem"
            case .der: ".der"
            case .pkcs12: ".p12"
            }
        }

        /// Whether the file is for its owner only.
        fileprivate var isSecret: Bool { self == .key || self == .pkcs12 }
    }

    /// Writes the files `BASE.key.pem`, `BASE.csr`, `BASE.pem`, `BASE.der` and `BASE.p12`: all or none, over nothing.
    ///
    /// The folder is made (0700) if it does not exist. One that is there may be open to others: what is secret is 0600.
    ///
    /// - Parameters:
    ///   - folder: Where the files go.
    ///   - base: What their names begin with; no slash, and not a dot at its beginning.
    ///   - password: What protects the PKCS#12 file, in UTF-8; may be empty.
    /// - Returns: The files.
    /// - Throws: `AuthorityError`.
    public func write(to folder: String, base: String, password: [UInt8]) throws -> [File] {
        var files = try Kind.allCases.map { kind in
            NewFile(
                name: base + kind.suffix, mode: kind.isSecret ? 0o600 : 0o644,
                contents: try contents(kind, friendlyName: base, password: password))
        }
        defer { for index in files.indices { cleanse(&files[index].contents) } }
        let home = try PrivateFolder(folder, mayBeOpen: true)
        try home.requireAbsent(files.map(\.name))
        try home.write(files)
        return zip(Kind.allCases, files).map { File(kind: $0, path: "\(folder)/\($1.name)") }
    }

    /// Throws if one of the files that `write` would make is there already.
    ///
    /// To be asked before the key is made, which may take a while.
    public static func requireAbsent(in folder: String, base: String) throws {
        for kind in Kind.allCases {
            let path = "\(folder)/\(base)\(kind.suffix)"
            var status = stat()
            if lstat(path, &status) == 0 { throw AuthorityError.exists(path) }
        }
    }

    private func contents(_ kind: Kind, friendlyName: String, password: [UInt8]) throws -> [UInt8] {
        switch kind {
        case .key: identity.key.pem()
        case .request: Array(request.pem.utf8)
        case .certificate: Array(identity.chain.map(\.pem).joined().utf8)
        case .der: certificate.der
        case .pkcs12:
            try PKCS12Writer.identity(whole, friendlyName: friendlyName, password: password)
        }
    }
}
