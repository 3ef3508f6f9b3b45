internal import Wire

/// What holds for one host once everything is inherited (PS-5-5).
public struct EffectiveNetworkSecurity: Sendable {
    /// One source of anchors, with its switch decided.
    struct Anchors: Sendable {
        var source: NetworkSecurityConfig.Certificates.Source
        var overridePins: Bool
    }

    /// One pin of a set, decoded.
    struct Pin: Sendable {
        var text: String
        var hash: [UInt8]
    }

    /// The domain whose entry it is; nil for what holds for all hosts without one.
    public internal(set) var domain: String?
    /// Whether the host may be asked without TLS.
    public internal(set) var permitsCleartext: Bool
    /// Whether HSTS is kept to.
    public internal(set) var enforcesHSTS: Bool
    var anchors: [Anchors]
    /// Whether the anchors are a configuration's own and not the platform's.
    var hasOwnAnchors: Bool
    var pins: [Pin] = []
    var expiration: CalendarDate?
}

extension EffectiveNetworkSecurity {
    /// What the platform does for an app that says nothing (PS-5-6).
    init(default application: AndroidApplication, withoutConfiguration: Bool) {
        let byTarget = application.targetSDK <= 27 && !application.isInstant
        permitsCleartext = withoutConfiguration ? application.usesCleartextTraffic ?? byTarget : byTarget
        enforcesHSTS = false
        anchors = [Anchors(source: .system, overridePins: false)]
        if application.trustsUserAuthorities { anchors.append(Anchors(source: .user, overridePins: false)) }
        hasOwnAnchors = false
    }

    /// What holds where more is said: attribute by attribute, anchors and pins as a whole.
    ///
    /// - Parameters:
    ///   - settings: What is said.
    ///   - debug: Anchors that are added to those that it declares (PS-5-7).
    /// - Returns: What holds.
    func overridden(by settings: NetworkSecurityConfig.Settings, debug: [Anchors]) -> Self {
        var result = self
        if let permitted = settings.cleartextTrafficPermitted { result.permitsCleartext = permitted }
        if let enforced = settings.hstsEnforced { result.enforcesHSTS = enforced }
        if let declared = settings.trustAnchors {
            let own = declared.map { Anchors(source: $0.source, overridePins: $0.overridePins ?? false) }
            result.anchors = own + debug
            result.hasOwnAnchors = true
        }
        return result
    }

    /// Replaces the pins: an empty set removes what was inherited.
    mutating func replacePins(by set: NetworkSecurityConfig.PinSet) throws(ConfigurationFault) {
        pins = []
        for pin in set.pins { pins.append(try Pin(pin)) }
        expiration = nil
        if let text = set.expiration {
            guard let date = CalendarDate(java: text) else {
                throw ConfigurationFault(.invalidDate(text), rule: .nscPins)
            }
            expiration = date
        }
    }
}

extension EffectiveNetworkSecurity.Pin {
    /// Reads a pin as the platform does (PS-5-3): the digest's name without regard to case, the rest leniently.
    fileprivate init(_ pin: NetworkSecurityConfig.Pin) throws(ConfigurationFault) {
        guard pin.digest?.lowercased() == "sha-256" else {
            throw ConfigurationFault(.unsupportedDigest(pin.digest), rule: .nscPins)
        }
        let text = pin.text.trimmed
        guard let hash = AndroidBase64.decode(text) else {
            throw ConfigurationFault(.notBase64(text), rule: .nscPins)
        }
        guard hash.count == 32 else {
            throw ConfigurationFault(.digestLength(text, octets: hash.count), rule: .nscPins)
        }
        self.init(text: text, hash: hash)
    }
}

extension String {
    /// The text without control characters and blanks around it, as Java's `trim` has it.
    var trimmed: String {
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        return String(decoding: utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }
}

extension RuleID {
    /// What a configuration consists of.
    static let nscStructure = RuleID("PS-5-1")
    /// Domains as they are written.
    static let nscDomain = RuleID("PS-5-2")
    /// Pins and their expiration.
    static let nscPins = RuleID("PS-5-3")
    /// Anchors and their switch.
    static let nscAnchors = RuleID("PS-5-4")
    /// What the platform does where nothing is said.
    static let nscDefaults = RuleID("PS-5-6")
    /// Which configuration is for a host.
    static let nscLookup = RuleID("PS-5-8")
    /// Path and pins.
    static let nscEvaluation = RuleID("PS-5-9")
}
