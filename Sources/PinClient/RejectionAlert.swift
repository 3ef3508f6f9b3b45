internal import Pinning

/// The alert that tells a server why its certificate was refused (RFC 8446 section 6.2), as libssl chooses it.
enum RejectionAlert {
    static let badCertificate: UInt8 = 42
    static let unsupportedCertificate: UInt8 = 43
    static let certificateExpired: UInt8 = 45
    static let certificateUnknown: UInt8 = 46
    static let unknownCA: UInt8 = 48
    static let internalError: UInt8 = 80

    /// The alert for a policy's reason.
    static func number(for reason: PolicyReason) -> UInt8 {
        switch reason.kind {
        case .chainInvalid(let errors):
            return number(for: errors)
        case .notAnchoredByPins(let errors):
            // The pins are not on the path: a mismatch of pins, not an unknown authority.
            return errors.first?.kind == .noAnchor ? badCertificate : number(for: errors)
        case .invalidConfiguration, .noUsablePin, .unusablePin:
            return internalError
        case .versionNotEmulated:
            return internalError
        case .alamofire, .pinnedDomains, .summaryNotForHost, .transportSecurity, .trustKit:
            return badCertificate
        case .anchored, .anchoredBy, .anythingAllowed, .chainNotRebuilt, .chainValid, .cleartextForbidden,
            .clientsRefused,
            .contradictory, .fingerprintDiffers, .hostListed, .hostMismatch, .hostNotListed, .hostNotPinned,
            .identityInsteadOfEvaluation, .identityUnavailable, .leafKeyNotPinned, .leafNotPinned, .leftToPlatform,
            .mismatchNotEnforced, .noCertificateToEvaluate, .noPinMatched, .pinMatched, .pinMatchedAlone,
            .pinMatchedAsSent, .pinMatchedWithoutServerRules, .pinNotChecked, .pinsCounted, .pinsExpired,
            .pinsOverridden, .policyNeverAsked:
            return badCertificate
        }
    }

    /// The alert for what is wrong with a path: the first finding decides.
    static func number(for errors: [TrustError]) -> UInt8 {
        switch errors.first?.kind {
        case .noAnchor, .pathTooLong, .issuerNotAuthority: unknownCA
        case .expired: certificateExpired
        case .wrongPurpose: unsupportedCertificate
        case .noCertificate, .notYetValid, .hostMismatch, .weakKey, .weakSignature, .lifetimeTooLong: badCertificate
        case .pinMismatch: badCertificate
        case .criticalExtension, .nameConstraint, .other, nil: certificateUnknown
        }
    }
}
