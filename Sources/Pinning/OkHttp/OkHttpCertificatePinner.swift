/// OkHttp's `CertificatePinner`, 2.7 to 5 (PS-4).
public struct OkHttpCertificatePinner: PinningPolicy {
    /// One `add(pattern, pins...)`.
    public struct Entry: Sendable, Hashable {
        /// Which hosts.
        public var pattern: String
        /// The pins, such as `sha256/` and Base64.
        public var pins: [String]

        /// Joins a pattern and its pins.
        public init(pattern: String, pins: [String]) {
            self.pattern = pattern
            self.pins = pins
        }
    }

    /// Where the library runs, which decides on whose path the pins are looked for (PS-4-5).
    public enum Runtime: Sendable {
        /// On Android, whose trust manager hands out the path that it validated.
        case android
        /// On a JVM: the library rebuilds the path itself, to these roots.
        case jvm(trustRoots: [CertificateFacts], hasSigned: CertificateChainCleaner.SignatureCheck)
    }

    /// The release.
    public let version: LibraryVersion
    /// Where it runs.
    public let runtime: Runtime
    /// What the app's trust manager accepts on Android; nil for whatever the evaluator's platform does.
    public var androidAuthorities: [CertificateFacts]?
    private let pins: Result<[OkHttpPin], ConfigurationFault>

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - version: The release; older ones than 2.7 are taken for it.
    ///   - entries: Patterns and pins, in the order in which they are added.
    ///   - runtime: Where it runs.
    public init(version: LibraryVersion, entries: [Entry], runtime: Runtime = .android) {
        self.version = version
        self.runtime = runtime
        pins = Result { () throws(ConfigurationFault) in
            var pins: [OkHttpPin] = []
            for entry in entries {
                let pattern = try OkHttpPattern(entry.pattern, version: version)
                for pin in entry.pins { pins.append(try OkHttpPin(pin, pattern: pattern, version: version)) }
            }
            return pins
        }
    }

    /// A pin or a pattern at which the builder throws (PS-4-1, PS-4-2).
    public var configurationProblem: PolicyReason? {
        guard case .failure(let fault) = pins else { return nil }
        return fault.reason
    }

