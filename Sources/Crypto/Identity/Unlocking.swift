internal import COpenSSL

/// A private key as it was found.
struct FoundKey {
    let key: PrivateKey
    let name: String?
}

/// A certificate as it was found.
struct FoundCertificate {
    let certificate: Certificate
    let name: String?
}

/// One attempt to open the files with some passwords, and what came of it.
struct Unlocking {
    /// The keys that were found, each once, in order.
    private(set) var keys: [FoundKey] = []
    /// The certificates that were found, each once, in order.
    private(set) var certificates: [FoundCertificate] = []
    /// What is remarkable so far, each once.
    private(set) var warnings: [IdentityWarning] = []
    /// Why parts were passed over.
    private(set) var problems: [IdentityError] = []
    /// How many parts no password opens.
    private(set) var lockedParts = 0
    /// How many files deny all of the passwords by their MAC.
    private(set) var deniedFiles = 0

    /// The passwords to try, in order.
    let passphrases: [Passphrase]
    private let limits: IdentityLimits
    private var rounds: UInt64 = 0
    private var parts = 0

    /// Begins an attempt.
    init(_ passphrases: [Passphrase], limits: IdentityLimits) {
        self.passphrases = passphrases
        self.limits = limits
    }

    /// Whether another password could open more.
    var isLocked: Bool { lockedParts + deniedFiles > 0 }

    /// Whether this opened more than `earlier` did.
    func opensMore(than earlier: Unlocking) -> Bool {
        (deniedFiles, lockedParts) < (earlier.deniedFiles, earlier.lockedParts)
    }

    /// Notes something remarkable.
    mutating func warn(_ warning: IdentityWarning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Notes why a part is passed over.
    mutating func passOver(_ problem: IdentityError) { problems.append(problem) }

    /// Notes that a file's MAC denies the passwords.
    mutating func denied() { deniedFiles += 1 }

    /// Counts a part: a bag or a block.
    mutating func countPart() throws(IdentityError) {
        parts += 1
        guard parts <= limits.parts else { throw .tooCostly("it has more than \(limits.parts) parts") }
    }

    /// Counts the rounds of a key derivation before it is done.
    mutating func spend(_ cost: UInt64) throws(IdentityError) {
        let (sum, overflow) = rounds.addingReportingOverflow(cost)
        guard !overflow, sum <= limits.rounds else {
            throw .tooCostly("its passwords take more than \(limits.rounds) rounds of key derivation")
        }
        rounds = sum
    }

    /// Tries the passwords one after the other on an encrypted part.
    ///
    /// - Parameters:
    ///   - scheme: How the part is encrypted.
    ///   - attempt: Decrypts it with one password; nil if that failed, with OpenSSL's reason in its queue.
    /// - Returns: What the attempt returned; nil if none opens it, which is noted.
    /// - Throws: `IdentityError.tooCostly`.
    mutating func open<R>(_ scheme: EncryptionScheme, _ attempt: (Passphrase) -> R?) throws(IdentityError) -> R? {
        try spend(scheme.rounds)
        for passphrase in passphrases {
            ERR_clear_error()
            if let opened = attempt(passphrase) {
                if scheme.isLegacy { warn(.legacyEncryption(scheme.name)) }
                return opened
            }
            if OpenSSLError.drain("decryption").isUnsupported {
                passOver(.unsupportedAlgorithm(scheme.name))
                return nil
            }
        }
        lockedParts += 1
        return nil
    }

    /// Adds a key.
    mutating func add(_ key: PrivateKey, name: String?) throws(IdentityError) {
        guard key.isForSignatures else { return passOver(.unsupportedAlgorithm("a key of the kind \(key)")) }
        guard !keys.contains(where: { $0.key.publicKey == key.publicKey }) else { return }
        guard keys.count < limits.keys else { throw .tooCostly("it has more than \(limits.keys) keys") }
        keys.append(FoundKey(key: key, name: name))
    }

    /// Adds a certificate.
    mutating func add(_ certificate: Certificate, name: String?) {
        if !certificates.contains(where: { $0.certificate == certificate }) {
            certificates.append(FoundCertificate(certificate: certificate, name: name))
        }
    }
}

extension OpenSSLError {
    /// Whether an algorithm is missing, as opposed to a wrong password or damaged contents.
    var isUnsupported: Bool {
        // ERR_R_UNSUPPORTED, which is what fetching answers; Swift does not see that macro.
        let fetching: Int32 = 268 | 0x2 << 18
        let reasons = [
            fetching, EVP_R_UNKNOWN_PBE_ALGORITHM, EVP_R_UNKNOWN_CIPHER, EVP_R_UNKNOWN_DIGEST,
            EVP_R_UNSUPPORTED_ALGORITHM, EVP_R_UNSUPPORTED_CIPHER, EVP_R_UNSUPPORTED_KEYLENGTH,
            EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION, EVP_R_UNSUPPORTED_PRF, EVP_R_UNSUPPORTED_SALT_TYPE,
        ]
        return entries.contains { $0.library == ERR_LIB_EVP && reasons.contains($0.reason) }
    }
}

extension PrivateKey {
    /// Whether TLS can sign with such a key.
    fileprivate var isForSignatures: Bool {
        let kinds = [EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_EC, EVP_PKEY_ED25519, EVP_PKEY_ED448]
        return withHandle { kinds.contains(EVP_PKEY_get_base_id($0)) }
    }
}
