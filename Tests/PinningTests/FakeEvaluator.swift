import Pinning
import Synchronization
import Wire

/// A platform whose answers are written down in the test, and which remembers what it was asked.
final class FakeEvaluator: TrustEvaluator {
    struct Question: Equatable {
        var policy: TrustPolicy
        var anchors: [CertificateFacts]?
        var anchorsOnly: Bool
        var sent: [CertificateFacts]
        var time: Int64
    }

    private let platform: TrustResult
    private let pinned: TrustResult
    private let asked = Mutex<[Question]>([])

    /// - Parameters:
    ///   - platform: The answer as long as the application has set no anchors.
    ///   - pinned: The answer once it has.
    init(platform: TrustResult, pinned: TrustResult) {
        self.platform = platform
        self.pinned = pinned
    }

    var questions: [Question] { asked.withLock { $0 } }

    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        asked.withLock {
            $0.append(Question(policy: policy, anchors: anchors, anchorsOnly: anchorsOnly, sent: sent, time: time))
        }
        return anchors == nil ? platform : pinned
    }
}

/// A certificate that is nothing but its name and its key's.
func certificate(
    _ name: String, key: String? = nil, unreadableKey: Bool = false, summary: String? = nil
) -> CertificateFacts {
    CertificateFacts(
        der: Array("certificate \(name)".utf8), publicKey: unreadableKey ? nil : Array("key \(key ?? name)".utf8),
        sha256: Array(name.utf8), subject: "CN=\(name)", subjectSummary: summary)
}

func valid(_ path: CertificateFacts...) -> TrustResult {
    TrustResult(path: path, errors: [], notChecked: [])
}

func invalid(_ kind: TrustError.Kind, _ path: CertificateFacts...) -> TrustResult {
    TrustResult(path: path, errors: [TrustError(kind, depth: 0, detail: "as the test says")], notChecked: [])
}
