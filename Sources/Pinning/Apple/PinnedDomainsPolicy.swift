internal import Wire

/// An app that leaves its servers to the platform, which applies the pins of the app's Info.plist (PS-6.1).
public struct PinnedDomainsPolicy: PinningPolicy {
    /// The pins.
    public var domains: PinnedDomains

    /// Describes the app.
    public init(_ domains: PinnedDomains) { self.domains = domains }

    /// Whatever cannot be read counts as empty; what `SecTrustPinningRequired` makes of it depends on the host.
    public var configurationProblem: PolicyReason? { nil }

    /// All domains that cover the host, which the platform joins (PS-6.1-2).
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The domains with the pins that could be read; nil if nothing is pinned for the host.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let host = server.host else { return nil }
        let pins = domains.pins(for: host)
        guard !pins.isEmpty else { return nil }
        let digests = (pins.leafPins ?? []) + (pins.authorityPins ?? [])
        return PolicyEntry(names: domains.names(for: host), pins: digests.map(Base64.encode))
    }

    /// Decides as the platform does.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; `default` for hosts for which nothing is pinned.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let pins = server.host.map(domains.pins) ?? PinnedDomains.Entry()
        if domains.isPinningRequired {
            // Only a host both of whose lists are there and empty is exempt.
            guard pins.leafPins == [], pins.authorityPins == [] else {
                let reason = PolicyReason(.pinnedDomains(.pinningRequired), rule: .pinningRequired)
                return PolicyVerdict(.configError, reason)
            }
            let kind = PolicyReason.Kind.pinnedDomains(.hostNotPinned(server.host?.text))
            return PolicyVerdict(.default, PolicyReason(kind, rule: .pinningRequired))
        }
        guard !pins.isEmpty else {
            let kind = PolicyReason.Kind.pinnedDomains(.hostNotPinned(server.host?.text))
            return PolicyVerdict(.default, PolicyReason(kind, rule: .pinnedDomainsHost))
        }
        let trust = TrustObject(server, using: evaluator).evaluate()
        guard trust.valid else {
            return PolicyVerdict(
                .reject, PolicyReason(.chainInvalid(trust.errors), rule: .pinnedDomainsPath), trust: trust)
        }
        if let mismatch = pins.mismatch(on: trust.path) {
            return PolicyVerdict(
                .reject, PolicyReason(.pinnedDomains(mismatch), rule: mismatch.rule), trust: trust)
        }
        let kind = PolicyReason.Kind.pinnedDomains(pins.matches(on: trust.path))
        return PolicyVerdict(.accept, PolicyReason(kind, rule: .pinnedDomainsPath), trust: trust)
    }
}

/// Apple's trust evaluation in an app whose Info.plist pins domains.
///
/// The pins apply wherever a policy for TLS servers with a host is evaluated in the process, inside pinning libraries
/// too, and do not where there is no host or only a path is asked for (PS-6.1-6).
public struct PinnedDomainsEvaluator: TrustEvaluator {
    private let domains: PinnedDomains
    private let platform: any TrustEvaluator

    /// Adds an app's pins to its platform.
    public init(_ domains: PinnedDomains, on platform: any TrustEvaluator) {
        self.domains = domains
        self.platform = platform
    }

    /// Evaluates as the platform does, and finds the path invalid too where a pin is missing from it.
    ///
    /// - Parameters:
    ///   - policy: What to check beside the path itself.
    ///   - anchors: The application's anchors; nil if it set none.
    ///   - anchorsOnly: Whether the platform's own anchors are out.
    ///   - sent: The certificates as the server sent them.
    ///   - time: Seconds since 1970-01-01 UTC.
    /// - Returns: The platform's result, with one more error if the pins do not match.
    public func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        let result = platform.evaluate(
            policy: policy, anchors: anchors, anchorsOnly: anchorsOnly, sent: sent, time: time)
        guard case .ssl(let host?) = policy, !domains.isPinningRequired,
            let mismatch = domains.pins(for: host).mismatch(on: result.path)
        else { return result }
        let error = TrustError(.pinMismatch, depth: 0, detail: mismatch.description)
        return TrustResult(path: result.path, errors: result.errors + [error], notChecked: result.notChecked)
    }
}

extension PinnedDomainsFinding {
    /// No usable pin is another rule than no match.
    fileprivate var rule: RuleID {
        switch self {
        case .leafNotPinned(pins: 0), .authorityNotPinned(pins: 0): .pinnedDomainsParsing
        case .pinned, .leafNotPinned, .authorityNotPinned: .pinnedDomainsPath
        case .hostNotPinned: .pinnedDomainsHost
        case .pinningRequired: .pinningRequired
        }
    }
}

extension RuleID {
    static let pinnedDomainsHost = RuleID("PS-6.1-1")
    static let pinnedDomainsParsing = RuleID("PS-6.1-3")
    static let pinnedDomainsPath = RuleID("PS-6.1-4")
    static let pinningRequired = RuleID("PS-6.1-5")
}
