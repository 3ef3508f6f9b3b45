/// What an app does with its client identity.
public enum IdentityConduct: Hashable, Sendable {
    /// It has none, or gives it to nobody.
    case never
    /// It answers a request for a client certificate, whichever server asks: with the leaf alone, or with its chain.
    case whenAsked(leafOnly: Bool)
    /// It answers every challenge with it, the one about the server too, which is therefore never evaluated.
    case always
}

extension IdentityConduct: CustomStringConvertible {
    /// The conduct in one line, as of an app.
    public var description: String {
        switch self {
        case .never: "no identity is given to anyone"
        case .whenAsked(leafOnly: true): "the identity's leaf, without its chain, is given to any server that asks"
        case .whenAsked(leafOnly: false): "the identity with its chain is given to any server that asks"
        case .always: "the identity is the answer to every challenge, the one about the server too"
        }
    }
}

/// What an app answers to challenges that are neither about the server nor for a client certificate, such as HTTP Basic.
///
/// They come after the handshake, so no verdict depends on it.
public enum OtherChallenges: String, Hashable, Sendable {
    /// The platform's default handling.
    case platform
    /// The client identity, which is no answer to them.
    case identity
    /// The request is cancelled.
    case cancel
}

/// The password that an app's code gives for its PKCS#12 file.
public enum IdentityPassword: String, Hashable, Sendable, CaseIterable {
    /// The file's own.
    case right
    /// Another.
    case wrong
    /// The empty text.
    case empty
}

extension IdentityPassword: CustomStringConvertible {
    /// The password in a few words; never itself.
    public var description: String {
        switch self {
        case .right: "its password"
        case .wrong: "a wrong password"
        case .empty: "the empty password"
        }
    }
}

/// How an app's code uses a client identity.
public struct IdentityUse: Hashable, Sendable {
    /// The name of the PKCS#12 file.
    public let file: String
    /// Whether the empty text is the file's password.
    public let hasEmptyPassword: Bool
    /// What the code does with the identity once it has it.
    public let conduct: IdentityConduct
    /// What it answers to challenges of other kinds.
    public let otherChallenges: OtherChallenges

    /// Describes a use.
    public init(
        file: String, hasEmptyPassword: Bool = false, conduct: IdentityConduct, otherChallenges: OtherChallenges
    ) {
        self.file = file
        self.hasEmptyPassword = hasEmptyPassword
        self.conduct = conduct
        self.otherChallenges = otherChallenges
    }

    /// Whether the file opens; if not there is no identity, and the platform handles what it was to answer.
    public func opens(with password: IdentityPassword) -> Bool {
        switch password {
        case .right: true
        case .wrong: false
        case .empty: hasEmptyPassword
        }
    }
}
