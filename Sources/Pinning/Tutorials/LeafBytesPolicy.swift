/// Code that compares the server's own certificate with a file, byte for byte, and looks at nothing else (PS-11-9).
///
/// No host, no expiry, no chain: that the server holds the key is TLS's proof.
public struct LeafBytesPolicy: PinningPolicy {
    /// What the certificate may be.
    public var pins: [AFSecurityPolicy.Pin]

    /// Pins certificates.
    public init(pins: [AFSecurityPolicy.Pin]) { self.pins = pins }

    /// There is no certificate to compare with.
    public var configurationProblem: PolicyReason? {
        pins.contains { $0.certificate != nil } ? nil : PolicyReason(.noUsablePin, rule: .leafBytes)
    }

    /// Accepts the pinned certificate.
    ///
    /// - Parameters:
    ///   - server: What the server presented; only its first certificate counts.
    ///   - evaluator: The platform's trust evaluation, which is not asked.
    /// - Returns: Accept or reject.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard let leaf = server.sent.first, let pin = pins.first(where: { $0.certificate == leaf }) else {
            return PolicyVerdict(.reject, PolicyReason(.leafNotPinned, rule: .leafBytes))
        }
        let match = PinMatch(pin: pin.name, certificate: leaf, depth: 0)
        return PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: .leafBytes))
    }
}

extension RuleID {
    static let leafBytes = RuleID("PS-11-9")
}
