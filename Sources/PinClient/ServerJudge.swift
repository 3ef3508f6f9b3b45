public import Pinning

/// Who decides about a server: the policy of an app's library, then what the app's platform adds.
public struct ServerJudge: Sendable {
    /// The library's policy.
    public var policy: any PinningPolicy
    /// The platform's trust evaluation.
    public var trust: any TrustEvaluator
    /// App Transport Security; nil where there is none.
    public var transportSecurity: TransportSecurity?

    /// Joins a policy and the platform under it.
    public init(
        policy: any PinningPolicy, trust: any TrustEvaluator, transportSecurity: TransportSecurity? = nil
    ) {
        self.policy = policy
        self.trust = trust
        self.transportSecurity = transportSecurity
    }

    /// What was decided about a server.
    struct Judgement {
        /// What the library decided.
        var verdict: PolicyVerdict
        /// What the platform's ordinary validation said, if the library left the decision to it.
        var platform: TrustResult?

        /// Whether the connection goes on.
        var isAccepted: Bool {
            switch verdict.decision {
            case .accept: true
            case .default: platform?.valid ?? false
            case .reject, .configError: false
            }
        }
    }

    /// Decides about a server's certificates, as the handshake does.
    func judge(_ server: ServerTrust) -> Judgement {
        let verdict = policy.evaluate(server, using: trust)
        guard verdict.decision == .default else { return Judgement(verdict: verdict) }
        // Some libraries are asked after the platform has validated, and then know what it said.
        let platform = verdict.trust ?? policy.platformValidation(of: server, using: trust)
        return Judgement(verdict: verdict, platform: platform)
    }

    /// Decides about a server that is asked without TLS.
    func judgeWithoutTLS(_ server: ServerTrust) -> PolicyVerdict {
        let verdict = policy.verdictWithoutTLS(on: server)
        guard verdict.decision == .default, let host = server.host,
            let objection = transportSecurity?.objection(to: host, nil)
        else { return verdict }
        return PolicyVerdict(.reject, objection)
    }

    /// What the platform has against a connection that its certificates would do for; nil if nothing.
    func objection(to server: ServerTrust, version: UInt16, cipherSuite: UInt16) -> PolicyReason? {
        guard let transportSecurity, let host = server.host, let leaf = server.sent.first else { return nil }
        let connection = TransportSecurity.Connection(version: version, cipherSuite: cipherSuite, leaf: leaf)
        return transportSecurity.objection(to: host, connection)
    }
}

extension ServerJudge {
    /// Decides about a chain that was saved, without any connection.
    ///
    /// - Parameter server: The chain as it was sent, by whom and when.
    /// - Returns: What a check of such a server shows of its certificates. What depends on the connection (its version
    ///   and cipher suite) is not judged, and named as not checked.
    public func judgeOffline(_ server: ServerTrust) -> CheckResult {
        var result = CheckResult()
        if let problem = policy.configurationProblem {
            result.verdict = PolicyVerdict(.configError, problem)
            return result
        }
        let judgement = judge(server)
        result.entry = policy.entry(for: server)
        result.verdict = judgement.verdict
        result.platform = judgement.platform
        result.isAccepted = judgement.isAccepted
        guard result.isAccepted, transportSecurity != nil else { return result }
        // TLS 1.3 is beyond objection, so that only the certificate can be objected to.
        if let objection = objection(to: server, version: 0x0304, cipherSuite: 0x1301) {
            result.object(objection)
        } else {
            let rule = RuleID("PS-6.2")
            let summary = "the TLS version and the cipher suite, which App Transport Security looks at"
            result.notChecked.append(UncheckedRule(rule: rule, summary: summary))
        }
        return result
    }
}
