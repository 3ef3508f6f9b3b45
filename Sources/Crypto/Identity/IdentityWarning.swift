/// What is remarkable about a file that gave an identity all the same.
public enum IdentityWarning: Hashable, Sendable {
    /// Nothing proves that the PKCS#12 file is unchanged: it has no MAC.
    case noMAC
    /// The MAC is made with an algorithm that OpenSSL does not have here, so it was not checked.
    case uncheckedMAC(String)
    /// Something in the file is encrypted with an algorithm of the past, by name.
    case legacyEncryption(String)
    /// Certificates that no identity needs, by subject.
    case unusedCertificates([String])
    /// Keys that belong to no certificate, by kind.
    case unusedKeys([String])
    /// So many keys or bags that the password does not open.
    case locked(Int)
    /// A part of the file that was passed over; says why.
    case unreadablePart(String)
    /// Another certificate for the same key, which was not chosen: it is out of date or older. By description.
    case otherCertificate(String)
    /// The time of the identity with this subject is over.
    case expired(String)
    /// The time of the identity with this subject has not come.
    case notYetValid(String)
    /// TLS refuses the identity at its default security level, and this was allowed; says what for.
    case weak(String)
}

extension IdentityWarning: CustomStringConvertible {
    /// One line without a full stop.
    public var description: String {
        switch self {
        case .noMAC: "the file has no MAC: the password opens it, but nothing proves that it is unchanged"
        case .uncheckedMAC(let name): "its MAC (\(name)) cannot be checked here: nothing proves that it is unchanged"
        case .legacyEncryption(let name): "it is encrypted with \(name), which is weak by today’s measure"
        case .unusedCertificates(let subjects): "no identity needs the certificates of \(shortList(subjects))"
        case .unusedKeys(let kinds): "no certificate belongs to the keys \(shortList(kinds))"
        case .locked(let count): "the password does not open \(count) of its parts"
        case .unreadablePart(let why): "a part of it was passed over: \(why)"
        case .otherCertificate(let which): "another certificate for the same key was not chosen: \(which)"
        case .expired(let subject): "the certificate of \(subject) has expired"
        case .notYetValid(let subject): "the certificate of \(subject) is not valid yet"
        case .weak(let what): "TLS would refuse it as too weak: \(what)"
        }
    }
}
