// What stands behind the point of a reason's code, written out: programs rely on it.

extension AlamofireFinding {
    var code: String {
        switch self {
        case .hostNotMapped: "hostNotMapped"
        case .noManager: "noManager"
        case .closure: "closure"
        case .revoked: "revoked"
        case .revocationUnanswered: "revocationUnanswered"
        case .revocationUnknown: "revocationUnknown"
        case .notInRelease: "notInRelease"
        }
    }
}

extension TrustKitMistake {
    var code: String {
        switch self {
        case .noDomains: "noDomains"
        case .wrongType: "wrongType"
        case .swizzlingNotShared: "swizzlingNotShared"
        case .noPublicSuffix: "noPublicSuffix"
        case .subdomainsOfSuffix: "subdomainsOfSuffix"
        case .badHash: "badHash"
        case .tooFewHashes: "tooFewHashes"
        case .noAlgorithms: "noAlgorithms"
        case .excludedWithOtherKeys: "excludedWithOtherKeys"
        case .excludedWithoutParent: "excludedWithoutParent"
        case .badReportURI: "badReportURI"
        }
    }
}

extension TrustKitFinding {
    var code: String {
        switch self {
        case .hostNotPinned: "hostNotPinned"
        case .expired: "expired"
        case .excluded: "excluded"
        case .unsupportedKey: "unsupportedKey"
        case .userAnchor: "userAnchor"
        case .notEnforced: "notEnforced"
        case .misconfigured(_, let mistake): mistake.code
        }
    }
}

extension PinnedDomainsFinding {
    var code: String {
        switch self {
        case .pinned: "pinned"
        case .hostNotPinned: "hostNotPinned"
        case .leafNotPinned: "leafNotPinned"
        case .authorityNotPinned: "authorityNotPinned"
        case .pinningRequired: "pinningRequired"
        }
    }
}

extension TransportSecurityFinding {
    var code: String {
        switch self {
        case .notSecure: "notSecure"
        case .versionTooOld: "versionTooOld"
        case .noForwardSecrecy: "noForwardSecrecy"
        case .weakKey: "weakKey"
        case .weakSignature: "weakSignature"
        }
    }
}

extension ConfigurationFault.Kind {
    var code: String {
        switch self {
        case .unknownPinKind: "unknownPinKind"
        case .unsupportedDigest: "unsupportedDigest"
        case .notBase64: "notBase64"
        case .digestLength: "digestLength"
        case .invalidDate: "invalidDate"
        case .invalidPattern: "invalidPattern"
        case .invalidDomain: "invalidDomain"
        case .duplicateDomain: "duplicateDomain"
        case .noDomain: "noDomain"
        case .tooFewPins: "tooFewPins"
        case .leadingDot: "leadingDot"
        case .hostUnknown: "hostUnknown"
        case .invalidFingerprint: "invalidFingerprint"
        }
    }
}
