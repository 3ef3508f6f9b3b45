/// Why a policy decided as it did, and by which rule.
public struct PolicyReason: Hashable, Sendable {
    /// Why.
    public enum Kind: Hashable, Sendable {
        /// The path is valid, and no pin is asked for.
        case chainValid
        /// The path is valid with the application's anchors, beside the platform's or instead of them.
        case anchored(besidePlatform: Bool)
        /// The path is valid with the anchors that the configuration names: its own, the system's, the user's.
        case anchoredBy([String])
        /// The policy takes any certificate.
        case anythingAllowed
        /// The host is on a list of hosts whose certificates are not looked at.
        case hostListed(String)
        /// The host is not on that list; nil if the client's code does not say whom it wants.
        case hostNotListed(String?)
        /// A pin matched a certificate of the path.
        case pinMatched(PinMatch)
        /// A pin matched, on a path that would not do for a TLS server: it passes because host and purpose are not
        /// looked at.
        case pinMatchedWithoutServerRules(PinMatch, [TrustError])
        /// As many certificates or keys of the path are pinned as are asked for, or not.
        case pinsCounted(PinCount)
        /// The path is not valid.
        case chainInvalid([TrustError])
        /// The path is not valid once the pins are the only anchors.
        case notAnchoredByPins([TrustError])
        /// No pin matches any certificate of the path.
        case noPinMatched
        /// The server's own certificate is none of the pins.
        case leafNotPinned
        /// The policy contradicts itself: names are to be validated, any certificate is allowed, nothing is pinned.
        case contradictory
        /// The library leaves this host to the platform's ordinary validation.
        case leftToPlatform
        /// A policy is configured, and no code ever asks it.
        case policyNeverAsked
        /// The server's challenge is answered with the client's identity, and nobody evaluates the server.
        case identityInsteadOfEvaluation
        /// The server's challenge was to be answered with the client's identity, whose file does not open.
        case identityUnavailable(file: String, password: IdentityPassword)
        /// There is no TLS, so no certificate.
        case noCertificateToEvaluate
        /// The policy asks for pins, and none of them can be used.
        case noUsablePin
        /// A pin is not a certificate, and the library raises an exception when it meets it.
        case unusablePin(name: String)
        /// The library's release decides in ways that are not known, or not known yet.
        case versionNotEmulated(String)
        /// The leaf's subject summary, if it has one, is not the host: AFNetworking 2.2 compares them.
        case summaryNotForHost(summary: String?, host: String)
        /// What only Alamofire finds.
        case alamofire(AlamofireFinding)
        /// What only TrustKit finds.
        case trustKit(TrustKitFinding)
        /// What only the pins of an app's Info.plist find.
        case pinnedDomains(PinnedDomainsFinding)
        /// What only App Transport Security finds.
        case transportSecurity(TransportSecurityFinding)
        /// The configuration is one that the library refuses with an exception.
        case invalidConfiguration(ConfigurationFault)
        /// The policy has pins, and none for this host.
        case hostNotPinned(String?)
        /// The certificate is for another host, by the library's own verifier.
        case hostMismatch(String?)
        /// The host's pins have expired, and expired pins are ignored.
        case pinsExpired(CalendarDate)
        /// The path ends in an anchor for which pins do not count, or they count for nothing at all.
        case pinsOverridden(anchor: String?)
        /// No pin matches, and the policy only reports.
        case mismatchNotEnforced
        /// A pin matched a certificate of the list as sent, which need not be on any path.
        case pinMatchedAsSent(PinMatch)
        /// A pin matched, and neither the chain nor the host is looked at.
        case pinMatchedAlone(PinMatch)
        /// The library's own search finds no chain, though the platform found one.
        case chainNotRebuilt(ChainCleaningFault)
        /// The key of the server's own certificate is not a pinned one.
        case leafKeyNotPinned
        /// The digest of the server's own certificate is not the pinned one.
        case fingerprintDiffers
        /// A pin is configured, and this transport does not look at it.
        case pinNotChecked
        /// The library trusts no certificate of a client.
        case clientsRefused
        /// The platform does not let the app ask the host without TLS.
        case cleartextForbidden(String)
    }

    /// Why.
    public let kind: Kind
    /// The rule that decided.
    public let rule: RuleID
    /// The step of the library that decided, where `rule` is about how an application uses it.
    public let step: RuleID?

    /// Joins a reason and its rule.
    public init(_ kind: Kind, rule: RuleID, step: RuleID? = nil) {
        self.kind = kind
        self.rule = rule
        self.step = step
    }
}

