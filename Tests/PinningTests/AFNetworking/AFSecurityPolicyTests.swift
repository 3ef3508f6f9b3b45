import Pinning
import Testing
import Wire

/// The decisions of `AFSecurityPolicy` 3.x/4.x as a truth table, written by hand from PS-1.1 to PS-1.4.
@Suite struct AFSecurityPolicyTests {
    static let leaf = certificate("leaf")
    static let authority = certificate("authority")
    static let stranger = certificate("stranger")

    struct Row: Sendable, CustomStringConvertible {
        var rule: String
        var mode: AFSecurityPolicy.Mode
        var allowInvalid = false
        var validatesDomain = true
        var host: String? = "api.example.com"
        var pins: [CertificateFacts] = []
        var platform: TrustResult
        var pinned: TrustResult = invalid(.noAnchor)
        var decision: PolicyVerdict.Decision
        var why: String

        var description: String { "\(rule): \(why)" }
    }

    static let rows: [Row] = [
        // Rule G: before anything else.
        Row(
            rule: "PS-1.1-G", mode: .none, allowInvalid: true, platform: valid(leaf, authority), decision: .reject,
            why: "none, any certificate allowed, names validated, host known"),
        Row(
            rule: "PS-1.1-G", mode: .certificate, allowInvalid: true, platform: valid(leaf, authority),
            decision: .reject, why: "certificate mode without pins is the same contradiction"),
        Row(
            rule: "PS-1.1-G", mode: .publicKey, allowInvalid: true, platform: valid(leaf, authority),
            decision: .reject, why: "public-key mode without pins is the same contradiction"),
        Row(
            rule: "PS-1.1-7", mode: .none, allowInvalid: true, host: nil, platform: invalid(.noAnchor, leaf),
            decision: .accept, why: "without a host rule G is skipped, and anything passes"),
        Row(
            rule: "PS-1.1-7", mode: .none, allowInvalid: true, validatesDomain: false,
            platform: invalid(.noAnchor, leaf), decision: .accept, why: "without name validation anything passes"),

        // PS-1.1-7: validity.
        Row(rule: "PS-1.1-7", mode: .none, platform: valid(leaf, authority), decision: .accept, why: "valid chain"),
        Row(
            rule: "PS-1.1-7", mode: .none, platform: invalid(.noAnchor, leaf), decision: .reject,
            why: "unanchored chain"),
        Row(
            rule: "PS-1.1-7", mode: .none, pins: [stranger], platform: valid(leaf, authority), decision: .accept,
            why: "mode none does not look at pins"),
        Row(
            rule: "PS-1.1-7", mode: .certificate, pins: [leaf], platform: invalid(.noAnchor, leaf),
            pinned: valid(leaf), decision: .reject, why: "a pinned private chain without allowInvalidCertificates"),
        Row(
            rule: "PS-1.1-7", mode: .publicKey, pins: [leaf], platform: invalid(.expired, leaf, authority),
            decision: .reject, why: "an expired chain without allowInvalidCertificates"),

        // PS-1.3-1: certificates.
        Row(
            rule: "PS-1.3-1", mode: .certificate, pins: [leaf], platform: valid(leaf, authority),
            pinned: valid(leaf), decision: .accept, why: "a pinned leaf is its own anchor"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, pins: [authority], platform: valid(leaf, authority),
            pinned: valid(leaf, authority), decision: .accept, why: "a pinned authority"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, allowInvalid: true, pins: [authority],
            platform: invalid(.noAnchor, leaf), pinned: valid(leaf, authority), decision: .accept,
            why: "a private root that the server does not send: the chain is read after anchoring"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, allowInvalid: true, pins: [leaf],
            platform: invalid(.expired, leaf), pinned: invalid(.expired, leaf), decision: .reject,
            why: "expiry counts even with allowInvalidCertificates"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, allowInvalid: true, pins: [leaf],
            platform: invalid(.hostMismatch, leaf), pinned: invalid(.hostMismatch, leaf), decision: .reject,
            why: "the host counts even with allowInvalidCertificates"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, pins: [stranger], platform: valid(leaf, authority),
            pinned: invalid(.noAnchor, leaf, authority), decision: .reject, why: "another certificate is pinned"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, pins: [], platform: valid(leaf, authority),
            pinned: invalid(.noAnchor, leaf, authority), decision: .reject, why: "no pins: an empty list of anchors"),
        Row(
            rule: "PS-1.3-1", mode: .certificate, pins: [certificate("renewed", key: "leaf")],
            platform: valid(leaf, authority), pinned: valid(leaf, authority), decision: .reject,
            why: "the bytes are compared: the same key in another certificate is no match"),

        // PS-1.3-2: keys.
        Row(
            rule: "PS-1.3-2", mode: .publicKey, pins: [leaf], platform: valid(leaf, authority), decision: .accept,
            why: "the leaf's key"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, pins: [certificate("renewed", key: "leaf")],
            platform: valid(leaf, authority), decision: .accept, why: "the same key in another certificate"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, pins: [authority], platform: valid(leaf, authority),
            decision: .accept, why: "the key of an authority on the path"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, pins: [stranger], platform: valid(leaf, authority),
            decision: .reject, why: "a key that is not on the path"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, allowInvalid: true, pins: [leaf],
            platform: invalid(.expired, leaf), decision: .accept,
            why: "with allowInvalidCertificates the path need not be valid"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, allowInvalid: true, pins: [authority],
            platform: invalid(.noAnchor, leaf), decision: .reject,
            why: "a pinned certificate beside the path does not count, though the server sent it"),
        Row(
            rule: "PS-1.3-2", mode: .publicKey, pins: [], platform: valid(leaf, authority), decision: .reject,
            why: "no pins"),
    ]

