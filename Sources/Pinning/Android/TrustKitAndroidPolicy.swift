/// TrustKit for Android, which reads the network security configuration itself (PS-3.4).
public struct TrustKitAndroidPolicy: PinningPolicy {
    /// Who opens the connection.
    public enum Caller: Sendable {
        /// The app's HTTP stack, with TrustKit's trust manager or socket factory.
        case httpStack
        /// A WebView, which asks the platform only (PS-3.4-6).
        case webView
    }

    private let entries: Result<TrustKitAndroidEntries, ConfigurationFault>
    private let platform: NetworkSecurityPolicy
    private let device: AndroidDevice
    private let debug: TrustKitDebugOverrides
    private let caller: Caller

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - config: What the app's configuration says, TrustKit's tags included.
    ///   - application: What its manifest says.
    ///   - device: Where it runs.
    ///   - caller: Who opens the connection.
    public init(
        _ config: NetworkSecurityConfig, application: AndroidApplication, device: AndroidDevice,
        caller: Caller = .httpStack
    ) {
        entries = Result { () throws(ConfigurationFault) in try TrustKitAndroidEntries(config) }
        platform = NetworkSecurityPolicy(config, application: application, device: device)
        debug = TrustKitDebugOverrides(config, application)
        self.device = device
        self.caller = caller
    }

    /// What TrustKit throws at, or (API 24 and later) the platform.
    public var configurationProblem: PolicyReason? {
        if case .failure(let fault) = entries { return fault.reason }
        return isPlatformPinning ? platform.configurationProblem : nil
    }

