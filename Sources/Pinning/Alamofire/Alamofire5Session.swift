/// Alamofire 5's session: a `ServerTrustManager` maps hosts to evaluators (PS-2.2).
public struct Alamofire5Session: PinningPolicy {
    /// An evaluator, with the library's own defaults.
    public indirect enum Evaluator: Hashable, Sendable {
        /// `DefaultTrustEvaluator`.
        case `default`(validateHost: Bool = true)
        /// `RevocationTrustEvaluator`.
        case revocation(
            performDefaultValidation: Bool = true, validateHost: Bool = true, requirePositiveResponse: Bool = false)
        /// `PinnedCertificatesTrustEvaluator`.
        case pinnedCertificates(
            [CertificatePin], acceptSelfSignedCertificates: Bool = false, performDefaultValidation: Bool = true,
            validateHost: Bool = true)
        /// `PublicKeysTrustEvaluator`.
        case publicKeys([CertificatePin], performDefaultValidation: Bool = true, validateHost: Bool = true)
        /// `CompositeTrustEvaluator`.
        case composite([Evaluator])
        /// `DisabledTrustEvaluator`, named `DisabledEvaluator` before 5.2.0.
        case disabled
    }

    /// The release.
    public let version: LibraryVersion
    /// `evaluators`: by host, as the app wrote it; nil if the session has no manager.
    public var evaluators: [String: Evaluator]?
    /// `allHostsMustBeEvaluated`: hosts that have no evaluator are refused.
    public var allHostsMustBeEvaluated: Bool

    /// Makes a session.
    public init(
        version: LibraryVersion = LibraryVersion(5, 12, 0), evaluators: [String: Evaluator]?,
        allHostsMustBeEvaluated: Bool = true
    ) {
        self.version = version
        self.evaluators = evaluators
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    }

    /// The release is not emulated, or pins are asked for and none can be used.
    public var configurationProblem: PolicyReason? {
        if let releaseProblem { return releaseProblem }
        let inOrder = (evaluators ?? [:]).sorted { $0.key < $1.key }
        return inOrder.lazy.compactMap { $0.value.ruleWithoutPins }.first.map { PolicyReason(.noUsablePin, rule: $0) }
    }

    private var releaseProblem: PolicyReason? {
        version.major == 5 ? nil : PolicyReason(.versionNotEmulated("Alamofire \(version)"), rule: .alamofire5)
    }

    /// Decides as the session's delegate does: looks the host up letter by letter, and asks its evaluator.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; `default` without a manager, or for other hosts if it allows them.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        if let releaseProblem { return PolicyVerdict(.configError, releaseProblem) }
        guard let evaluators else {
            return PolicyVerdict(.default, PolicyReason(.alamofire(.noManager), rule: .alamofire5))
        }
        guard let host = server.spelledHost, let chosen = evaluators[host] else {
            let reason = PolicyReason(.alamofire(.hostNotMapped(server.spelledHost)), rule: .alamofire5)
            return PolicyVerdict(allHostsMustBeEvaluated ? .reject : .default, reason)
        }
        var trust = TrustObject(server, using: evaluator)
        return chosen.evaluate(&trust)
    }
}

extension Alamofire5Session {
    /// The host's own evaluator.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The host with the names of its pins; nil if it has no evaluator.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let host = server.spelledHost, let evaluator = evaluators?[host] else { return nil }
        return PolicyEntry(names: [host], pins: evaluator.pins.map(\.name))
    }
}

extension Alamofire5Session.Evaluator {
    fileprivate var pins: [CertificatePin] {
        switch self {
        case .pinnedCertificates(let pins, _, _, _), .publicKeys(let pins, _, _): pins
        case .composite(let members): members.flatMap(\.pins)
        case .default, .revocation, .disabled: []
        }
    }

    /// The rule by which it refuses everybody because it has no pin; nil if it has one, or wants none.
    fileprivate var ruleWithoutPins: RuleID? {
        switch self {
        case .pinnedCertificates(let pins, _, _, _):
            pins.contains { $0.certificate != nil } ? nil : .alamofire5Certificates
        case .publicKeys(let pins, _, _): pins.contains { $0.certificate?.publicKey != nil } ? nil : .alamofire5Keys
        case .composite(let members): members.lazy.compactMap(\.ruleWithoutPins).first
        case .default, .revocation, .disabled: nil
        }
    }