    /// Decides as a connection does: the platform, the host, then the pins.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The platform's trust evaluation.
    /// - Returns: The verdict; `default` if nothing is pinned for the host.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let pins: [OkHttpPin]
        switch self.pins {
        case .failure(let fault): return fault.verdict
        case .success(let configured): pins = configured
        }
        let trust = evaluator.evaluate(
            policy: isOnJVM ? .jvm : .android, anchors: authorities, anchorsOnly: authorities != nil,
            sent: server.sent, time: server.time)
        guard trust.valid, let leaf = trust.path.first else {
            return PolicyVerdict(.reject, PolicyReason(.chainInvalid(trust.errors), rule: .okChain), trust: trust)
        }
        // The URL has the host in lower case, but keeps a dot at its end.
        guard let host = server.spelledHost?.lowercased(), isFor(host, leaf) else {
            return PolicyVerdict(
                .reject, PolicyReason(.hostMismatch(server.spelledHost), rule: .okHostname), trust: trust)
        }
        let wanted = pins.filter { $0.pattern.matches(host) }
        guard !wanted.isEmpty else {
            return PolicyVerdict(.default, notPinned(host, pins), trust: trust)
        }
        do throws(ChainCleaningFault) {
            return try compare(wanted, sent: server.sent, trust: trust)
        } catch {
            return PolicyVerdict(.reject, PolicyReason(.chainNotRebuilt(error), rule: .okChain), trust: trust)
        }
    }

    /// All patterns that match the host, which the library joins (PS-4-4).
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The patterns and their pins; nil if none matches.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let host = server.spelledHost?.lowercased(), case .success(let pins) = pins else { return nil }
        let wanted = pins.filter { $0.pattern.matches(host) }
        guard !wanted.isEmpty else { return nil }
        var names: [String] = []
        for name in wanted.map(\.pattern.text) where !names.contains(name) { names.append(name) }
        return PolicyEntry(names: names, pins: wanted.map(\.text))
    }

    /// Whether anything is pinned for a host.
    ///
    /// - Parameter host: As the URL has it: in lower case, with the dot at its end if it has one.
    /// - Returns: Whether some pattern matches; false if the configuration throws.
    public func isPinned(_ host: String) -> Bool {
        guard case .success(let pins) = pins else { return false }
        return pins.contains { $0.pattern.matches(host) }
    }

    /// Whether an HTTP/2 connection to another host may be used for this one (PS-4-7, 3.7 and later).
    ///
    /// - Parameters:
    ///   - host: The other host.
    ///   - path: The path of the connection's certificate, as the verdict on the connection has it.
    ///   - isProxied: Whether the connection goes through a proxy.
    /// - Returns: Whether the certificate is for the host and its pins match.
    public func coalesces(host: String, onto path: [CertificateFacts], isProxied: Bool) -> Bool {
        guard version >= LibraryVersion(3, 7), !isProxied, case .success(let pins) = pins, let leaf = path.first else {
            return false
        }
        guard isFor(host, leaf) else { return false }
        let wanted = pins.filter { $0.pattern.matches(host) }
        return wanted.isEmpty || firstMatch(of: wanted, among: path) != nil
    }

    /// Before the chain was rebuilt at all, the list as sent was compared: CVE-2016-2402 (PS-4-6).
    private var comparesSentList: Bool {
        version < (version.major < 3 ? LibraryVersion(2, 7, 3) : LibraryVersion(3, 1))
    }

    /// Whether a certificate is for a host; before 4.5 that depends on how the platform writes addresses.
    private func isFor(_ host: String, _ certificate: CertificateFacts) -> Bool {
        OkHostnameVerifier.accepts(
            certificate, for: host, comparesAddressText: isOnJVM && version < LibraryVersion(4, 5))
    }

    private var isOnJVM: Bool {
        if case .jvm = runtime { true } else { false }
    }

    /// What the application's trust manager accepts; nil for whatever the evaluator's platform does.
    private var authorities: [CertificateFacts]? {
        switch runtime {
        case .android: androidAuthorities
        case .jvm(let trustRoots, _): trustRoots
        }
    }

    /// PS-4-4: any pin of all patterns that match, on any certificate of the chain.
    private func compare(
        _ wanted: [OkHttpPin], sent: [CertificateFacts], trust: TrustResult
    ) throws(ChainCleaningFault) -> PolicyVerdict {
        let chain: [CertificateFacts]
        if comparesSentList {
            chain = sent
        } else if case .jvm(let trustRoots, let hasSigned) = runtime {
            let cleaner = CertificateChainCleaner(trustRoots: trustRoots, hasSigned: hasSigned)
            chain = try cleaner.clean(sent, rules: CertificateChainCleaner.Rules(version))
        } else {
            chain = trust.path
        }
        // What the library looked at is the path that the verdict shows, except where it is no path.
        let shown =
            comparesSentList
            ? trust : TrustResult(path: chain, errors: [], notChecked: trust.notChecked)
        guard let match = firstMatch(of: wanted, among: chain) else {
            return PolicyVerdict(.reject, PolicyReason(.noPinMatched, rule: .okUnion), trust: shown)
        }
        let reason =
            comparesSentList
            ? PolicyReason(.pinMatchedAsSent(match), rule: .okSentList)
            : PolicyReason(.pinMatched(match), rule: .okUnion)
        return PolicyVerdict(.accept, reason, trust: shown)
    }

    private func firstMatch(of pins: [OkHttpPin], among chain: [CertificateFacts]) -> PinMatch? {
        for (depth, certificate) in chain.enumerated() {
            guard let pin = pins.first(where: { $0.matches(certificate) }) else { continue }
            return PinMatch(pin: pin.text, certificate: certificate, depth: depth)
        }
        return nil
    }

    /// Nothing is pinned for the host, perhaps only because of the dot at its end (PS-4-3).
    private func notPinned(_ host: String, _ pins: [OkHttpPin]) -> PolicyReason {
        let isDotted = host.hasSuffix(".") && pins.contains { $0.pattern.matches(String(host.dropLast())) }
        return PolicyReason(.hostNotPinned(host), rule: isDotted ? .okTrailingDot : .okUnion)
    }
}

extension RuleID {
    /// OkHttp's own comparison of hosts.
    static let okHostname = RuleID("PS-0.5-2")
    /// Reading pins.
    static let okPin = RuleID("PS-4-1")
    /// Reading and matching patterns.
    static let okPattern = RuleID("PS-4-2")
    /// A host with a dot at its end.
    static let okTrailingDot = RuleID("PS-4-3")
    /// Which pins count, and where one has to match.
    static let okUnion = RuleID("PS-4-4")
    /// On which chain.
    static let okChain = RuleID("PS-4-5")
    /// CVE-2016-2402.
    static let okSentList = RuleID("PS-4-6")
}