extension PolicyReason: CustomStringConvertible {
    /// The reason and its rule in one line.
    public var description: String {
        let source = step.map { "\(rule) by \($0)" } ?? "\(rule)"
        return "\(explanation) (\(source))"
    }

    /// The reason alone, in one line.
    public var explanation: String {
        switch kind {
        case .chainValid: "the chain is valid and nothing is pinned"
        case .anchored(besidePlatform: false): "the chain is valid with the app's anchors and no others"
        case .anchored(besidePlatform: true): "the chain is valid with the app's anchors or the system's"
        case .anchoredBy(let names):
            "the chain is valid with the anchors that the configuration names (\(names.joined(separator: ", "))), and "
                + "nothing is pinned"
        case .anythingAllowed: "the policy accepts any certificate"
        case .hostListed(let host): "\(host) is on the list, and any certificate will do for it"
        case .hostNotListed(let host): "\(host ?? "an unknown host") is not on the list"
        case .pinMatched(let match): Self.text(match)
        case .pinMatchedWithoutServerRules(let match, let errors):
            "\(Self.text(match)), but only because it is not checked as a TLS server's: \(Self.list(errors))"
        case .pinsCounted(let count): count.description
        case .chainInvalid(let errors): "the chain is not valid: \(Self.list(errors))"
        case .notAnchoredByPins(let errors):
            "with the pins as the only anchors the chain is not valid: \(Self.list(errors))"
        case .noPinMatched: "no pin matches any certificate of the path"
        case .leafNotPinned: "the server's certificate is not a pinned one, byte for byte"
        case .contradictory: "host names cannot be validated when any certificate is allowed and nothing is pinned"
        case .leftToPlatform: "the library leaves this host to the platform"
        case .policyNeverAsked: "a policy is configured, but nothing ever asks it: the platform decides"
        case .identityInsteadOfEvaluation:
            "the client identity answers the challenge about the server too, so the server is never evaluated"
        case .identityUnavailable(let file, let password):
            "\(file) does not open with \(password), so there is no identity to answer with: the platform decides"
        case .noCertificateToEvaluate: "without TLS there is no certificate, and nothing is evaluated"
        case .noUsablePin: "the policy asks for pins, and there is no usable one"
        case .unusablePin(let name): "pin \(name) is not a DER certificate, and the library raises an exception"
        case .versionNotEmulated(let release): "\(release) is not emulated: nothing is known of how it decides"
        case .summaryNotForHost(let summary, let host):
            "the library compares the subject, \(summary ?? "which is empty"), with \(host), and they differ"
        case .alamofire(let finding): finding.description
        case .trustKit(let finding): finding.description
        case .pinnedDomains(let finding): finding.description
        case .transportSecurity(let finding): finding.description
        case .invalidConfiguration(let fault): fault.description
        case .hostNotPinned(let host): "nothing is pinned for \(host ?? "an unknown host")"
        case .hostMismatch(let host): "the certificate is not for \(host ?? "an unknown host")"
        case .pinsExpired(let date): "the chain is valid; the pins expired on \(date), and expired pins are ignored"
        case .pinsOverridden(let anchor?): "the chain is valid, and its anchor overrides pins: \(anchor)"
        case .pinsOverridden(anchor: nil): "the chain is valid, and the policy overrides all pins"
        case .mismatchNotEnforced:
            "no pin matches any certificate of the path, and the policy does not enforce its pins"
        case .pinMatchedAsSent(let match):
            "pin \(match.pin) matches certificate \(match.depth) as the server sent them, \(match.certificate.subject); "
                + "whether it is on the path is not looked at"
        case .pinMatchedAlone(let match): "\(Self.text(match)); neither the chain nor the host is looked at"
        case .chainNotRebuilt(let fault): "the platform takes the chain, the library does not: \(fault)"
        case .leafKeyNotPinned: "the key of the server's own certificate is not a pinned one"
        case .fingerprintDiffers: "the server's own certificate does not have the pinned fingerprint"
        case .pinNotChecked: "the chain is valid, and the pin is not looked at over this transport"
        case .clientsRefused: "the library trusts no client certificate"
        case .cleartextForbidden(let host):
            "the app may not ask \(host.isEmpty ? "the host" : host) without TLS: cleartext traffic is not permitted"
        }
    }

    private static func text(_ match: PinMatch) -> String {
        "pin \(match.pin) matches certificate \(match.depth) of the path, \(match.certificate.subject)"
    }

    private static func list(_ errors: [TrustError]) -> String {
        errors.map(\.detail).joined(separator: "; ")
    }
}
