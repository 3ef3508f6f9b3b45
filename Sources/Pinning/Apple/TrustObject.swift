/// Apple's trust object, `SecTrust`: what an app sets on it stays set, evaluation after evaluation (PS-0.3-5).
struct TrustObject {
    /// What was presented, to whom and when.
    let server: ServerTrust
    /// What the next evaluation checks; setting it replaces what was there.
    var policy: TrustPolicy
    /// The app's anchors; nil as long as it has set none.
    private(set) var anchors: [CertificateFacts]?
    /// Whether the platform's own anchors are out.
    var anchorsOnly = false
    private let evaluator: any TrustEvaluator

    /// The object as the platform hands it to the app: with the policy of TLS servers and the host.
    init(_ server: ServerTrust, using evaluator: any TrustEvaluator) {
        self.server = server
        self.policy = .ssl(host: server.host)
        self.evaluator = evaluator
    }

    /// Sets anchors, even none at all, and leaves the platform's out.
    mutating func setAnchors(_ anchors: [CertificateFacts]) {
        self.anchors = anchors
        anchorsOnly = true
    }

    /// Evaluates with what is set now.
    func evaluate() -> TrustResult {
        evaluator.evaluate(
            policy: policy, anchors: anchors, anchorsOnly: anchorsOnly, sent: server.sent, time: server.time)
    }
}
