/// What curl checks of a server (PS-7): its chain and host unless `-k`, and the key of its own certificate.
///
/// The same policy is for each host of a transfer, those of redirects included. What `--proxy-pinnedpubkey` says about
/// an HTTPS proxy is a policy of its own.
public struct CurlPolicy: PinningPolicy {
    /// What carries the transfer.
    public enum Transport: Sendable, Hashable {
        /// TLS over TCP.
        case tls
        /// HTTP/3; some builds never looked at the pin there (PS-7-3).
        case http3(checksPin: Bool)
    }

    /// `--pinnedpubkey`; nil if it is not given.
    public var pin: CurlPublicKeyPin?
    /// `-k`.
    public var isInsecure: Bool
    /// `--cacert`, which replaces the platform's anchors; nil if it is not given.
    public var authorities: [CertificateFacts]?
    /// What carries the transfer.
    public var transport: Transport

    /// Makes a policy; the defaults are curl's.
    public init(
        pin: CurlPublicKeyPin? = nil, isInsecure: Bool = false, authorities: [CertificateFacts]? = nil,
        transport: Transport = .tls
    ) {
        self.pin = pin
        self.isInsecure = isInsecure
        self.authorities = authorities
        self.transport = transport
    }

    /// curl takes every value: what cannot be used matches nothing.
    public var configurationProblem: PolicyReason? { nil }

    /// Decides as curl does, before it sends the request (PS-7-2).
    ///
    /// - Parameters:
    ///   - server: What the server presented, to whom and when.
    ///   - evaluator: OpenSSL's verification.
    /// - Returns: The verdict; never `default`.
    public func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
        guard let leaf = server.sent.first else {
            let error = TrustError(.noCertificate, depth: 0, detail: "there is no certificate")
            return PolicyVerdict(.reject, PolicyReason(.chainInvalid([error]), rule: .curlOrder))
        }
        var trust: TrustResult?
        if !isInsecure {
            let result = evaluator.evaluate(
                policy: .openssl(host: server.host), anchors: authorities, anchorsOnly: authorities != nil,
                sent: server.sent, time: server.time)
            guard result.valid else {
                return PolicyVerdict(
                    .reject, PolicyReason(.chainInvalid(result.errors), rule: .curlOrder), trust: result)
            }
            trust = result
        }
        guard let pin else {
            let kind: PolicyReason.Kind = isInsecure ? .anythingAllowed : .chainValid
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .curlOrder), trust: trust)
        }
        if transport == .http3(checksPin: false) {
            let kind: PolicyReason.Kind = isInsecure ? .anythingAllowed : .pinNotChecked
            return PolicyVerdict(.accept, PolicyReason(kind, rule: .curlTransport), trust: trust)
        }
        guard let text = pin.match(leaf) else {
            return PolicyVerdict(.reject, PolicyReason(.leafKeyNotPinned, rule: .curlPin), trust: trust)
        }
        let match = PinMatch(pin: text, certificate: leaf, depth: 0)
        return isInsecure
            ? PolicyVerdict(.accept, PolicyReason(.pinMatchedAlone(match), rule: .curlOrder))
            : PolicyVerdict(.accept, PolicyReason(.pinMatched(match), rule: .curlPin), trust: trust)
    }
}

extension RuleID {
    /// What a pin is, and what it is compared with.
    static let curlPin = RuleID("PS-7-1")
    /// What comes before the pin, and what `-k` leaves out.
    static let curlOrder = RuleID("PS-7-2")
    /// Transports that skip it.
    static let curlTransport = RuleID("PS-7-3")
}
