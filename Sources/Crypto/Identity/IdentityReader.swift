/// Reads client identities: certificate chains with their keys, as PKCS#12 or PEM.
public enum IdentityReader {
    /// Reads all identities of a file, or of two files that belong together.
    ///
    /// Which kind a file is shows in its bytes: PKCS#12, PEM, or a certificate or key in DER. Keys and certificates are
    /// joined by public key, chains by issuer, whatever their order.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - key: The second file of a pair; the password is for both.
    ///   - time: Now, in seconds since 1970: of two certificates for one key the valid one is chosen.
    ///   - allowsWeakKeys: Whether identities are taken that TLS refuses at its default security level.
    ///   - password: Gives the password, or nil if there is none to be had. It is called once at most, and only if the
    ///     empty password in both of its encodings does not open everything.
    /// - Returns: The identities, at least one.
    /// - Throws: `IdentityError`, or what `password` throws.
    public static func read(
        _ bytes: [UInt8], key: [UInt8]? = nil, at time: Int64, allowsWeakKeys: Bool = false,
        password: () throws -> [UInt8]?
    ) throws -> IdentityContents {
        try read(
            [bytes] + [key].compactMap { $0 }, at: time, allowsWeakKeys: allowsWeakKeys, limits: IdentityLimits(),
            password: password)
    }

    /// Reads all identities of some files within `limits`.
    package static func read(
        _ files: [[UInt8]], at time: Int64, allowsWeakKeys: Bool, limits: IdentityLimits,
        password: () throws -> [UInt8]?
    ) throws -> IdentityContents {
        let files = try files.map { bytes throws(IdentityError) in try IdentityFile(bytes, limits: limits) }
        var unlocking = try unlock(files, Passphrase.empty, limits)
        if unlocking.isLocked {
            guard var entered = try password() else { throw IdentityError.passwordNeeded }
            defer { cleanse(&entered) }
            let second = try unlock(files, Passphrase.forms(of: entered) + Passphrase.empty, limits)
            guard second.opensMore(than: unlocking) else { throw IdentityError.wrongPassword }
            unlocking = second
        }
        return try IdentityAssembly(unlocking, at: time).contents(allowsWeakKeys: allowsWeakKeys)
    }

    private static func unlock(
        _ files: [IdentityFile], _ passphrases: [Passphrase], _ limits: IdentityLimits
    ) throws(IdentityError) -> Unlocking {
        var unlocking = Unlocking(passphrases, limits: limits)
        for file in files { try file.unlock(&unlocking) }
        return unlocking
    }
}