    /// Decides as `evaluate(_:forHost:)` does, on a trust object that others may have set something on.
    fileprivate func evaluate(_ trust: inout TrustObject) -> PolicyVerdict {
        if let rule = ruleWithoutPins, !isComposite {
            return PolicyVerdict(.reject, PolicyReason(.noUsablePin, rule: rule))
        }
        switch self {
        case .default(let validateHost):
            return trust.validate(
                validateHost ? [.withHost, .withoutHost] : [.withoutHost], rule: .alamofire5Default)
        case .revocation(let performDefaultValidation, let validateHost, let requirePositiveResponse):
            let validations = Validation.inOrder(performDefaultValidation, validateHost) + [.revocation]
            return trust.validate(validations, rule: .alamofire5Revocation).unlessRevoked(
                trust.server.revocation, requiresAnswer: requirePositiveResponse, rule: .alamofire5Revocation)
        case .pinnedCertificates(let pins, let acceptSelfSigned, let performDefaultValidation, let validateHost):
            if acceptSelfSigned { trust.setAnchors(pins.compactMap(\.certificate)) }
            let validations = Validation.inOrder(performDefaultValidation, validateHost)
            let verdict = trust.validate(validations, rule: .alamofire5Certificates)
            guard verdict.decision == .accept, let built = verdict.trust else { return verdict }
            return PolicyVerdict(
                pins.firstCertificate(on: built.path.enumerated()), rule: .alamofire5Certificates, trust: built)
        case .publicKeys(let pins, let performDefaultValidation, let validateHost):
            let validations = Validation.inOrder(performDefaultValidation, validateHost)
            let verdict = trust.validate(validations, rule: .alamofire5Keys)
            guard verdict.decision == .accept, let built = verdict.trust else { return verdict }
            return PolicyVerdict(pins.firstKey(on: built.path.enumerated()), rule: .alamofire5Keys, trust: built)
        case .composite(let members):
            return Self.evaluate(members, &trust)
        case .disabled:
            return PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: .alamofire5Disabled))
        }
    }

    /// All must accept, in order, on the same object: anchors that one sets stay for those behind it.
    private static func evaluate(_ members: [Self], _ trust: inout TrustObject) -> PolicyVerdict {
        var last = PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: .alamofire5Composite))
        var pinned: PolicyVerdict?
        for member in members {
            let verdict = member.evaluate(&trust)
            let step = verdict.reason.step ?? verdict.reason.rule
            let reason = PolicyReason(verdict.reason.kind, rule: .alamofire5Composite, step: step)
            last = PolicyVerdict(verdict.decision, reason, trust: verdict.trust)
            guard last.decision == .accept else { return last }
            if last.isByPin { pinned = last }
        }
        // What was pinned says more than what else was asked for.
        return pinned ?? last
    }

    private var isComposite: Bool {
        if case .composite = self { return true }
        return false
    }
}

/// One evaluation of Alamofire 5; each replaces the policy that the one before it set.
private enum Validation {
    /// As a TLS server, for any host.
    case withoutHost
    /// As a TLS server for the host: the whole chain once more.
    case withHost
    /// With the policy for revocation alone, which asks for a valid path and nothing of a TLS server.
    case revocation

    static func inOrder(_ performDefaultValidation: Bool, _ validateHost: Bool) -> [Validation] {
        (performDefaultValidation ? [.withoutHost] : []) + (validateHost ? [.withHost] : [])
    }
}

extension TrustObject {
    /// Evaluates with one policy after the other until one fails; without any the path is built and not judged.
    fileprivate mutating func validate(_ validations: [Validation], rule: RuleID) -> PolicyVerdict {
        guard !validations.isEmpty else {
            return PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: rule), trust: evaluate())
        }
        var last: PolicyVerdict?
        for validation in validations {
            policy =
                switch validation {
                case .withoutHost: .ssl(host: nil)
                case .withHost: .ssl(host: server.host)
                case .revocation: .basicX509
                }
            last = verdict(rule: rule)
            guard last?.decision == .accept else { break }
        }
        return last ?? verdict(rule: rule)
    }
}

extension RuleID {
    /// The map of hosts.
    static let alamofire5 = RuleID("PS-2.2")
    static let alamofire5Default = RuleID("PS-2.2-1")
    static let alamofire5Revocation = RuleID("PS-2.2-2")
    static let alamofire5Certificates = RuleID("PS-2.2-3")
    static let alamofire5Keys = RuleID("PS-2.2-4")
    static let alamofire5Composite = RuleID("PS-2.2-5")
    static let alamofire5Disabled = RuleID("PS-2.2-6")
}
