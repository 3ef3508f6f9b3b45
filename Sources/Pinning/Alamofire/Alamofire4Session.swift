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
        if let releaseProblem { return releaseProblem }
        let inOrder = (policies ?? [:]).sorted { $0.key < $1.key }
        return inOrder.lazy.compactMap { $0.value.ruleWithoutPins }.first.map { PolicyReason(.noUsablePin, rule: $0) }
    }

    /// The app does not compile with the release, or the release is not emulated.
    private var releaseProblem: PolicyReason? {
        guard version.major == 4 else {
            return PolicyReason(.versionNotEmulated("Alamofire \(version)"), rule: .alamofire4)
        }
        let since = LibraryVersion(4, 3)
        guard version < since, (policies ?? [:]).values.contains(where: \.looksForRevocation) else { return nil }
        let finding = AlamofireFinding.notInRelease("performRevokedEvaluation", since: since)
        return PolicyReason(.alamofire(finding), rule: .alamofire4Revoked)
    }

    /// Decides as the session's delegate does: looks the host up letter by letter, and asks its policy.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; `default` for hosts without a policy.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        if let releaseProblem { return PolicyVerdict(.configError, releaseProblem) }
        guard let policies else {
            return PolicyVerdict(.default, PolicyReason(.alamofire(.noManager), rule: .alamofire4))
        }
        guard let host = server.spelledHost, let policy = policies[host] else {
            let kind = PolicyReason.Kind.alamofire(.hostNotMapped(server.spelledHost))
            return PolicyVerdict(.default, PolicyReason(kind, rule: .alamofire4))
        }
        return policy.evaluate(TrustObject(server, using: evaluator), evaluator)
    }
}

extension Alamofire4Session {
    /// The host's own policy.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The host with the names of its pins; nil if it has no policy.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let host = server.spelledHost, let policy = policies?[host] else { return nil }
        return PolicyEntry(names: [host], pins: policy.pins.map(\.name))
    }
}

extension Alamofire4Session.ServerTrustPolicy {
    fileprivate var pins: [CertificatePin] {
        switch self {
        case .pinCertificates(let pins, _, _), .pinPublicKeys(let pins, _, _): pins
        case .performDefaultEvaluation, .performRevokedEvaluation, .disableEvaluation, .customEvaluation: []
        }
    }

    fileprivate var looksForRevocation: Bool {
        if case .performRevokedEvaluation = self { return true }
        return false
    }

    /// The rule by which it refuses everybody because it has no pin; nil if it has one, or wants none.
    fileprivate var ruleWithoutPins: RuleID? {
        switch self {
        case .pinCertificates(let pins, _, _): pins.contains { $0.certificate != nil } ? nil : .alamofire4Certificates
        case .pinPublicKeys(let pins, _, _): pins.contains { $0.certificate?.publicKey != nil } ? nil : .alamofire4Keys
        case .performDefaultEvaluation, .performRevokedEvaluation, .disableEvaluation, .customEvaluation: nil
        }
    }

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