    /// TrustKit's own entry for the host, or else the platform's.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The domain with its pins; nil if none covers the host.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let host = server.spelledHost, case .success(let entries) = entries, let entry = entries.entry(for: host)
        else { return isPlatformPinning ? platform.entry(for: server) : nil }
        return PolicyEntry(names: [entry.domain], pins: entry.pins)
    }

    /// Decides as TrustKit's trust manager does (PS-3.4-5).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The path to given anchors.
    /// - Returns: The verdict; `default` where neither TrustKit nor a configuration has a say.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let entries: TrustKitAndroidEntries
        switch self.entries {
        case .failure(let fault): return fault.verdict
        case .success(let read): entries = read
        }
        if isPlatformPinning, let problem = platform.configurationProblem {
            return PolicyVerdict(.configError, problem)
        }
        if caller == .webView {
            return isPlatformPinning
                ? platform.evaluate(server, using: evaluator)
                : PolicyVerdict(.default, .untouched(.androidTrustKitCoverage))
        }
        guard device.apiLevel >= 17 else { return PolicyVerdict(.default, .untouched(.androidTrustKitRuntime)) }
        guard let host = server.spelledHost, let entry = entries.entry(for: host) else {
            // The baseline decides, which knows of domains that TrustKit has dropped (PS-3.4-2).
            return isPlatformPinning
                ? platform.evaluate(server, using: evaluator)
                : PolicyVerdict(
                    .default, PolicyReason(.hostNotPinned(server.spelledHost), rule: .androidTrustKitDomains))
        }
        if debug.overridePins { return evaluateOverridden(server, using: evaluator) }
        guard let leaf = server.sent.first, OkHostnameVerifier.accepts(leaf, for: host) else {
            return PolicyVerdict(.reject, PolicyReason(.hostMismatch(host), rule: .androidTrustKitRuntime))
        }
        return isPlatformPinning
            ? evaluateOnPlatform(server, entry, using: evaluator) : evaluateAlone(server, entry, using: evaluator)
    }

    /// What the HTTP stack asks where neither TrustKit nor a configuration has a say: the path, and the host.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The path to given anchors.
    /// - Returns: Whether the stack goes on, and the path.
    public func platformValidation(of server: ServerTrust, using evaluator: any TrustEvaluator) -> TrustResult {
        let trust = baseline(server, using: evaluator)
        if let host = server.spelledHost, let leaf = trust.path.first, OkHostnameVerifier.accepts(leaf, for: host) {
            return trust
        }
        let mismatch = TrustError(.hostMismatch, depth: 0, detail: "the certificate is not for the host")
        return TrustResult(path: trust.path, errors: trust.errors + [mismatch], notChecked: trust.notChecked)
    }

    /// Without TLS TrustKit is not asked, and the platform is, from API 24 on.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: `default` where cleartext is permitted.
    public func verdictWithoutTLS(on server: ServerTrust) -> PolicyVerdict {
        isPlatformPinning
            ? platform.verdictWithoutTLS(on: server)
            : PolicyVerdict(.default, PolicyReason(.noCertificateToEvaluate, rule: .androidTrustKitCoverage))
    }

    /// Decides about a client's certificate: never (PS-3.4-6).
    public func evaluateClient() -> PolicyVerdict {
        PolicyVerdict(.reject, PolicyReason(.clientsRefused, rule: .androidTrustKitCoverage))
    }

    /// Since API 24 the platform looks for the pins.
    private var isPlatformPinning: Bool { device.apiLevel >= 24 }

    /// TrustKit only swallows the platform's complaint about pins.
    private func evaluateOnPlatform(
        _ server: ServerTrust, _ entry: TrustKitAndroidEntries.Entry, using evaluator: any TrustEvaluator
    ) -> PolicyVerdict {
        let verdict = platform.evaluate(server, using: evaluator)
        guard case .noPinMatched = verdict.reason.kind, !entry.enforcesPinning else { return verdict }
        return PolicyVerdict(
            .accept, PolicyReason(.mismatchNotEnforced, rule: .androidTrustKitRuntime), trust: verdict.trust)
    }

    /// Before API 24 TrustKit looks for the pins, on the path to what the device trusts.
    private func evaluateAlone(
        _ server: ServerTrust, _ entry: TrustKitAndroidEntries.Entry, using evaluator: any TrustEvaluator
    ) -> PolicyVerdict {
        let trust = baseline(server, using: evaluator)
        guard trust.valid else { return .invalid(trust) }
        if let date = entry.expiration, server.time > date.start(secondsAheadOfUTC: device.secondsAheadOfUTC) {
            return PolicyVerdict(.accept, PolicyReason(.pinsExpired(date), rule: .androidTrustKitRuntime), trust: trust)
        }
        for (depth, certificate) in trust.path.enumerated() {
            guard let pin = entry.pin(of: certificate) else { continue }
            let match = PinMatch(pin: pin, certificate: certificate, depth: depth)
            return PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: .androidTrustKitPins), trust: trust)
        }
        return entry.enforcesPinning
            ? PolicyVerdict(.reject, PolicyReason(.noPinMatched, rule: .androidTrustKitPins), trust: trust)
            : PolicyVerdict(.accept, PolicyReason(.mismatchNotEnforced, rule: .androidTrustKitRuntime), trust: trust)
    }

    /// Only the baseline counts, with the debug authorities added to it.
    private func evaluateOverridden(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        if isPlatformPinning { return platform.evaluate(server, using: evaluator) }
        let trust = baseline(server, using: evaluator)
        guard trust.valid else { return .invalid(trust) }
        return PolicyVerdict(
            .accept, PolicyReason(.pinsOverridden(anchor: nil), rule: .androidTrustKitDebug), trust: trust)
    }

    private func baseline(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> TrustResult {
        evaluator.evaluate(
            policy: .android, anchors: device.systemAuthorities + device.userAuthorities + debug.authorities,
            anchorsOnly: true, sent: server.sent, time: server.time)
    }
}

/// TrustKit's reading of `<debug-overrides>` (PS-3.4-4).
struct TrustKitDebugOverrides: Sendable {
    /// One switch for all connections.
    private(set) var overridePins = false
    /// The authorities of resources; those of the system or the user are not looked at.
    private(set) var authorities: [CertificateFacts] = []

    init(_ config: NetworkSecurityConfig, _ application: AndroidApplication) {
        guard application.isDebuggable else { return }
        var last: Bool?
        for certificates in config.debugOverrides ?? [] {
            // Not stated is false here, where the platform takes it for true.
            let current = certificates.overridePins ?? false
            last = last == nil || last == current ? current : false
            guard case .resource(name: _, let found) = certificates.source else { continue }
            authorities += found.prefix(1)
        }
        overridePins = last ?? false
    }
}

extension PolicyVerdict {
    fileprivate static func invalid(_ trust: TrustResult) -> PolicyVerdict {
        PolicyVerdict(.reject, PolicyReason(.chainInvalid(trust.errors), rule: .androidTrustKitRuntime), trust: trust)
    }
}

extension PolicyReason {
    fileprivate static func untouched(_ rule: RuleID) -> PolicyReason { PolicyReason(.leftToPlatform, rule: rule) }
}
