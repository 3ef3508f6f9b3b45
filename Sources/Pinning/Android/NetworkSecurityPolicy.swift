/// Android's network security configuration, as of API 24 (PS-5).
public struct NetworkSecurityPolicy: PinningPolicy {
    private let table: Result<NetworkSecurityTable, ConfigurationFault>
    private let device: AndroidDevice

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - config: What the app's configuration says; nil if it has none.
    ///   - application: What its manifest says.
    ///   - device: Where it runs.
    public init(_ config: NetworkSecurityConfig?, application: AndroidApplication, device: AndroidDevice) {
        table = Result { () throws(ConfigurationFault) in try NetworkSecurityTable(config, for: application) }
        self.device = device
    }

    /// What the platform's parser throws at (PS-5-1 to PS-5-3).
    public var configurationProblem: PolicyReason? {
        guard case .failure(let fault) = table else { return nil }
        return fault.reason
    }

    /// What is effective for a host.
    ///
    /// - Parameter host: As the client spells it; empty for none in particular.
    /// - Returns: The settings; nil if the configuration, or the host, makes the platform throw.
    public func settings(for host: String) -> EffectiveNetworkSecurity? {
        try? table.get().effective(for: host)
    }

    /// The domain whose settings are effective for the host.
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: The domain with its pins; nil if the base's settings are, or the platform throws.
    public func entry(for server: ServerTrust) -> PolicyEntry? {
        guard let effective = settings(for: server.spelledHost ?? ""), let domain = effective.domain else { return nil }
        return PolicyEntry(names: [domain], pins: effective.pins.map(\.text))
    }

    /// Decides as the platform's trust manager does (PS-5-9); the host's name is not its affair.
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: The path to given anchors.
    /// - Returns: The verdict; never `default`, because this is the platform's own validation.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        let effective: EffectiveNetworkSecurity
        do throws(ConfigurationFault) {
            let table = try table.get()
            guard let host = server.spelledHost ?? (table.hasDomains ? nil : "") else {
                throw ConfigurationFault(.hostUnknown, rule: .nscLookup)
            }
            effective = try table.effective(for: host)
        } catch {
            return error.verdict
        }
        return evaluate(server, effective, using: evaluator)
    }

    /// Without TLS the platform permits what is configured for the host (PS-5-6).
    ///
    /// - Parameter server: Whom the client wants.
    /// - Returns: `default` where cleartext is permitted.
    public func verdictWithoutTLS(on server: ServerTrust) -> PolicyVerdict {
        do throws(ConfigurationFault) {
            let host = server.spelledHost ?? ""
            let isPermitted = try table.get().effective(for: host).permitsCleartext
            let kind: PolicyReason.Kind = isPermitted ? .noCertificateToEvaluate : .cleartextForbidden(host)
            return PolicyVerdict(isPermitted ? .default : .reject, PolicyReason(kind, rule: .nscDefaults))
        } catch {
            return error.verdict
        }
    }

    private func evaluate(
        _ server: ServerTrust, _ effective: EffectiveNetworkSecurity, using evaluator: any TrustEvaluator
    ) -> PolicyVerdict {
        let anchors = effective.anchors.flatMap { device.certificates(of: $0.source) }
        let path = evaluator.evaluate(
            policy: .android, anchors: anchors, anchorsOnly: true, sent: server.sent, time: server.time)
        let trust = TrustResult(
            path: path.path, errors: path.errors, notChecked: path.notChecked + [.hostLeftToHTTPStack])
        guard trust.valid, let anchor = trust.path.last else {
            return PolicyVerdict(.reject, PolicyReason(.chainInvalid(trust.errors), rule: .nscEvaluation), trust: trust)
        }
        guard !effective.pins.isEmpty else {
            return PolicyVerdict(.accept, validReason(effective), trust: trust)
        }
        if let date = effective.expiration,
            server.time > date.start(secondsAheadOfUTC: device.secondsAheadOfUTC)
        {
            return PolicyVerdict(.accept, PolicyReason(.pinsExpired(date), rule: .nscPins), trust: trust)
        }
        if overridesPins(anchor, effective) {
            let reason = PolicyReason(.pinsOverridden(anchor: anchor.subject), rule: .nscAnchors)
            return PolicyVerdict(.accept, reason, trust: trust)
        }
        for (depth, certificate) in trust.path.enumerated().reversed() {
            guard let pin = effective.pins.first(where: { $0.hash == certificate.details.spkiSHA256 }) else { continue }
            let match = PinMatch(pin: pin.text, certificate: certificate, depth: depth)
            return PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: .nscEvaluation), trust: trust)
        }
        return PolicyVerdict(.reject, PolicyReason(.noPinMatched, rule: .nscEvaluation), trust: trust)
    }

    private func validReason(_ effective: EffectiveNetworkSecurity) -> PolicyReason {
        let kind: PolicyReason.Kind =
            effective.hasOwnAnchors ? .anchoredBy(effective.anchors.map(\.source.description)) : .chainValid
        return PolicyReason(kind, rule: .nscEvaluation)
    }

    /// Whether some source that overrides pins has the anchor: the same subject and key, whatever the certificate.
    private func overridesPins(_ anchor: CertificateFacts, _ effective: EffectiveNetworkSecurity) -> Bool {
        effective.anchors.contains { anchors in
            anchors.overridePins
                && device.certificates(of: anchors.source).contains { candidate in
                    candidate == anchor
                        || candidate.details.subjectName == anchor.details.subjectName
                            && candidate.publicKey != nil && candidate.publicKey == anchor.publicKey
                }
        }
    }
}

extension AndroidDevice {
    /// The certificates that a source stands for.
    func certificates(of source: NetworkSecurityConfig.Certificates.Source) -> [CertificateFacts] {
        switch source {
        case .system: systemAuthorities
        case .user: userAuthorities
        case .wifi: wifiAuthorities
        case .resource(name: _, let certificates): certificates
        }
    }
}

extension UncheckedRule {
    /// The platform's trust manager compares no names.
    static let hostLeftToHTTPStack = UncheckedRule(
        rule: .nscEvaluation, summary: "the host's name, which is left to the HTTP stack")
}
