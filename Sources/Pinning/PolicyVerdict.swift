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

    /// Whether the library accepts because of what is pinned, and not just because nothing is against the server.
    public var isByPin: Bool {
        guard decision == .accept else { return false }
        return switch reason.kind {
        case .pinMatched, .pinMatchedAlone, .pinMatchedAsSent, .pinMatchedWithoutServerRules, .pinsCounted: true
        // The pins are the only anchors.
        case .anchored(besidePlatform: false): true
        case .pinnedDomains(.pinned): true
        default: false
        }
    }

    /// Which pin matched which certificate of the path, if that is why the policy accepts.
    public var match: PinMatch? {
        switch reason.kind {
        case .pinMatched(let match), .pinMatchedAlone(let match), .pinMatchedAsSent(let match),
            .pinMatchedWithoutServerRules(let match, _):
            match
        default: nil
        }
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
