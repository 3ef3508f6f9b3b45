/// Alamofire 4's session: a `ServerTrustPolicyManager` maps hosts to ways of evaluation (PS-2.1).
public struct Alamofire4Session: PinningPolicy {
    /// One way of evaluation: `ServerTrustPolicy`.
    public enum ServerTrustPolicy: Sendable {
        /// The platform's evaluation, with or without the host.
        case performDefaultEvaluation(validateHost: Bool = true)
        /// The same, and whether the path has been revoked; from 4.3.0 on.
        case performRevokedEvaluation(validateHost: Bool = true, requirePositiveResponse: Bool = false)
        /// Pinned certificates: as the only anchors, or by their bytes alone.
        case pinCertificates([CertificatePin], validateCertificateChain: Bool = true, validateHost: Bool = true)
        /// The pinned certificates' keys: on a valid path, or on any.
        case pinPublicKeys([CertificatePin], validateCertificateChain: Bool = true, validateHost: Bool = true)
        /// None at all.
        case disableEvaluation
        /// The app's own, which may ask the platform.
        case customEvaluation(@Sendable (_ server: ServerTrust, _ platform: any TrustEvaluator) -> Bool)
    }

    /// The release.
    public let version: LibraryVersion
    /// `policies`: the ways by host, as the app wrote it; nil if the session has no manager.
    public var policies: [String: ServerTrustPolicy]?

    /// Makes a session.
    public init(version: LibraryVersion = LibraryVersion(4, 9, 1), policies: [String: ServerTrustPolicy]?) {
        self.version = version
        self.policies = policies
    }

    /// The release is not emulated or does not know an evaluation, or pins are asked for and none can be used.
    public var configurationProblem: PolicyReason? {
        guard version.major == 4 else {
            return PolicyReason(.versionNotEmulated("Alamofire \(version)"), rule: .alamofire4)
        }
        for (_, policy) in (policies ?? [:]).sorted(by: { $0.key < $1.key }) {
            if let problem = problem(of: policy) { return problem }
        }
        return nil
    }

    private func problem(of policy: ServerTrustPolicy) -> PolicyReason? {
        switch policy {
        case .performRevokedEvaluation where version < LibraryVersion(4, 3):
            let finding = AlamofireFinding.notInRelease("performRevokedEvaluation", since: LibraryVersion(4, 3))
            return PolicyReason(.alamofire(finding), rule: .alamofire4Revoked)
        case .pinCertificates(let pins, _, _) where !pins.contains { $0.certificate != nil }:
            return PolicyReason(.noUsablePin, rule: .alamofire4Certificates)
        case .pinPublicKeys(let pins, _, _) where !pins.contains { $0.certificate?.publicKey != nil }:
            return PolicyReason(.noUsablePin, rule: .alamofire4Keys)
        case .performDefaultEvaluation, .performRevokedEvaluation, .pinCertificates, .pinPublicKeys,
            .disableEvaluation, .customEvaluation:
            return nil
        }
    }

    /// Decides as the session's delegate does: looks the host up letter by letter, and asks its policy.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; `default` for hosts without a policy.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard let policies else {
            return PolicyVerdict(.default, PolicyReason(.alamofire(.noManager), rule: .alamofire4))
        }
        guard let host = server.spelledHost, let policy = policies[host] else {
            let kind = PolicyReason.Kind.alamofire(.hostNotMapped(server.spelledHost))
            return PolicyVerdict(.default, PolicyReason(kind, rule: .alamofire4))
        }
        if let problem = configurationProblem, case .alamofire = problem.kind {
            return PolicyVerdict(.configError, problem)
        }
        return policy.evaluate(TrustObject(server, using: evaluator), evaluator)
    }
}

extension Alamofire4Session.ServerTrustPolicy {
    /// Decides as `evaluate(_:forHost:)` does.
    fileprivate func evaluate(_ trust: TrustObject, _ evaluator: any TrustEvaluator) -> PolicyVerdict {
        switch self {
        case .performDefaultEvaluation(let validateHost):
            return trust.validated(host: validateHost, rule: .alamofire4Default)
        case .performRevokedEvaluation(let validateHost, let requirePositiveResponse):
            let verdict = trust.validated(host: validateHost, rule: .alamofire4Revoked)
            return verdict.unlessRevoked(
                trust.server.revocation, requiresAnswer: requirePositiveResponse, rule: .alamofire4Revoked)
        case .pinCertificates(let pins, validateCertificateChain: true, let validateHost):
            return anchored(on: pins, validateHost, trust)
        case .pinCertificates(let pins, validateCertificateChain: false, _):
            let built = trust.evaluate()
            return PolicyVerdict(
                pins.firstCertificate(on: built.path.enumerated()), rule: .alamofire4Certificates, trust: built)
        case .pinPublicKeys(let pins, validateCertificateChain: true, let validateHost):
            let verdict = trust.validated(host: validateHost, rule: .alamofire4Keys)
            guard verdict.decision == .accept, let built = verdict.trust else { return verdict }
            return PolicyVerdict(pins.firstKey(on: built.path.enumerated()), rule: .alamofire4Keys, trust: built)
        case .pinPublicKeys(let pins, validateCertificateChain: false, _):
            let built = trust.evaluate()
            return PolicyVerdict(pins.firstKey(on: built.path.enumerated()), rule: .alamofire4Keys, trust: built)
        case .disableEvaluation:
            return PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: .alamofire4Disabled))
        case .customEvaluation(let closure):
            let accepts = closure(trust.server, evaluator)
            let reason = PolicyReason(.alamofire(.closure(accepts: accepts)), rule: .alamofire4Custom)
            return PolicyVerdict(accepts ? .accept : .reject, reason)
        }
    }

    /// The pins become the only anchors, and no bytes are compared: whatever stands below one of them passes.
    private func anchored(on pins: [CertificatePin], _ validateHost: Bool, _ trust: TrustObject) -> PolicyVerdict {
        var trust = trust
        trust.policy = .ssl(host: validateHost ? trust.server.host : nil)
        trust.setAnchors(pins.compactMap(\.certificate))
        let pinned = trust.evaluate()
        let kind: PolicyReason.Kind =
            pinned.valid ? .anchored(besidePlatform: false) : .notAnchoredByPins(pinned.errors)
        let reason = PolicyReason(kind, rule: .alamofire4Certificates)
        return PolicyVerdict(pinned.valid ? .accept : .reject, reason, trust: pinned)
    }
}

extension RuleID {
    /// The map of hosts.
    static let alamofire4 = RuleID("PS-2.1")
    static let alamofire4Default = RuleID("PS-2.1-1")
    static let alamofire4Revoked = RuleID("PS-2.1-2")
    static let alamofire4Certificates = RuleID("PS-2.1-3")
    static let alamofire4Keys = RuleID("PS-2.1-4")
    static let alamofire4Disabled = RuleID("PS-2.1-5")
    static let alamofire4Custom = RuleID("PS-2.1-6")
}
