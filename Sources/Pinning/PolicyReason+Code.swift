// The names are written out and not taken from the compiler: programs rely on them.

extension PolicyReason {
    /// The reason as one word for programs, such as `pinMatched` or `trustKit.expired`: the name of its kind, and behind a
    /// point that of a library's own finding.
    public var code: String { kind.code }
}

extension PolicyReason.Kind {
    fileprivate var code: String {
        switch self {
        case .chainValid: "chainValid"
        case .anchored: "anchored"
        case .anchoredBy: "anchoredBy"
        case .anythingAllowed: "anythingAllowed"
        case .hostListed: "hostListed"
        case .hostNotListed: "hostNotListed"
        case .pinMatched: "pinMatched"
        case .pinMatchedWithoutServerRules: "pinMatchedWithoutServerRules"
        case .pinsCounted: "pinsCounted"
        case .chainInvalid: "chainInvalid"
        case .notAnchoredByPins: "notAnchoredByPins"
        case .noPinMatched: "noPinMatched"
        case .leafNotPinned: "leafNotPinned"
        case .contradictory: "contradictory"
        case .leftToPlatform: "leftToPlatform"
        case .policyNeverAsked: "policyNeverAsked"
        case .identityInsteadOfEvaluation: "identityInsteadOfEvaluation"
        case .identityUnavailable: "identityUnavailable"
        case .noCertificateToEvaluate: "noCertificateToEvaluate"
        case .noUsablePin: "noUsablePin"
        case .unusablePin: "unusablePin"
        case .versionNotEmulated: "versionNotEmulated"
        case .summaryNotForHost: "summaryNotForHost"
        case .alamofire(let finding): "alamofire.\(finding.code)"
        case .trustKit(let finding): "trustKit.\(finding.code)"
        case .pinnedDomains(let finding): "pinnedDomains.\(finding.code)"
        case .transportSecurity(let finding): "transportSecurity.\(finding.code)"
        case .invalidConfiguration(let fault): "invalidConfiguration.\(fault.kind.code)"
        case .hostNotPinned: "hostNotPinned"
        case .hostMismatch: "hostMismatch"
        case .pinsExpired: "pinsExpired"
        case .pinsOverridden: "pinsOverridden"
        case .mismatchNotEnforced: "mismatchNotEnforced"
        case .pinMatchedAsSent: "pinMatchedAsSent"
        case .pinMatchedAlone: "pinMatchedAlone"
        case .chainNotRebuilt: "chainNotRebuilt"
        case .leafKeyNotPinned: "leafKeyNotPinned"
        case .fingerprintDiffers: "fingerprintDiffers"
        case .pinNotChecked: "pinNotChecked"
        case .clientsRefused: "clientsRefused"
        case .cleartextForbidden: "cleartextForbidden"
        }
    }
}
