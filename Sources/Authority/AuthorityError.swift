/// Why a CA cannot be made, loaded or used.
public struct AuthorityError: Error, Sendable {
    /// What went wrong, by which errors are told apart.
    public enum Fault: Hashable, Sendable {
        /// A file or folder cannot be read or written.
        case inputOutput
        /// A file that would be made exists already.
        case exists
        /// Others than the owner have access to a key or its folder.
        case notPrivate
        /// A file does not hold the certificate or key that is looked for.
        case unreadable
        /// The key is protected by a password.
        case encryptedKey
        /// Key and certificate do not belong together.
        case mismatch
        /// The certificate may not issue others.
        case notAuthority
        /// The CA's time is over.
        case expired
        /// The CA's time has not come.
        case notYetValid
        /// The CA's name constraints forbid a name.
        case notPermitted
        /// A value that was asked for is out of its range.
        case badRequest
        /// OpenSSL refused to make the certificate.
        case minting
    }

    /// What went wrong.
    public let fault: Fault
    /// What went wrong and where, in words.
    public let message: String
    /// How to mend it.
    public let hint: String

    /// Joins the three.
    ///
    /// - Parameters:
    ///   - fault: What went wrong.
    ///   - message: The same in words, with the file or name concerned; no full stop.
    ///   - hint: What to do about it, as an imperative; no full stop.
    public init(_ fault: Fault, _ message: String, hint: String) {
        self.fault = fault
        self.message = message
        self.hint = hint
    }
}

extension AuthorityError: Hashable {
    /// Errors are equal when their faults are; texts may change.
    public static func == (left: AuthorityError, right: AuthorityError) -> Bool { left.fault == right.fault }

    /// Hashes what equality looks at.
    public func hash(into hasher: inout Hasher) { hasher.combine(fault) }
}

extension AuthorityError: CustomStringConvertible {
    /// Message and hint in one line.
    public var description: String { "\(message); \(hint)" }
}
