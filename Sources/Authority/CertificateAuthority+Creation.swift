internal import COpenSSL
public import Crypto
public import Wire

extension CertificateAuthority {
    /// The names of the files that `create` makes.
    public enum FileName {
        /// The certificate; for an intermediate the root follows it.
        public static let certificate = "ca.pem"
        /// The private key.
        public static let key = "ca.key"
    }

    /// Makes a CA that lives for a day and whose key is never written anywhere.
    ///
    /// - Parameters:
    ///   - name: What its subject begins with; the subject says TEST ONLY in any case, and ends in random digits, so
    ///     that no two CAs share a name.
    ///   - key: The kind of its key.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The CA.
    /// - Throws: `AuthorityError`.
    public static func ephemeral(
        name: String = "Pinproof", key: KeyKind = .p256, now: Int64
    ) throws -> CertificateAuthority {
        try make(Plan(name: name, key: key, days: 1), now: now).authority
    }

    /// Makes a CA that nobody is given, so that what it signs is trusted nowhere.
    ///
    /// Its key is never written anywhere either.
    static func stranger(now: Int64) throws -> CertificateAuthority {
        try make(Plan(name: "Pinproof untrusted", key: .p256, days: 397), now: now).authority
    }

    /// Makes a CA to install on devices, in the files `ca.pem` and `ca.key` of a folder.
    ///
    /// The folder is made (0700) if it does not exist; if it does, nobody but its owner may have access. The key is
    /// written with mode 0600. Nothing is overwritten, and nothing is left behind if something fails.
    ///
    /// With an intermediate, a root that clients trust signs the CA, which signs leaves and is sent along with them. The
    /// root's key is never written anywhere. Constraints are the intermediate's then, because some clients do not look at
    /// those of a root.
    ///
    /// - Parameters:
    ///   - folder: Where the files go.
    ///   - key: The kind of the CA's key: P-256, or RSA of 2048 to 4096 bits.
    ///   - days: How long the CA lives from now on: 1 to 3650 days.
    ///   - permitted: What it may issue for: names with all below them, and addresses; empty for anything.
    ///   - intermediate: Whether it is an intermediate below a root.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The CA.
    /// - Throws: `AuthorityError`.
    public static func create(
        in folder: String, key: KeyKind = .p256, days: Int = 397, permitting permitted: [HostName] = [],
        intermediate: Bool = false, now: Int64
    ) throws -> CertificateAuthority {
        guard (1...3650).contains(days) else {
            throw AuthorityError(
                .badRequest, "a CA cannot live for \(days) days", hint: "choose 1 to 3650; 397 is the usual")
        }
        if key == .ed25519 {
            throw AuthorityError(
                .badRequest, "an Ed25519 key does not suit a CA to install: browsers and phones do not verify it",
                hint: "choose P-256, or RSA of 2048 to 4096 bits")
        }
        if case .rsa(let bits) = key, !(2048...4096).contains(bits) {
            throw AuthorityError(
                .badRequest, "an RSA key of \(bits) bits does not suit a CA", hint: "choose 2048 to 4096, or P-256")
        }
        let home = try PrivateFolder(folder)
        let files = [FileName.key, FileName.certificate]
        // Before the key is made: RSA takes a while.
        try home.requireAbsent(files)
        let plan = Plan(name: "Pinproof", key: key, days: days, permitted: permitted, isIntermediate: intermediate)
        let made = try make(plan, now: now)
        var secret = made.key.pem()
        defer { cleanse(&secret) }
        let path = [made.authority.certificate] + [made.authority.root].compactMap { $0 }
        let certificates = path.first == path.last ? path.prefix(1) : path[...]
        try home.write([
            NewFile(name: FileName.key, mode: 0o600, contents: secret),
            NewFile(name: FileName.certificate, mode: 0o644, contents: Array(certificates.map(\.pem).joined().utf8)),
        ])
        return made.authority
    }

    /// The subject of a CA: it says what it is for, and no two are the same.
    static func testSubject(_ name: String, kind: String = "CA") -> DistinguishedName {
        let suffix = Hex.encode((0..<4).map { _ in UInt8.random(in: 0...255) })
        return [("O", name), ("CN", "\(name) TEST ONLY \(kind) \(suffix)")]
    }

    /// What kind of CA is made.
    private struct Plan {
        var name: String
        var key: KeyKind
        var days: Int
        var permitted: [HostName] = []
        var isIntermediate = false
    }

    private static func make(_ plan: Plan, now: Int64) throws -> (authority: CertificateAuthority, key: PrivateKey) {
        func template(_ kind: String, pathLength: Int?) -> CertificateTemplate {
            .authority(
                subject: testSubject(plan.name, kind: kind), notBefore: now - Lifetime.backdating,
                notAfter: now + Int64(plan.days) * Lifetime.day, pathLength: pathLength)
        }
        do {
            let root = plan.isIntermediate ? try template("CA", pathLength: 1).identity(key: .generate(plan.key)) : nil
            var own = root == nil ? template("CA", pathLength: nil) : template("intermediate CA", pathLength: 0)
            if !plan.permitted.isEmpty { own.nameConstraints = NameConstraints(permitting: plan.permitted) }
            let identity = try own.identity(key: .generate(plan.key), issuer: root)
            let authority = CertificateAuthority(
                certificate: identity.chain[0], issuers: root?.chain ?? [], key: identity.key)
            return (authority, identity.key)
        } catch let error as OpenSSLError {
            throw AuthorityError(
                .minting, "cannot make a CA \"\(plan.name)\" (\(plan.key)): \(error)",
                hint: "use a name of at most 40 characters and a P-256 or RSA 2048 key")
        }
    }
}

/// Overwrites bytes that were a secret.
func cleanse(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
}
