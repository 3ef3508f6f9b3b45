/// What a pinning library decides about one server, and why.
public struct PolicyVerdict: Sendable, Equatable {
    /// The decision: one of four, not of two (PS-0.1).
    ///
    /// Many bypasses are a `default` where a `reject` was expected.
    public enum Decision: String, Sendable, CaseIterable {
        /// The library lets the connection go on.
        case accept
        /// The library refuses the connection.
        case reject
        /// The library does not decide; the platform's ordinary validation does.
        case `default`
        /// The library throws or crashes on its configuration; the connection never succeeds.
        case configError
    }

    /// The decision.
    public let decision: Decision
    /// Why, and by which rule.
    public let reason: PolicyReason
    /// What the last evaluation that counted yielded, with the path as built; nil if none was needed.
    public let trust: TrustResult?

    /// Joins a decision, its reason and the evaluation behind it.
    public init(_ decision: Decision, _ reason: PolicyReason, trust: TrustResult? = nil) {
        self.decision = decision
        self.reason = reason
        self.trust = trust
    }

    /// The path as built, leaf first; empty if no evaluation was needed.
    public var path: [CertificateFacts] { trust?.path ?? [] }

    /// Which pin matched which certificate of the path, if that is why the policy accepts.
    public var match: PinMatch? {
        if case .pinMatched(let match) = reason.kind { match } else { nil }
    }
}

/// Which pin equalled which certificate, or its key.
public struct PinMatch: Hashable, Sendable {
    /// The pin's name.
    public let pin: String
    /// The certificate of the path.
    public let certificate: CertificateFacts
    /// Its place on the path: 0 is the leaf.
    public let depth: Int

    /// Joins a pin and what it matched.
    public init(pin: String, certificate: CertificateFacts, depth: Int) {
        self.pin = pin
        self.certificate = certificate
        self.depth = depth
    }
}

/// Why a policy decided as it did, and by which rule.
public struct PolicyReason: Hashable, Sendable {
    /// Why.
    public enum Kind: Hashable, Sendable {
        /// The path is valid, and no pin is asked for.
        case chainValid
        /// The policy takes any certificate.
        case anythingAllowed
        /// A pin matched a certificate of the path.
        case pinMatched(PinMatch)
        /// The path is not valid.
        case chainInvalid([TrustError])
        /// The path is not valid once the pins are the only anchors.
        case notAnchoredByPins([TrustError])
        /// No pin matches any certificate of the path.
        case noPinMatched
        /// The policy contradicts itself: names are to be validated, any certificate is allowed, nothing is pinned.
        case contradictory
        /// The library leaves this host to the platform's ordinary validation.
        case leftToPlatform
        /// The policy asks for pins, and none of them can be used.
        case noUsablePin
        /// A pin is not a certificate, and the library raises an exception when it meets it.
        case unusablePin(name: String)
    }

    /// Why.
    public let kind: Kind
    /// The rule that decided.
    public let rule: RuleID

    /// Joins a reason and its rule.
    public init(_ kind: Kind, rule: RuleID) {
        self.kind = kind
        self.rule = rule
    }
}

extension PolicyReason: CustomStringConvertible {
    /// The reason and its rule in one line.
    public var description: String { "\(explanation) (\(rule))" }

    /// The reason alone, in one line.
    public var explanation: String {
        switch kind {
        case .chainValid: "the chain is valid and nothing is pinned"
        case .anythingAllowed: "the policy accepts any certificate"
        case .pinMatched(let match):
            "pin \(match.pin) matches certificate \(match.depth) of the path, \(match.certificate.subject)"
        case .chainInvalid(let errors): "the chain is not valid: \(Self.list(errors))"
        case .notAnchoredByPins(let errors):
            "with the pins as the only anchors the chain is not valid: \(Self.list(errors))"
        case .noPinMatched: "no pin matches any certificate of the path"
        case .contradictory: "host names cannot be validated when any certificate is allowed and nothing is pinned"
        case .leftToPlatform: "the library leaves this host to the platform"
        case .noUsablePin: "the policy asks for pins, and there is no usable one"
        case .unusablePin(let name): "pin \(name) is not a DER certificate, and the library raises an exception"
        }
    }

    private static func list(_ errors: [TrustError]) -> String {
        errors.map(\.detail).joined(separator: "; ")
    }
}
