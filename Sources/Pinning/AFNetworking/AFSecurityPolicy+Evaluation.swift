extension AFSecurityPolicy {
    /// Decides as the release's `evaluateServerTrust:forDomain:` does (PS-1.1 to PS-1.3).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: Apple's trust evaluation.
    /// - Returns: The verdict; never `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard let band else { return PolicyVerdict(.configError, versionProblem) }
        if let crashingPin { return PolicyVerdict(.configError, crashingPin.reason) }
        var trust = TrustObject(server, using: evaluator)
        if let anchorsBefore {
            trust.setAnchors(anchorsBefore)
            trust.anchorsOnly = false
        }
        return switch band {
        case .pinsAlone: comparePins(on: trust)
        case .ownNames: evaluateByOwnNames(trust)
        case .counts, .nothingInModeNone, .countsAgain, .anyPinBefore, .anyPinAfter: evaluate(trust, in: band)
        }
    }

    /// The order of 2.2.4 and later.
    private func evaluate(_ trust: TrustObject, in band: Band) -> PolicyVerdict {
        let (rule, server) = (band.rule, trust.server)
        if band >= .anyPinBefore, server.host != nil, allowInvalidCertificates, validatesDomainName,
            mode == .none || pins.isEmpty
        {
            return PolicyVerdict(.reject, PolicyReason(.contradictory, rule: .afContradiction))
        }
        var trust = trust
        trust.policy = validatesDomainName ? .ssl(host: server.host) : .basicX509
        if band == .nothingInModeNone, mode == .none {
            return PolicyVerdict(.accept, PolicyReason(.anythingAllowed, rule: rule))
        }
        let before = trust.evaluate()
        if !before.valid, !allowInvalidCertificates {
            return PolicyVerdict(.reject, PolicyReason(.chainInvalid(before.errors), rule: rule), trust: before)
        }
        switch mode {
        case .none:
            let kind: PolicyReason.Kind = before.valid ? .chainValid : .anythingAllowed
            return PolicyVerdict(.accept, PolicyReason(kind, rule: rule), trust: before)
        case .certificate:
            return compareCertificates(&trust, before, in: band)
        case .publicKey where band < .anyPinBefore:
            return countKeys(on: before, rule: .afCountedKeys)
        case .publicKey:
            // PS-1.3-2: no anchors are set; any key of the path as built on the platform's will do.
            return PolicyVerdict(
                loadedPins.firstKey(on: before.path.enumerated()), rule: .afPublicKeyMode, trust: before)
        }
    }

    /// PS-1.2-1 and PS-1.3-1: the pins become the only anchors; then pins are counted, or looked for.
    private func compareCertificates(
        _ trust: inout TrustObject, _ before: TrustResult, in band: Band
    ) -> PolicyVerdict {
        let rule: RuleID = band < .anyPinBefore ? .afCountedCertificates : .afCertificateMode
        switch pinsAsAnchors() {
        case .failure(let unusable): return PolicyVerdict(.configError, unusable.reason)
        case .success(let anchors): trust.setAnchors(anchors)
        }
        let pinned = trust.evaluate()
        guard pinned.valid else {
            let kind = PolicyReason.Kind.notAnchoredByPins(pinned.errors)
            return PolicyVerdict(.reject, PolicyReason(kind, rule: rule), trust: pinned)
        }
        switch band {
        case .anyPinBefore:
            return PolicyVerdict(
                loadedPins.firstCertificate(on: before.path.enumerated()), rule: rule, trust: before)
        case .anyPinAfter:
            // From the root down, as the library looks.
            let path = Array(pinned.path.enumerated()).reversed()
            return PolicyVerdict(loadedPins.firstCertificate(on: path), rule: rule, trust: pinned)
        case .pinsAlone, .ownNames, .counts, .nothingInModeNone, .countsAgain:
            guard validatesCertificateChain else {
                let kind = PolicyReason.Kind.anchored(besidePlatform: false)
                return PolicyVerdict(.accept, PolicyReason(kind, rule: rule), trust: pinned)
            }
            return countCertificates(on: before, rule: rule)
        }
    }
}

extension AFSecurityPolicy {
    /// Counts the certificates of a path that are pins.
    func countCertificates(on trust: TrustResult, rule: RuleID) -> PolicyVerdict {
        let pinned = Set(loadedPins.compactMap(\.certificate))
        let count = PinCount(
            .certificates, count: trust.path.count(where: pinned.contains), pathLength: trust.path.count,
            demand: isPatched ? .allButOne : .all)
        return verdict(count, rule: rule, trust: trust)
    }

    /// PS-1.2-2: pairs of equal keys are counted, so that pins with the same key count twice.
    func countKeys(on trust: TrustResult, rule: RuleID) -> PolicyVerdict {
        let certificates = validatesCertificateChain ? trust.path[...] : trust.path.prefix(1)
        let keys = certificates.compactMap(\.publicKey)
        let pinnedKeys = loadedPins.compactMap { $0.certificate?.publicKey }
        let pairs = keys.map { key in pinnedKeys.count { $0 == key } }.reduce(0, +)
        let count = PinCount(
            .keyPairs, count: pairs, pathLength: trust.path.count,
            demand: validatesCertificateChain && !isPatched ? .all : .any)
        return verdict(count, rule: rule, trust: trust)
    }

    private func verdict(_ count: PinCount, rule: RuleID, trust: TrustResult) -> PolicyVerdict {
        PolicyVerdict(count.isMet ? .accept : .reject, PolicyReason(.pinsCounted(count), rule: rule), trust: trust)
    }
}

extension RuleID {
    /// Rule G of 2.6 and later, before anything is evaluated.
    static let afContradiction = RuleID("PS-1.1-G")
    /// Counting certificates, 2.2.4 to 2.5.4.
    static let afCountedCertificates = RuleID("PS-1.2-1")
    /// Counting keys, 2.2.4 to 2.5.4.
    static let afCountedKeys = RuleID("PS-1.2-2")
    /// Looking for a certificate, 2.6 and later.
    static let afCertificateMode = RuleID("PS-1.3-1")
    /// Looking for a key, 2.6 and later.
    static let afPublicKeyMode = RuleID("PS-1.3-2")
}
