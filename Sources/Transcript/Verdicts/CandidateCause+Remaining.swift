import Wire

extension CandidateCause {
    /// The causes that the evidence of a finding leaves open.
    ///
    /// Alert numbers only put them in order, since no number names a cause by itself.
    ///
    /// - Parameters:
    ///   - finding: The finding, but for this.
    ///   - commands: How the client's commands ended.
    /// - Returns: The causes, the likeliest first.
    static func remaining(_ finding: Finding, _ commands: CommandConduct) -> [CandidateCause] {
        switch finding.conclusion {
        case .notExercised: []
        case .notPinned: commands.failed.contains(.trusted) && !commands.failed.contains(.baseline) ? [.lateCheck] : []
        case .brokenValidation:
            commands.failed.contains(.untrusted) && !commands.failed.contains(.baseline) ? [.lateCheck] : []
        case .pinned(let trust): open(finding, trust) + ending(finding) + circumstances(finding)
        case .inconclusive(.trustNotShown): open(finding, nil) + circumstances(finding)
        case .inconclusive(.originRefusesProxy): [.originFailure]
        case .inconclusive: circumstances(finding)
        }
    }

    /// What the certificates themselves may have brought about.
    private static func open(_ finding: Finding, _ trust: TrustEvidence?) -> [CandidateCause] {
        let host = finding.unit.host
        switch trust {
        case .otherHost(let other, _):
            // The same stack took a leaf of the same making; only the name is another one.
            return separateTrust(finding) + (host.isOrdinaryName && other.isOrdinaryName ? [] : [.namingRule])
        case .control(_, _, let isSameStack):
            // The CA is trusted, but the control may be a client with laxer rules.
            return (isSameStack ? separateTrust(finding) : [.untrustedCA])
                + [.leafLifetime, .missingTransparency, .namingRule]
        case .otherRefusal where finding.trusted.firm == 0:
            // Validation, which alerts, was over; what some clients look at after it are names and transparency.
            return [.namingRule, .missingTransparency]
        case .otherRefusal:
            return [.authorityValidity, .leafLifetime, .missingTransparency, .namingRule]
        case nil:
            let validity: [CandidateCause] = [.authorityValidity, .leafLifetime]
            let isAboutTime = finding.trusted.alerts[45] != nil
            return (isAboutTime ? validity + [.untrustedCA] : [.untrustedCA] + validity)
                + [.missingTransparency, .namingRule]
        }
    }

    /// A client that refuses both CAs alike may know neither here, wherever else it takes one.
    private static func separateTrust(_ finding: Finding) -> [CandidateCause] {
        finding.trusted.refusesOtherwise(than: finding.untrusted) ? [] : [.separateTrust]
    }

    /// Silence has many reasons.
    private static func ending(_ finding: Finding) -> [CandidateCause] {
        finding.trusted.firm == 0 ? [.otherEnding] : []
    }

    /// What else was seen that keeps clients from showing what they think of a certificate.
    private static func circumstances(_ finding: Finding) -> [CandidateCause] {
        let phases = [finding.untrusted, finding.trusted]
        var causes: [CandidateCause] = []
        let isProtocol = phases.contains { $0.lackingProtocol > 0 || $0.untested(\.isAboutProtocols) > 0 }
        if isProtocol { causes.append(.protocolOrVersion) }
        if phases.contains(where: { $0.originFailures > 0 }) { causes.append(.originFailure) }
        if phases.contains(where: { $0.untested { $0 == .resumed } > 0 }) { causes.append(.resumption) }
        return causes
    }
}

extension NotTestedReason {
    /// Whether protocols, versions or algorithms kept a session from coming about.
    fileprivate var isAboutProtocols: Bool {
        switch self {
        case .parameterAlert, .proxyAlert, .obsoleteVersion: true
        default: false
        }
    }
}

extension HostName {
    /// Whether no client has a rule of its own for such a name: a DNS name without underscores, short enough for a common
    /// name (RFC 5280 appendix A.1, ub-common-name).
    fileprivate var isOrdinaryName: Bool {
        guard case .dns(let name) = kind else { return false }
        return name.utf8.count <= 64 && !name.utf8.contains(UInt8(ascii: "_"))
    }
}
