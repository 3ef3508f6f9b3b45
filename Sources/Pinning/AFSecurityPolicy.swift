/// AFNetworking's `AFSecurityPolicy` as of 3.0 to 4.0, whose decisions are the same.
///
/// The steps of `evaluate` are those of `evaluateServerTrust:forDomain:`, in its order.
public struct AFSecurityPolicy: PinningPolicy {
    /// What is pinned: `AFSSLPinningMode`.
    public enum Mode: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// Whole certificates, which become the only anchors.
        case certificate
        /// Public keys.
        case publicKey
    }

    /// One entry of `pinnedCertificates`.
    public struct Pin: Hashable, Sendable {
        /// What to call it, such as its file's name.
        public let name: String
        /// The certificate; nil if the bytes are not one, which the library does not notice when it loads them.
        public let certificate: CertificateFacts?

        /// Names a pin.
        public init(name: String, certificate: CertificateFacts?) {
            self.name = name
            self.certificate = certificate
        }
    }

    /// `SSLPinningMode`.
    public var mode: Mode
    /// `pinnedCertificates`.
    public var pins: [Pin]
    /// `allowInvalidCertificates`.
    public var allowInvalidCertificates: Bool
    /// `validatesDomainName`.
    public var validatesDomainName: Bool

    /// Makes a policy; the defaults are those of `defaultPolicy`.
    public init(
        mode: Mode = .none, pins: [Pin] = [], allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true
    ) {
        self.mode = mode
        self.pins = pins
        self.allowInvalidCertificates = allowInvalidCertificates
        self.validatesDomainName = validatesDomainName
    }

    /// Pins are asked for, and none can be used: each connection would be refused, or the app would crash (PS-1.4).
    public var configurationProblem: PolicyReason? {
        pins.problem(in: mode)
    }

    /// Decides as `evaluateServerTrust:forDomain:` does (PS-1.1-7, PS-1.3).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; never `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        if server.host != nil, allowInvalidCertificates, validatesDomainName, mode == .none || pins.isEmpty {
            return PolicyVerdict(.reject, PolicyReason(.contradictory, rule: .afContradiction))
        }
        let policy: TrustPolicy = validatesDomainName ? .ssl(host: server.host) : .basicX509
        let platform = evaluator.evaluate(
            policy: policy, anchors: nil, anchorsOnly: false, sent: server.sent, time: server.time)
        if !platform.valid, !allowInvalidCertificates {
            return PolicyVerdict(
                .reject, PolicyReason(.chainInvalid(platform.errors), rule: .afValidity), trust: platform)
        }
        switch mode {
        case .none:
            let kind: PolicyReason.Kind = platform.valid ? .chainValid : .anythingAllowed
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .afValidity), trust: platform)
        case .certificate:
            return compareCertificates(server, policy, evaluator)
        case .publicKey:
            return compareKeys(on: platform)
        }
    }

    /// PS-1.3-1: the pins become the only anchors, and the chain as built on them must be valid and hold a pin.
    private func compareCertificates(
        _ server: ServerTrust, _ policy: TrustPolicy, _ evaluator: any TrustEvaluator
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
            return PolicyVerdict(
                .reject, PolicyReason(.notAnchoredByPins(pinned.errors), rule: .afCertificateMode), trust: pinned)
        }
        // From the root down, as the library looks.
        let match = firstMatch(on: pinned.path.enumerated().reversed()) { $0 == $1 }
        return verdict(match, rule: .afCertificateMode, trust: pinned)
    }

    /// PS-1.3-2: any key of the path as built on the platform's anchors must be pinned.
    private func compareKeys(on platform: TrustResult) -> PolicyVerdict {
        let match = firstMatch(on: Array(platform.path.enumerated())) { certificate, pin in
            certificate.publicKey != nil && certificate.publicKey == pin.publicKey
        }
        return verdict(match, rule: .afPublicKeyMode, trust: platform)
    }

    private func firstMatch(
        on path: [EnumeratedSequence<[CertificateFacts]>.Element],
        where equal: (_ certificate: CertificateFacts, _ pin: CertificateFacts) -> Bool
    ) -> PinMatch? {
        for (depth, certificate) in path {
            for pin in pins {
                guard let pinned = pin.certificate, equal(certificate, pinned) else { continue }
                return PinMatch(pin: pin.name, certificate: certificate, depth: depth)
            }
        }
        return nil
    }

    private func verdict(_ match: PinMatch?, rule: RuleID, trust: TrustResult) -> PolicyVerdict {
        guard let match else { return PolicyVerdict(.reject, PolicyReason(.noPinMatched, rule: rule), trust: trust) }
        return PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: rule), trust: trust)
    }
}

extension AFSecurityPolicy.Pin {
    /// Whether the pin can match anything: public-key mode skips pins whose key cannot be read.
    func isUsable(in mode: AFSecurityPolicy.Mode) -> Bool {
        mode == .publicKey ? certificate?.publicKey != nil : certificate != nil
    }
}

extension RuleID {
    /// Rule G of 2.6 and later, before anything is evaluated.
    static let afContradiction = RuleID("PS-1.1-G")
    /// The validity test, and all there is in mode none.
    static let afValidity = RuleID("PS-1.1-7")
    /// Comparing certificates.
    static let afCertificateMode = RuleID("PS-1.3-1")
    /// Comparing keys.
    static let afPublicKeyMode = RuleID("PS-1.3-2")
    /// What the library takes as a pin.
    static let afPinLoading = RuleID("PS-1.4")
}

extension [AFSecurityPolicy.Pin] {
    /// Why no version can work with these pins in a mode; nil if one is usable, or none is asked for (PS-1.4).
    func problem(in mode: AFSecurityPolicy.Mode) -> PolicyReason? {
        guard mode != .none, !contains(where: { $0.isUsable(in: mode) }) else { return nil }
        return PolicyReason(.noUsablePin, rule: .afPinLoading)
    }
}
