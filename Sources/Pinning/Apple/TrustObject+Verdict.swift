/// Steps that several of Apple's libraries share.
extension TrustObject {
    /// Whether the path is valid for a TLS server with the anchors as they are, with or without the host.
    func validated(host comparesHost: Bool, rule: RuleID) -> PolicyVerdict {
        var trust = self
        trust.policy = .ssl(host: comparesHost ? server.host : nil)
        return trust.verdict(rule: rule)
    }

    /// Whether the path is valid with what is set.
    func verdict(rule: RuleID) -> PolicyVerdict {
        let result = evaluate()
        let kind: PolicyReason.Kind = result.valid ? .chainValid : .chainInvalid(result.errors)
        return PolicyVerdict(result.valid ? .accept : .reject, PolicyReason(kind, rule: rule), trust: result)
    }
}

extension PolicyVerdict {
    /// Accepts if a pin matched.
    init(_ match: PinMatch?, rule: RuleID, trust: TrustResult) {
        let kind = match.map(PolicyReason.Kind.pinMatched) ?? .noPinMatched
        self.init(match == nil ? .reject : .accept, PolicyReason(kind, rule: rule), trust: trust)
    }

    /// The same verdict, unless what was learnt about revocation is against the path.
    func unlessRevoked(_ answer: RevocationAnswer, requiresAnswer: Bool, rule: RuleID) -> PolicyVerdict {
        guard decision == .accept else { return self }
        let finding: AlamofireFinding
        switch answer {
        case .good: return self
        case .revoked: finding = .revoked
        case .unanswered: finding = requiresAnswer ? .revocationUnanswered : .revocationUnknown
        }
        let accepts = finding == .revocationUnknown
        return PolicyVerdict(
            accepts ? .accept : .reject, PolicyReason(.alamofire(finding), rule: rule), trust: trust)
    }
}
