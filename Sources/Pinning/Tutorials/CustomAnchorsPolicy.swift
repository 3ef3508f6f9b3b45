/// Code that gives the platform anchors of its own and asks it to evaluate the server as it would anyway (PS-11-7).
///
/// The platform's policy stays in place, with its rules for TLS servers and the host's name.
public struct CustomAnchorsPolicy: PinningPolicy {
    /// The anchors.
    public var anchors: [AFSecurityPolicy.Pin]
    /// Whether the platform's own anchors count too: `SecTrustSetAnchorCertificatesOnly(trust, false)` came last.
    public var keepsPlatformAnchors: Bool

    /// Sets anchors.
    public init(anchors: [AFSecurityPolicy.Pin], keepsPlatformAnchors: Bool) {
        self.anchors = anchors
        self.keepsPlatformAnchors = keepsPlatformAnchors
    }

    /// None of the anchors is a certificate.
    public var configurationProblem: PolicyReason? {
        anchors.contains { $0.certificate != nil } ? nil : PolicyReason(.noUsablePin, rule: .customAnchors)
    }

    /// Accepts what is valid with the anchors (PS-0.3-5).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        var certificates: [CertificateFacts] = []
        for anchor in anchors {
            guard let certificate = anchor.certificate else {
                // The code puts nil into an array here, which raises an exception.
                return PolicyVerdict(.configError, PolicyReason(.unusablePin(name: anchor.name), rule: .customAnchors))
            }
            certificates.append(certificate)
        }
        let trust = evaluator.evaluate(
            policy: .ssl(host: server.host), anchors: certificates, anchorsOnly: !keepsPlatformAnchors,
            sent: server.sent, time: server.time)
        guard trust.valid else {
            let kind: PolicyReason.Kind =
                keepsPlatformAnchors ? .chainInvalid(trust.errors) : .notAnchoredByPins(trust.errors)
            return PolicyVerdict(.reject, PolicyReason(kind, rule: .customAnchors), trust: trust)
        }
        let kind = PolicyReason.Kind.anchored(besidePlatform: keepsPlatformAnchors)
        return PolicyVerdict(.accept, PolicyReason(kind, rule: .customAnchors), trust: trust)
    }
}

extension RuleID {
    static let customAnchors = RuleID("PS-11-7")
}
