public import Wire

/// Code that accepts any certificate for the hosts of a list, and cancels for all others (PS-11-10).
public struct HostListPolicy: PinningPolicy {
    /// The hosts whose certificates are not looked at.
    public var hosts: [HostName]

    /// Lists hosts.
    public init(hosts: [HostName]) { self.hosts = hosts }

    /// Any list works as it is meant.
    public var configurationProblem: PolicyReason? { nil }

    /// Looks at the host, and not at the certificate.
    ///
    /// - Parameters:
    ///   - server: Whom the client wants; what was presented does not count.
    ///   - evaluator: The platform's trust evaluation, which is not asked.
    /// - Returns: Accept or reject.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard let host = server.host, hosts.contains(host) else {
            return PolicyVerdict(.reject, PolicyReason(.hostNotListed(server.host?.text), rule: .hostList))
        }
        return PolicyVerdict(.accept, PolicyReason(.hostListed(host.text), rule: .hostList))
    }
}

extension RuleID {
    static let hostList = RuleID("PS-11-10")
}
