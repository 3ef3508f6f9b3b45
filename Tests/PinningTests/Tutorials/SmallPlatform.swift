import Pinning
import Wire

/// A platform of a few certificates that are described by hand: who issued them, for whom, and whether their time is
/// over.
///
/// It follows issuers among the sent certificates and the anchors, stops at the first anchor (PS-0.3-1, PS-0.3-3), and
/// compares the host only where it is asked to (PS-0.3-6, PS-0.3-7).
struct SmallPlatform: TrustEvaluator {
    struct Description {
        var certificate: CertificateFacts
        var issuer: CertificateFacts?
        var hosts: [String] = []
        var isExpired = false
    }

    /// The certificates that it knows.
    var known: [Description]
    /// What the system trusts.
    var system: [CertificateFacts]

    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        let own = anchors ?? []
        let trusted = own + (anchorsOnly ? [] : system)
        var path = Array(sent.prefix(1))
        while let last = path.last, !trusted.contains(last), let issuer = description(of: last)?.issuer,
            (sent + trusted).contains(issuer)
        {
            path.append(issuer)
        }
        var errors: [TrustError] = []
        if let last = path.last, !trusted.contains(last) { errors.append(error(.noAnchor)) }
        if path.contains(where: { description(of: $0)?.isExpired == true }) { errors.append(error(.expired)) }
        if case .ssl(let host?) = policy, let leaf = path.first,
            description(of: leaf)?.hosts.contains(host.text) != true
        {
            errors.append(error(.hostMismatch))
        }
        return TrustResult(path: path, errors: errors, notChecked: [])
    }

    private func description(of certificate: CertificateFacts) -> Description? {
        known.first { $0.certificate == certificate }
    }

    private func error(_ kind: TrustError.Kind) -> TrustError { TrustError(kind, depth: 0, detail: kind.rawValue) }
}