    @Test(arguments: rows) func decidesAsTheTableSays(_ row: Row) {
        for version in [LibraryVersion(3, 0), LibraryVersion(3, 2, 1), LibraryVersion(4, 0), LibraryVersion(4, 0, 1)] {
            let policy = AFSecurityPolicy(
                version: version, mode: row.mode, pins: row.pins.map { .init(name: $0.subject, certificate: $0) },
                allowInvalidCertificates: row.allowInvalid, validatesDomainName: row.validatesDomain)
            let verdict = policy.evaluate(
                ServerTrust(sent: [Self.leaf, Self.authority], host: row.host.flatMap { HostName($0) }, time: 1),
                using: FakeEvaluator(platform: row.platform, pinned: row.pinned))
            #expect(verdict.decision == row.decision, "\(version)")
            #expect(verdict.reason.rule.description == row.rule, "\(version)")
        }
    }
}

/// What the policy asks of the platform, and what it reports.
@Suite struct AFSecurityPolicyStepTests {
    private let leaf = certificate("leaf")
    private let authority = certificate("authority")
    private let host = HostName("api.example.com")

    private func pin(_ certificate: CertificateFacts?, _ name: String = "pin.cer") -> AFSecurityPolicy.Pin {
        AFSecurityPolicy.Pin(name: name, certificate: certificate)
    }

