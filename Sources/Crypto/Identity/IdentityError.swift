/// Why a file gives no identity.
public enum IdentityError: Error, Hashable, Sendable {
    /// The password that was given opens nothing.
    case wrongPassword
    /// A password is needed, and there is none to be had.
    case passwordNeeded
    /// There are certificates, or nothing at all, but no private key.
    case noKey
    /// There is a private key, but no certificate.
    case noCertificate
    /// No key belongs to any of the certificates; both are described.
    case keyDoesNotMatch(keys: [String], certificates: [String])
    /// An algorithm that OpenSSL does not have here, by name.
    case unsupportedAlgorithm(String)
    /// TLS refuses the identity at its default security level; says what for.
    case weakKey(String)
    /// More than one identity could be meant; they are described.
    case severalIdentities([String])
    /// No identity is called like this; those that are there are described.
    case noSuchIdentity(String, [String])
    /// Something else than an identity; says what, as far as that can be told.
    case notAnIdentityFile(String)
    /// An identity file that cannot be read to its end; says where or why.
    case damaged(String)
    /// Reading it would take more than is sensible; says of what.
    case tooCostly(String)
}

extension IdentityError: CustomStringConvertible {
    /// What went wrong and how to mend it, in one line without a full stop.
    public var description: String { "\(message); \(hint)" }

    /// What went wrong; no full stop.
    public var message: String {
        switch self {
        case .wrongPassword: "the password is wrong"
        case .passwordNeeded: "a password is needed"
        case .noKey: "there is no private key in it"
        case .noCertificate: "there is a private key in it, but no certificate"
        case .keyDoesNotMatch(let keys, let certificates):
            "the key (\(shortList(keys))) belongs to none of the certificates (\(shortList(certificates)))"
        case .unsupportedAlgorithm(let name): "\(name) is not supported"
        case .weakKey(let what): "TLS refuses it as too weak: \(what)"
        case .severalIdentities(let found):
            "there are \(found.count) identities that could be meant: \(found.joined(separator: "; "))"
        case .noSuchIdentity(let wanted, let found):
            "no identity in it is called “\(wanted)”; there are: \(found.joined(separator: "; "))"
        case .notAnIdentityFile(let what): "it is no identity file but \(what)"
        case .damaged(let why): "it is damaged: \(why)"
        case .tooCostly(let what): "it is refused: \(what)"
        }
    }

    /// How to mend it; no full stop.
    public var hint: String {
        switch self {
        case .wrongPassword: "give the one that the file was made with"
        case .passwordNeeded: "give it from a file or from the environment, or run this on a terminal to be asked"
        case .noKey: "export the identity together with its key, or name the key's file too"
        case .noCertificate: "name the file with the certificate too"
        case .keyDoesNotMatch: "name two files that were made together"
        case .unsupportedAlgorithm: "convert the file with the program that wrote it, to AES-256 or to unencrypted PEM"
        case .weakKey: "get a stronger one, or allow it with --identity-allow-weak"
        case .severalIdentities, .noSuchIdentity:
            "choose one by its subject, its friendly name or the first 8 or more digits of its fingerprint"
        case .notAnIdentityFile: "give a PKCS#12 file (.p12, .pfx) or PEM text with key and certificates"
        case .damaged: "export or copy it again"
        case .tooCostly: "export it anew, with usual settings"
        }
    }
}

/// As many of `names` as people still read.
func shortList(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: "; ")
    return names.count > 5 ? "\(shown); and \(names.count - 5) more" : shown
}
