/// AFNetworking's `AFSecurityPolicy` as of 2.5.2 to 2.5.4, which counts pins, as it came or as an app patched it.
///
/// The steps of `evaluate` are those of `evaluateServerTrust:forDomain:`, in its order (PS-1.1-5, PS-1.2).
public struct AFSecurityPolicy25: PinningPolicy {
    /// `SSLPinningMode`.
    public var mode: AFSecurityPolicy.Mode
    /// `pinnedCertificates`.
    public var pins: [AFSecurityPolicy.Pin]
    /// `allowInvalidCertificates`.
    public var allowInvalidCertificates: Bool
    /// `validatesDomainName`; on by default since 2.5.3 only.
    public var validatesDomainName: Bool
    /// `validatesCertificateChain`: pins are counted over the whole path, not looked for in the leaf.
    public var validatesCertificateChain: Bool
    /// Whether the library's source was changed to ask for one pinned certificate less than the path has, and for one
    /// pinned key (PS-11-8).
    public var isPatched: Bool
    /// What the app's code anchors, beside the platform's anchors, before it asks the library; nil for nothing.
    public var anchorsBefore: [CertificateFacts]?

    /// Makes a policy; the defaults are those of `defaultPolicy` in 2.5.3.
    public init(
        mode: AFSecurityPolicy.Mode = .none, pins: [AFSecurityPolicy.Pin] = [], allowInvalidCertificates: Bool = false,
        validatesDomainName: Bool = true, validatesCertificateChain: Bool = true, isPatched: Bool = false,
        anchorsBefore: [CertificateFacts]? = nil
    ) {
        self.mode = mode
        self.pins = pins
        self.allowInvalidCertificates = allowInvalidCertificates
        self.validatesDomainName = validatesDomainName
        self.validatesCertificateChain = validatesCertificateChain
        self.isPatched = isPatched
        self.anchorsBefore = anchorsBefore
    }

    /// Pins are asked for, and none can be used (PS-1.4).
    public var configurationProblem: PolicyReason? {
        pins.problem(in: mode)
    }

    /// Decides as `evaluateServerTrust:forDomain:` does.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; never `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let policy: TrustPolicy = validatesDomainName ? .ssl(host: server.host) : .basicX509
        let before = evaluator.evaluate(
            policy: policy, anchors: anchorsBefore, anchorsOnly: false, sent: server.sent, time: server.time)
        if !before.valid, !allowInvalidCertificates {
            return PolicyVerdict(
                .reject, PolicyReason(.chainInvalid(before.errors), rule: .af25Validity), trust: before)
        }
        switch mode {
        case .none:
            let kind: PolicyReason.Kind = before.valid ? .chainValid : .anythingAllowed
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .af25Validity), trust: before)
        case .certificate:
            return countCertificates(server, policy, on: before, evaluator)
        case .publicKey:
            return countKeys(on: before)
        }
    }

    /// PS-1.2-1: the chain must be valid with the pins as the only anchors; then the pins are counted on the path as it
    /// was before they were.
    private func countCertificates(
        _ server: ServerTrust, _ policy: TrustPolicy, on before: TrustResult, _ evaluator: any TrustEvaluator
    ) -> PolicyVerdict {
        var anchors: [CertificateFacts] = []
        for pin in pins {
            guard let certificate = pin.certificate else {
                // The library puts nil into an array here, which raises an exception.
                return PolicyVerdict(.configError, PolicyReason(.unusablePin(name: pin.name), rule: .afPinLoading))
            }
            anchors.append(certificate)
        }
        let pinned = evaluator.evaluate(
            policy: policy, anchors: anchors, anchorsOnly: true, sent: server.sent, time: server.time)
        guard pinned.valid else {
            let kind = PolicyReason.Kind.notAnchoredByPins(pinned.errors)
            return PolicyVerdict(.reject, PolicyReason(kind, rule: .af25CertificateMode), trust: pinned)
        }
        guard validatesCertificateChain else {
            let kind = PolicyReason.Kind.anchored(besidePlatform: false)
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .af25CertificateMode), trust: pinned)
        }
        let count = PinCount(
            .certificates, count: before.path.count(where: anchors.contains), pathLength: before.path.count,
            demand: isPatched ? .allButOne : .all)
        return verdict(count, rule: .af25CertificateMode, trust: before)
    }

    /// PS-1.2-2: pairs of equal keys are counted, so that pins with the same key count twice.
    private func countKeys(on before: TrustResult) -> PolicyVerdict {
        let certificates = validatesCertificateChain ? before.path[...] : before.path.prefix(1)
        let keys = certificates.compactMap(\.publicKey)
        let pinnedKeys = pins.compactMap { $0.certificate?.publicKey }
        let pairs = keys.map { key in pinnedKeys.count { $0 == key } }.reduce(0, +)
        let count = PinCount(
            .keyPairs, count: pairs, pathLength: before.path.count,
            demand: validatesCertificateChain && !isPatched ? .all : .any)
        return verdict(count, rule: .af25PublicKeyMode, trust: before)
    }

    private func verdict(_ count: PinCount, rule: RuleID, trust: TrustResult) -> PolicyVerdict {
        PolicyVerdict(count.isMet ? .accept : .reject, PolicyReason(.pinsCounted(count), rule: rule), trust: trust)
    }
}

extension RuleID {
    /// The validity test, and all there is in mode none.
    static let af25Validity = RuleID("PS-1.1-5")
    /// Counting certificates.
    static let af25CertificateMode = RuleID("PS-1.2-1")
    /// Counting keys.
    static let af25PublicKeyMode = RuleID("PS-1.2-2")
}
