public import Wire

/// A tutorial's code at work: with the pins, hosts and password that it is given.
///
/// Each knob is a policy of its own; this one chooses, and names the tutorial's row as the rule that decided, with the
/// library's own step beside it.
public struct TutorialPolicy: PinningPolicy {
    /// Whose code it is.
    public let tutorial: Tutorial
    /// What the code gives as its identity's password.
    public let password: IdentityPassword
    private let server: any PinningPolicy

    /// Configures a tutorial's code.
    ///
    /// - Parameters:
    ///   - tutorial: Whose code it is.
    ///   - pins: The certificates that stand in for the tutorial's files; what has no place for them ignores them.
    ///   - hosts: The hosts to list, for a tutorial with a list of hosts.
    ///   - password: What the code gives as its identity's password.
    public init(
        _ tutorial: Tutorial, pins: [AFSecurityPolicy.Pin] = [], hosts: [HostName] = Tutorial.listedHosts,
        password: IdentityPassword = .right
    ) {
        self.tutorial = tutorial
        self.password = password
        server =
            switch tutorial.serverCheck {
            case .securityPolicy(let mode, let allowInvalid, let validatesDomain):
                AFSecurityPolicy(
                    mode: mode, pins: pins, allowInvalidCertificates: allowInvalid, validatesDomainName: validatesDomain
                )
            case .replacedByDefaultPolicy: AFSecurityPolicy()
            case .scriptCertificate: ScriptCertificatePolicy(pins: pins)
            case .patchedSecurityPolicy25(let mode):
                AFSecurityPolicy(
                    version: LibraryVersion(2, 5, 3), mode: mode, pins: pins, allowInvalidCertificates: true,
                    validatesDomainName: false, isPatched: true,
                    anchorsBefore: pins.compactMap(\.certificate))
            case .customAnchors(let besidePlatform):
                CustomAnchorsPolicy(anchors: pins, keepsPlatformAnchors: besidePlatform)
            case .leafBytes: LeafBytesPolicy(pins: pins)
            case .hostList: HostListPolicy(hosts: hosts)
            case .identityForEveryChallenge(let use): IdentityForEveryChallenge(use, password: password)
            case .unaskedPolicy: UnaskedPolicy()
            }
    }

    /// What the code does with its client identity; `never` where it has none, or cannot open it.
    public var identityConduct: IdentityConduct {
        guard let identity = tutorial.identity, identity.opens(with: password) else { return .never }
        return identity.conduct
    }

    /// What of the tutorial could not be confirmed; nil too where it is about an identity that does not open.
    public var unconfirmed: String? {
        tutorial.identity?.opens(with: password) == false ? nil : tutorial.unconfirmed
    }

    /// What is wrong with what was configured, as the tutorial's row.
    public var configurationProblem: PolicyReason? { server.configurationProblem.map(underRow) }

    /// Nothing is evaluated without TLS, as the tutorial's row.
    public func verdictWithoutTLS(on server: ServerTrust) -> PolicyVerdict {
        underRow(self.server.verdictWithoutTLS(on: server))
    }

    /// Decides as the tutorial's code does.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict, whose rule is the tutorial's row.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        underRow(self.server.evaluate(server, using: evaluator))
    }

    private func underRow(_ verdict: PolicyVerdict) -> PolicyVerdict {
        PolicyVerdict(verdict.decision, underRow(verdict.reason), trust: verdict.trust)
    }

    private func underRow(_ reason: PolicyReason) -> PolicyReason {
        PolicyReason(reason.kind, rule: tutorial.rule, step: reason.rule == tutorial.rule ? nil : reason.rule)
    }
}