    @Test("PS-1.1-7: SSL with the host when names are validated, basic X.509 otherwise", arguments: [true, false])
    func asksForTheRightPolicy(validatesDomainName: Bool) {
        let evaluator = FakeEvaluator(platform: valid(leaf), pinned: valid(leaf))
        let policy = AFSecurityPolicy(
            mode: .certificate, pins: [pin(leaf)], validatesDomainName: validatesDomainName)
        _ = policy.evaluate(ServerTrust(sent: [leaf, authority], host: host, time: 77), using: evaluator)
        let expected: TrustPolicy = validatesDomainName ? .ssl(host: host) : .basicX509
        let sent = [leaf, authority]
        #expect(
            evaluator.questions == [
                .init(policy: expected, anchors: nil, anchorsOnly: false, sent: sent, time: 77),
                .init(policy: expected, anchors: [leaf], anchorsOnly: true, sent: sent, time: 77),
            ])
    }

    @Test("PS-1.3-2: public-key mode never changes the anchors")
    func publicKeyModeAsksOnce() {
        let evaluator = FakeEvaluator(platform: valid(leaf, authority), pinned: valid(leaf))
        let policy = AFSecurityPolicy(mode: .publicKey, pins: [pin(leaf)])
        _ = policy.evaluate(ServerTrust(sent: [leaf], host: host, time: 1), using: evaluator)
        #expect(evaluator.questions.map(\.anchors) == [nil])
    }

    @Test("PS-1.3-1: certificate mode looks from the root down, and reports the chain as anchored")
    func certificateModeMatchesTheRootFirst() {
        let evaluator = FakeEvaluator(platform: valid(leaf), pinned: valid(leaf, authority))
        let policy = AFSecurityPolicy(
            mode: .certificate, pins: [pin(leaf, "leaf.cer"), pin(authority, "authority.cer")])
        let verdict = policy.evaluate(ServerTrust(sent: [leaf], host: host, time: 1), using: evaluator)
        #expect(verdict.match == PinMatch(pin: "authority.cer", certificate: authority, depth: 1))
        #expect(verdict.path == [leaf, authority])
    }

    @Test("PS-1.3-2: the match names the pin and the certificate")
    func publicKeyModeReportsTheMatch() {
        let policy = AFSecurityPolicy(
            mode: .publicKey, pins: [pin(certificate("other"), "other.cer"), pin(authority, "authority.cer")])
        let verdict = policy.evaluate(
            ServerTrust(sent: [leaf], host: host, time: 1),
            using: FakeEvaluator(platform: valid(leaf, authority), pinned: invalid(.noAnchor)))
        #expect(verdict.match == PinMatch(pin: "authority.cer", certificate: authority, depth: 1))
        #expect(
            verdict.reason.description
                == "pin authority.cer matches certificate 1 of the path, CN=authority (PS-1.3-2)")
    }

    @Test("PS-1.4: a pin that is no certificate is an exception in certificate mode, once it is reached")
    func brokenPinInCertificateMode() {
        let policy = AFSecurityPolicy(mode: .certificate, pins: [pin(leaf), pin(nil, "pem.cer")])
        let server = ServerTrust(sent: [leaf], host: host, time: 1)
        let reached = policy.evaluate(server, using: FakeEvaluator(platform: valid(leaf), pinned: valid(leaf)))
        #expect(
            reached == PolicyVerdict(.configError, PolicyReason(.unusablePin(name: "pem.cer"), rule: RuleID("PS-1.4"))))
        let notReached = policy.evaluate(
            server, using: FakeEvaluator(platform: invalid(.noAnchor, leaf), pinned: valid(leaf)))
        #expect(notReached.decision == .reject)
    }

    @Test("PS-1.4: a pin that is no certificate is skipped in public-key mode")
    func brokenPinInPublicKeyMode() {
        let policy = AFSecurityPolicy(mode: .publicKey, pins: [pin(nil), pin(leaf, "leaf.cer")])
        let verdict = policy.evaluate(
            ServerTrust(sent: [leaf], host: host, time: 1),
            using: FakeEvaluator(platform: valid(leaf), pinned: invalid(.noAnchor)))
        #expect(verdict.match?.pin == "leaf.cer")
    }

    @Test("PS-1.3-2: keys that cannot be read are not equal to one another")
    func unreadableKeysAreNotEqual() {
        let policy = AFSecurityPolicy(mode: .publicKey, pins: [pin(certificate("pin", unreadableKey: true))])
        let odd = certificate("odd", unreadableKey: true)
        let verdict = policy.evaluate(
            ServerTrust(sent: [odd], host: host, time: 1),
            using: FakeEvaluator(platform: valid(odd), pinned: invalid(.noAnchor)))
        #expect(verdict.reason.kind == .noPinMatched)
    }

    @Test("PS-1.4: a pinned mode without a usable pin is a problem of the configuration")
    func configurationProblems() {
        let problem = PolicyReason(.noUsablePin, rule: RuleID("PS-1.4"))
        #expect(AFSecurityPolicy(mode: .certificate).configurationProblem == problem)
        #expect(AFSecurityPolicy(mode: .publicKey, pins: [pin(nil)]).configurationProblem == problem)
        let unreadable = [pin(certificate("odd", unreadableKey: true))]
        #expect(AFSecurityPolicy(mode: .publicKey, pins: unreadable).configurationProblem == problem)
        #expect(AFSecurityPolicy(mode: .certificate, pins: unreadable).configurationProblem == nil)
        #expect(AFSecurityPolicy(mode: .certificate, pins: [pin(nil), pin(leaf)]).configurationProblem == nil)
        #expect(AFSecurityPolicy(mode: .none).configurationProblem == nil)
    }

    @Test("A rejection says what was wrong with the chain, and by which rules")
    func rejectionIsExplained() {
        let errors = [
            TrustError(.expired, depth: 1, detail: "certificate has expired"),
            TrustError(.hostMismatch, depth: 0, detail: "not for api.example.com"),
        ]
        let platform = TrustResult(path: [leaf, authority], errors: errors, notChecked: [])
        let verdict = AFSecurityPolicy().evaluate(
            ServerTrust(sent: [leaf], host: host, time: 1),
            using: FakeEvaluator(platform: platform, pinned: platform))
        #expect(verdict.reason.kind == .chainInvalid(errors))
        #expect(
            verdict.reason.description == """
                the chain is not valid: certificate has expired; not for \
                api.example.com (PS-1.1-7)
                """)
    }
}
