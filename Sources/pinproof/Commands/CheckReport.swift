internal import Crypto
internal import Foundation
internal import PinClient
internal import Pinning
internal import Wire

/// What `pinproof check` prints of a check, as text and as JSON, and the exit code that goes with it.
struct CheckReport {
    let check: Check
    let pins: [PinFile]
    let result: CheckResult

    /// 0 accepted, 1 rejected, 2 a policy that cannot work, 3 no verdict was reached, or no answer after it.
    var exitCode: ExitCode {
        switch result.verdict?.decision {
        // Without TLS no pinning was exercised: not a pass.
        case .default where check.url.scheme == .http: .inconclusive
        case .default where !result.isAccepted: .finding
        case .accept, .default: result.failure == nil ? .asExpected : .inconclusive
        case .reject: .finding
        case .configError: .usage
        case nil: .inconclusive
        }
    }

    /// Label and text of each line.
    private var lines: [(label: String, text: String)] {
        var lines: [(label: String, text: String)] = []
        lines.append(("verdict", decision))
        if let reason = result.verdict?.reason { lines.append(("reason", reason.description)) }
        if let platform = result.platform {
            let errors = platform.errors.map(\.description).joined(separator: "; ")
            lines.append(("platform", platform.valid ? "the chain is valid" : "the chain is not valid: \(errors)"))
        }
        if let policy { lines.append(("policy", policy.tutorial.name)) }
        if let failure = result.failure {
            lines.append(("failure", "\(failure) (at fault: \(failure.party.rawValue))"))
        }
        lines.append(("url", "\(check.url)" + (check.proxy.map { " through \($0)" } ?? "")))
        for (depth, certificate) in (trust?.path ?? []).enumerated() {
            lines.append((depth == 0 ? "path" : "", "\(depth)  \(certificate.subject)"))
        }
        if !result.sentChain.isEmpty { lines.append(("sent", certificates(result.sentChain.count))) }
        if let session = result.parameters {
            lines.append(("TLS", "\(TLSNames.version(session.version)), \(session.cipherSuiteName)"))
        }
        if let alert = result.alert { lines.append(("alert", "\(TLSNames.alert(alert)) (\(alert)) was sent")) }
        if let proxy = result.proxyResponse { lines.append(("proxy", proxy.statusLine)) }
        if let response = result.response { lines.append(("answer", response.statusLine)) }
        if let fault = result.proxyFault {
            lines.append(("", "a page of the proxy, not the server's answer: the origin failed (\(fault))"))
        }
        for pin in pins {
            for remark in pin.remarks { lines.append(("pin", "\(pin.name): \(remark)")) }
        }
        lines += identityLines
        let unchecked = trust?.notChecked ?? []
        for (index, rule) in unchecked.enumerated() {
            lines.append((index == 0 ? "not checked" : "", "\(rule.summary) (\(rule.rule))"))
        }
        return lines
    }

    /// A line for each thing that the check showed.
    var text: String {
        let lines = lines
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { line in
            let label = line.label.padding(toLength: width, withPad: " ", startingAt: 0)
            return "\(label)  \(line.text.printable)\n"
        }.joined()
    }

    /// The same as one JSON document.
    func json() throws -> [UInt8] {
        var document: [String: Any] = [
            "verdict": result.verdict.map { Self.word($0.decision) } ?? NSNull(),
            "url": check.url.description, "accepted": result.isAccepted,
            "path": (trust?.path ?? []).map(Self.description),
            "sent": result.sentChain.map { Self.description(CertificateFacts($0)) },
        ]
        if let reason = result.verdict?.reason {
            document["reason"] = reason.description
            document["rule"] = reason.rule.description
            if let step = reason.step { document["step"] = step.description }
        }
        if let platform = result.platform { document["platform"] = platform.valid ? "accept" : "reject" }
        if let policy {
            document["policy"] = policy.tutorial.name
            document["identity"] = PolicyList.description(check.identityConduct)
            if let unconfirmed = policy.unconfirmed { document["notConfirmed"] = unconfirmed }
        }
        document["askedForIdentity"] = result.wasAskedForIdentity
        document["presented"] = result.presentedChain.map { Self.description(CertificateFacts($0)) }
        if let errors = trust?.errors, !errors.isEmpty {
            document["errors"] = errors.map {
                ["depth": $0.depth, "detail": $0.detail, "kind": $0.kind.rawValue, "rule": $0.rule.description]
            }
        }
        if let match = result.verdict?.match {
            document["match"] = ["pin": match.pin, "depth": match.depth]
        }
        if let proxy = check.proxy { document["proxy"] = proxy.description }
        if let failure = result.failure {
            document["failure"] = [
                "party": failure.party.rawValue, "phase": failure.phase.rawValue, "detail": failure.detail,
            ]
        }
        if let session = result.parameters {
            document["tls"] = ["version": TLSNames.version(session.version), "cipherSuite": session.cipherSuiteName]
        }
        if let alert = result.alert { document["alert"] = ["code": Int(alert), "name": TLSNames.alert(alert)] }
        if let response = result.response { document["answer"] = response.statusLine }
        if let fault = result.proxyFault { document["proxyFault"] = fault }
        if let response = result.proxyResponse { document["proxyAnswer"] = response.statusLine }
        document["remarks"] = pins.flatMap { pin in pin.remarks.map { "\(pin.name): \($0)" } }
        document["notChecked"] = (trust?.notChecked ?? []).map {
            ["rule": $0.rule.description, "summary": $0.summary]
        }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return [UInt8](try JSONSerialization.data(withJSONObject: document, options: options)) + [0x0A]
    }

    private var policy: TutorialPolicy? { check.policy as? TutorialPolicy }

    /// The evaluation that counted: the policy's, or the platform's if the policy left the decision to it.
    private var trust: TrustResult? { result.verdict?.trust ?? result.platform }

    /// What the app would do with its client identity.
    private var identityLines: [(label: String, text: String)] {
        // Without TLS nobody asks for an identity.
        guard check.url.scheme == .https else { return [] }
        var lines: [(label: String, text: String)] = []
        if result.wasAskedForIdentity {
            let presented = result.presentedChain.first.map { "\($0.subject) was presented" } ?? "none was presented"
            lines.append(("asked", "the server asked for a client certificate; \(presented)"))
        }
        guard let policy else { return lines }
        if let identity = policy.tutorial.identity {
            let opens = identity.opens(with: policy.password)
            let cause = opens ? "" : "\(identity.file) does not open with \(policy.password): "
            lines.append(("identity", "\(cause)\(check.identityConduct)"))
        }
        if let unconfirmed = policy.unconfirmed { lines.append(("not confirmed", unconfirmed)) }
        return lines
    }

    private var decision: String {
        guard let verdict = result.verdict else { return "none" }
        guard check.url.scheme == .https else { return "default: nothing was evaluated" }
        guard verdict.decision == .default else { return Self.word(verdict.decision).replacing("_", with: " ") }
        return "default: the platform \(result.isAccepted ? "accepts" : "rejects")"
    }

    private func certificates(_ count: Int) -> String { count == 1 ? "1 certificate" : "\(count) certificates" }

    private static func word(_ decision: PolicyVerdict.Decision) -> String {
        decision == .configError ? "config_error" : decision.rawValue
    }

    private static func description(_ certificate: CertificateFacts) -> [String: Any] {
        var description: [String: Any] = [
            "subject": certificate.subject, "sha256": Hex.encode(certificate.sha256),
        ]
        if let key = certificate.publicKey { description["pin"] = "sha256/\(Base64.encode(Digest.sha256(key)))" }
        return description
    }
}
