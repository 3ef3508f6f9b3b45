internal import Crypto
internal import PinClient
internal import Pinning
internal import Wire

/// What `pinproof check` prints of a check, as text and as JSON, and the exit code that goes with it.
struct CheckReport {
    /// How a server was reached.
    enum Route {
        case direct
        case proxy(Endpoint)
        /// Through a proxy of the check's own, whose CA is trusted.
        case interception
    }

    /// What was judged.
    enum Target {
        /// A server, with what each one on the way showed, and what the app does with its client identity.
        case url(CheckURL, Route, CheckJourney, IdentityConduct)
        /// A saved chain.
        case chain(file: String, host: String, time: Int64, sent: [Certificate])
    }

    /// The policy.
    let subject: CheckSubject
    /// What was judged.
    let target: Target
    /// What the last server, or the chain, showed.
    let result: CheckResult

    /// The exit code if a certain verdict is wanted; without a verdict, or with half of one, nothing is as expected.
    func exitCode(expected: ExpectedVerdict?) -> ExitCode {
        guard let expected, let verdict = result.verdict else { return exitCode }
        if expected == .default, isWithoutTLS, verdict.decision == .default { return .asExpected }
        guard exitCode != .inconclusive else { return .inconclusive }
        return expected.exitCode(for: verdict)
    }

    /// 0 accepted, 1 rejected, 2 a policy that cannot work, 3 no verdict was reached, or no answer after it.
    private var exitCode: ExitCode {
        switch result.verdict?.decision {
        // Without TLS no pinning was exercised: not a pass.
        case .default where isWithoutTLS: .inconclusive
        case .default where !result.isAccepted: .finding
        case .accept, .default: isComplete ? .asExpected : .inconclusive
        case .reject: .finding
        case .configError: .usage
        case nil: .inconclusive
        }
    }

    /// Whether the last server was to be asked without TLS.
    var isWithoutTLS: Bool {
        guard case .url(_, _, let journey, _) = target else { return false }
        return journey.stops.last?.url.scheme == .http
    }

    /// Whether everything was done that there was to do.
    private var isComplete: Bool {
        guard case .url(_, _, let journey, _) = target else { return true }
        if case .tooManyRedirects = journey.ending { return false }
        return result.failure == nil
    }

    /// The evaluation that counted: the policy's, or the platform's if the policy left the decision to it.
    var trust: TrustResult? { result.verdict?.trust ?? result.platform }

    /// What the library or its platform would have checked, and nobody did here.
    var notChecked: [UncheckedRule] { (trust?.notChecked ?? []) + result.notChecked }

    /// The certificates as they were sent.
    var sent: [Certificate] {
        switch target {
        case .url: result.sentChain
        case .chain(_, _, _, let sent): sent
        }
    }

    /// The pin of a certificate's key, as most libraries write it.
    static func pin(of certificate: CertificateFacts) -> String? {
        let digest = certificate.details.spkiSHA256
        return digest.isEmpty ? nil : "sha256/\(Base64.encode(digest))"
    }

    /// A decision as programs read it.
    static func word(_ decision: PolicyVerdict.Decision) -> String {
        decision == .configError ? ExpectedVerdict.configError.rawValue : decision.rawValue
    }
}

extension ExpectedVerdict {
    /// 0 if that is what was decided, else 1.
    func exitCode(for verdict: PolicyVerdict) -> ExitCode {
        let isMet =
            switch self {
            case .accept: verdict.decision == .accept
            case .pinned: verdict.isByPin
            case .reject: verdict.decision == .reject
            case .default: verdict.decision == .default
            case .configError: verdict.decision == .configError
            }
        return isMet ? .asExpected : .finding
    }
}
