/// One way to check servers that a widely copied tutorial teaches, right or wrong (PS-11).
public struct Tutorial: Sendable, Hashable {
    /// What its code does about the server.
    public enum ServerCheck: Sendable, Hashable {
        /// AFNetworking 3.x.
        case securityPolicy(AFSecurityPolicy.Mode, allowInvalid: Bool, validatesDomain: Bool)
        /// AFNetworking 3.x with its default policy, which took the place of the code's own before it was asked.
        case replacedByDefaultPolicy
        /// AFNetworking 3.x without host checking, for the certificates of the tutorial's own script.
        case scriptCertificate
        /// AFNetworking 2.5.3 with patched counts, after the pins were made anchors beside the platform's.
        case patchedSecurityPolicy25(AFSecurityPolicy.Mode)
        /// The platform's evaluation with anchors of the app's own.
        case customAnchors(besidePlatform: Bool)
        /// The server's certificate equals a file.
        case leafBytes
        /// The host is on a list.
        case hostList
        /// This identity is the answer.
        case identityForEveryChallenge(IdentityUse)
        /// Nothing: the policy object is never asked.
        case unaskedPolicy
    }

    /// What the certificates that a user pins are to it.
    public enum PinUse: String, Sendable, CaseIterable {
        /// It cannot work without.
        case needed
        /// The code configures them, and never looks at them.
        case ignored
        /// It has no place for them.
        case none
    }

    /// The name, such as `tutorial-000a`.
    public let name: String
    /// The row of the pinning semantics that describes it.
    public let rule: RuleID
    /// What it does wrong or right, in a sentence.
    public let lesson: String
    /// What its code does about the server.
    public let serverCheck: ServerCheck
    /// Whether its code leaves `http` URLs to the default policy, for which there is nothing to evaluate.
    public let hasPlainBranch: Bool
    /// How its code uses a client identity; nil if it has none.
    public let identity: IdentityUse?
    /// What of it could not be confirmed on the platform; nil if the verdict depends on nothing of the kind.
    public let unconfirmed: String?

    init(
        _ name: String, _ rule: String, _ serverCheck: ServerCheck, hasPlainBranch: Bool = false,
        identity: IdentityUse? = nil, unconfirmed: String? = nil, _ lesson: String
    ) {
        self.name = name
        self.rule = RuleID(rule)
        self.lesson = lesson
        self.serverCheck = serverCheck
        self.hasPlainBranch = hasPlainBranch
        if case .identityForEveryChallenge(let use) = serverCheck {
            self.identity = use
        } else {
            self.identity = identity
        }
        self.unconfirmed = unconfirmed
    }

    /// Finds a tutorial by its name.
    ///
    /// - Parameter name: The name as it stands in `all`.
    /// - Returns: The tutorial; nil if there is none of that name.
    public static func named(_ name: String) -> Tutorial? { all.first { $0.name == name } }

    /// What the certificates that a user pins are to it.
    public var pinUse: PinUse {
        switch serverCheck {
        case .securityPolicy(.none, _, _), .hostList: .none
        case .identityForEveryChallenge, .replacedByDefaultPolicy, .unaskedPolicy: .ignored
        case .customAnchors, .leafBytes, .patchedSecurityPolicy25, .scriptCertificate, .securityPolicy: .needed
        }
    }

    /// Whether it goes by a list of hosts.
    public var usesHostList: Bool { serverCheck == .hostList }
}
