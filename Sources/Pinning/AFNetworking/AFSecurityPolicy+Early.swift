/// The releases before 2.2.4, which leave the platform's policy as it stands.
extension AFSecurityPolicy {
    /// 2.0.0 to 2.0.3 (PS-1.1-1): a pin on the path is all that the pinned modes want.
    func comparePins(on trust: TrustObject) -> PolicyVerdict {
        let platform = trust.evaluate()
        switch mode {
        case .none:
            guard platform.valid || allowInvalidCertificates else {
                return invalid(platform, rule: Band.pinsAlone.rule)
            }
            let kind: PolicyReason.Kind = platform.valid ? .chainValid : .anythingAllowed
            return PolicyVerdict(.accept, PolicyReason(kind, rule: Band.pinsAlone.rule), trust: platform)
        case .certificate:
            let match = loadedPins.firstCertificate(on: platform.path.enumerated())
            return PolicyVerdict(match, rule: Band.pinsAlone.rule, trust: platform)
        case .publicKey:
            let match = loadedPins.firstKey(on: platform.path.enumerated())
            return PolicyVerdict(match, rule: Band.pinsAlone.rule, trust: platform)
        }
    }

    /// 2.1.0 to 2.2.3 (PS-1.1-2): validity, pins, and from 2.2.0 on the library's own look at the name.
    func evaluateByOwnNames(_ trust: TrustObject) -> PolicyVerdict {
        let rule = Band.ownNames.rule
        if mode == .none, allowInvalidCertificates {
            return PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: rule))
        }
        let platform = trust.evaluate()
        if !platform.valid, !allowInvalidCertificates || !isSecondOfOwnNames { return invalid(platform, rule: rule) }
        let pinned: PolicyVerdict
        switch mode {
        case .none:
            return PolicyVerdict(.accept, PolicyReason(.chainValid, rule: rule), trust: platform)
        case .certificate where validatesCertificateChain:
            pinned = countCertificates(on: platform, rule: rule)
        case .certificate:
            let match = loadedPins.firstCertificate(on: platform.path.prefix(1).enumerated())
            let kind = match.map(PolicyReason.Kind.pinMatched) ?? .leafNotPinned
            pinned = PolicyVerdict(match == nil ? .reject : .accept, PolicyReason(kind, rule: rule), trust: platform)
        case .publicKey:
            pinned = countKeys(on: platform, rule: rule)
        }
        guard pinned.decision == .accept, isSecondOfOwnNames, validatesDomainName,
            let host = trust.server.spelledHost
        else { return pinned }
        let summary = platform.path.first?.subjectSummary
        guard let summary, SubjectSummaryMatch.summary(summary, matches: host) else {
            let kind = PolicyReason.Kind.summaryNotForHost(summary: summary, host: host)
            return PolicyVerdict(.reject, PolicyReason(kind, rule: .afSubjectSummary), trust: platform)
        }
        return pinned
    }

    /// 2.1.0 returns before its look at the name, and does not know that invalid certificates may be allowed.
    private var isSecondOfOwnNames: Bool { version >= LibraryVersion(2, 2) }

    private func invalid(_ trust: TrustResult, rule: RuleID) -> PolicyVerdict {
        PolicyVerdict(.reject, PolicyReason(.chainInvalid(trust.errors), rule: rule), trust: trust)
    }
}

/// How AFNetworking 2.2.0 to 2.2.3 compared a host with a certificate: by the subject's summary, and by no alternative
/// name (PS-0.5-3).
public enum SubjectSummaryMatch {
    /// Whether summary and host are the same label by label, where an asterisk in either stands for any label.
    ///
    /// - Parameters:
    ///   - summary: The summary of the leaf's subject, which is its common name as a rule.
    ///   - host: The host as the app's URL has it.
    /// - Returns: Whether the library takes the certificate for the host's.
    public static func summary(_ summary: String, matches host: String) -> Bool {
        func labels(_ text: String) -> [Substring] {
            text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        }
        let (presented, wanted) = (labels(summary), labels(host))
        return presented.count == wanted.count
            && zip(presented, wanted).allSatisfy { $0 == $1 || $0 == "*" || $1 == "*" }
    }
}

extension RuleID {
    /// The library's own look at the name.
    static let afSubjectSummary = RuleID("PS-0.5-3")
}
