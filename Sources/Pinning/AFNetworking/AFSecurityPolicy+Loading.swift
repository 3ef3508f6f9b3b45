extension AFSecurityPolicy {
    /// Whether the library finds a file of an app's bundle by itself: those whose name ends in `.cer` (PS-1.4).
    ///
    /// - Parameter name: The file's name, in the app's own spelling.
    /// - Returns: Whether it is loaded as a pin by default. What is in it must be one certificate in DER.
    public static func loads(fileNamed name: String) -> Bool { name.hasSuffix(".cer") }

    /// The pins that the object holds: 2.6 and later drop the same certificate's second copy (PS-1.4).
    public var loadedPins: [Pin] {
        guard version >= LibraryVersion(2, 6) else { return pins }
        var seen: Set<CertificateFacts> = []
        return pins.filter { pin in pin.certificate.map { seen.insert($0).inserted } ?? true }
    }

    /// What there is to say about a release that no band holds.
    var versionProblem: PolicyReason { PolicyReason(.versionNotEmulated("AFNetworking \(version)"), rule: .afVersions) }

    /// The pin that crashes the app when it is loaded; nil if none does.
    ///
    /// Up to 2.2.3 every pin's key is taken out when the pins are set, in each mode, without a look at whether there is
    /// a certificate.
    var crashingPin: UnusablePin? {
        guard version < LibraryVersion(2, 2, 4) else { return nil }
        return pins.first { $0.certificate == nil }.map { UnusablePin(name: $0.name) }
    }

    /// The pins as anchors, or what happens if one is no certificate.
    func pinsAsAnchors() -> Result<[CertificateFacts], UnusablePin> {
        var anchors: [CertificateFacts] = []
        for pin in loadedPins {
            // The library puts nil into an array here, which raises an exception.
            guard let certificate = pin.certificate else { return .failure(UnusablePin(name: pin.name)) }
            anchors.append(certificate)
        }
        return .success(anchors)
    }

    /// A pin that is no certificate.
    struct UnusablePin: Error {
        let name: String

        var reason: PolicyReason { PolicyReason(.unusablePin(name: name), rule: .afPinLoading) }
    }
}

extension CertificatePin {
    /// Whether the pin can match anything: public-key mode skips pins whose key cannot be read.
    func isUsable(in mode: AFSecurityPolicy.Mode) -> Bool {
        mode == .publicKey ? certificate?.publicKey != nil : certificate != nil
    }
}

extension RuleID {
    /// Which releases there are.
    static let afVersions = RuleID("PS-1.1")
    /// What the library takes as a pin.
    static let afPinLoading = RuleID("PS-1.4")
}
