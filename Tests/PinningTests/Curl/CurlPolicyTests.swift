import Pinning
import Testing
import Wire

@Suite struct CurlPolicyTests {
    private static let pem = "-----BEGIN PUBLIC KEY-----\nU1BLSSBvZiBs\r\nZWFm\n-----END PUBLIC KEY-----\n"

    private func verdict(
        _ pin: String?, file: String? = nil, insecure: Bool = false, sent: [CertificateFacts] = Minted.sent,
        path: TrustResult = valid(Minted.leaf, Minted.intermediate, Minted.root)
    ) -> PolicyVerdict {
        let pin = pin.map { CurlPublicKeyPin($0) { _ in file.map { Array($0.utf8) } } }
        return CurlPolicy(pin: pin, isInsecure: insecure).evaluate(
            Minted.server(sent), using: FakeEvaluator(platform: path, pinned: invalid(.noAnchor)))
    }

    @Test(
        "PS-7-1: a list of digests matches by any of them, as text",
        arguments: [
            ("sha256//\(digestText("leaf"))", true), ("sha256//AAAA;sha256//\(digestText("leaf"))", true),
            ("sha256//\(digestText("leaf"));sha256//AAAA", true), ("sha256//AAAA", false), ("sha256//", false),
            // The same octets without padding, and in the other alphabet.
            ("sha256//\(digestText("leaf").dropLast())", false), ("sha256// \(digestText("leaf"))", false),
            ("sha256//bGVhZn5-fn5-fn5-fn5-fn5-fn5-fn5-fn5-fn5-fn4=", false),
            // Nothing behind an element without the prefix is read.
            ("sha256//AAAA;BBBB;sha256//\(digestText("leaf"))", false), ("sha256//AAAA;\(digestText("leaf"))", false),
            // The digest of another certificate of the path (PS-7-2).
            ("sha256//\(digestText("intermediate"))", false), ("sha256//\(digestText("root"))", false),
        ])
    func digests(pin: String, matches: Bool) {
        let verdict = verdict(pin)
        #expect(verdict.decision == (matches ? .accept : .reject))
        let expected: PolicyReason.Kind =
            matches
            ? .pinMatched(PinMatch(pin: "sha256//\(digestText("leaf"))", certificate: Minted.leaf, depth: 0))
            : .leafKeyNotPinned
        #expect(verdict.reason == PolicyReason(expected, rule: RuleID("PS-7-1")))
    }

    @Test(
        "PS-7-1: a semicolon without the prefix behind it ends the list; up to 8.17 it belongs to the digest (run on 7.88.1)",
        arguments: [
            ("sha256//AAAA;BBBB;sha256//\(digestText("leaf"))", true, false),
            ("sha256//\(digestText("leaf"));", false, true), ("sha256//\(digestText("leaf"));BBBB", false, true),
            ("sha256//AAAA;sha256//\(digestText("leaf"))", true, true),
            ("sha256//AAAA;\(digestText("leaf"))", false, false),
        ])
    func splitting(pin: String, matchesBefore: Bool, matchesNow: Bool) {
        let platform = FakeEvaluator(platform: valid(Minted.leaf), pinned: invalid(.noAnchor))
        for (version, matches) in [
            (LibraryVersion(7, 88, 1), matchesBefore), (LibraryVersion(8, 17), matchesBefore),
            (CurlPublicKeyPin.newest, matchesNow),
        ] {
            let policy = CurlPolicy(pin: CurlPublicKeyPin(pin, version: version) { _ in nil })
            #expect(policy.evaluate(Minted.server(), using: platform).decision == (matches ? .accept : .reject))
        }
    }

    @Test(
        "PS-7-1: anything else is a file with the key, in DER or PEM",
        arguments: [
            ("SPKI of leaf", true), ("SPKI of lead", false), ("SPKI of leaf\n", false), ("SPKI", false), (pem, true),
            ("text before\n" + pem, true), ("text before " + pem, false), (pem + pem, true),
            (pem.replacing("PUBLIC KEY", with: "CERTIFICATE"), false),
            ("-----BEGIN PUBLIC KEY-----\nU1BLSSBvZiBsZWFm", false),
            (pem.replacing("ZWFm", with: "ZWFn"), false), (pem.replacing("ZWFm", with: "ZW Fm"), false),
            ("zero\u{0}\n" + pem, false),
        ])
    func files(contents: String, matches: Bool) {
        #expect(verdict("key.pub", file: contents).decision == (matches ? .accept : .reject))
        if matches { #expect(verdict("key.pub", file: contents).match?.pin == "key.pub") }
    }

    @Test("PS-7-1: a file that cannot be read, is too large, or an unknown prefix matches nothing")
    func unreadable() {
        #expect(verdict("key.pub").decision == .reject)
        #expect(verdict("sha1//AAAA").decision == .reject)
        let full = Self.pem + String(repeating: " ", count: (1 << 20) - Self.pem.utf8.count)
        #expect(verdict("key.pub", file: full).decision == .accept)
        #expect(verdict("key.pub", file: full + " ").decision == .reject)
        #expect(CurlPolicy(pin: CurlPublicKeyPin("nowhere") { _ in nil }).configurationProblem == nil)
    }

    @Test("PS-7-1: only a file is read, and by its name")
    func reading() {
        var names: [String] = []
        _ = CurlPublicKeyPin("sha256//AAAA") { name in
            names.append(name)
            return nil
        }
        _ = CurlPublicKeyPin("dir/key.pub") { name in
            names.append(name)
            return nil
        }
        #expect(names == ["dir/key.pub"])
    }

    @Test("PS-7-2: the leaf only, though an issuer's key is pinned and its certificate is sent")
    func leafOnly() {
        #expect(verdict("sha256//\(digestText("intermediate"))").decision == .reject)
        #expect(verdict("sha256//\(digestText("leaf"))", sent: [Minted.otherLeaf, Minted.leaf]).decision == .reject)
    }

    @Test(
        "PS-7-2: chain and host come first; -k leaves them out and keeps the pin",
        arguments: [
            (false, true, true, PolicyVerdict.Decision.accept), (false, true, false, .reject),
            (false, false, true, .reject),
            (true, true, true, .accept), (true, false, true, .accept), (true, false, false, .reject),
            (true, true, false, .reject),
        ])
    func insecure(insecure: Bool, isValid: Bool, isPinned: Bool, decision: PolicyVerdict.Decision) {
        let path = isValid ? valid(Minted.leaf, Minted.root) : invalid(.hostMismatch, Minted.leaf)
        let verdict = verdict("sha256//\(digestText(isPinned ? "leaf" : "nobody"))", insecure: insecure, path: path)
        #expect(verdict.decision == decision)
        switch (insecure, isValid, isPinned) {
        case (true, _, true):
            let match = PinMatch(pin: "sha256//\(digestText("leaf"))", certificate: Minted.leaf, depth: 0)
            #expect(verdict.reason == PolicyReason(.pinMatchedAlone(match), rule: RuleID("PS-7-2")))
            #expect(verdict.match == match && verdict.path.isEmpty)
        case (false, false, _): #expect(verdict.reason.rule == RuleID("PS-7-2"))
        default: #expect(verdict.reason.rule == RuleID("PS-7-1"))
        }
    }

    @Test("PS-7-2: without a pin the chain decides, and -k takes anything; no certificate is nothing")
    func withoutPin() {
        #expect(verdict(nil).reason == PolicyReason(.chainValid, rule: RuleID("PS-7-2")))
        #expect(verdict(nil, path: invalid(.expired, Minted.leaf)).decision == .reject)
        #expect(verdict(nil, insecure: true, path: invalid(.expired, Minted.leaf)).reason.kind == .anythingAllowed)
        #expect(verdict(nil, insecure: true, sent: []).decision == .reject)
        #expect(verdict("sha256//AAAA", sent: []).decision == .reject)
    }

    @Test("PS-7-2: --cacert replaces the platform's anchors, and every host is asked for with the same pin")
    func questions() {
        let evaluator = FakeEvaluator(platform: valid(Minted.leaf), pinned: valid(Minted.leaf))
        let pin = CurlPublicKeyPin("sha256//\(digestText("leaf"))") { _ in nil }
        let plain = CurlPolicy(pin: pin)
        let own = CurlPolicy(pin: pin, authorities: [Minted.root])
        #expect(plain.evaluate(Minted.server(time: 5), using: evaluator).decision == .accept)
        #expect(own.evaluate(Minted.server(host: "redirected.example", time: 5), using: evaluator).decision == .accept)
        #expect(
            evaluator.questions == [
                .init(
                    policy: .openssl(host: HostName("api.example.com")), anchors: nil, anchorsOnly: false,
                    sent: Minted.sent, time: 5),
                .init(
                    policy: .openssl(host: HostName("redirected.example")), anchors: [Minted.root], anchorsOnly: true,
                    sent: Minted.sent, time: 5),
            ])
    }

    @Test(
        "PS-7-3: over HTTP/3 some builds never look at the pin",
        arguments: [
            (CurlPolicy.Transport.tls, PolicyVerdict.Decision.reject), (.http3(checksPin: true), .reject),
            (.http3(checksPin: false), .accept),
        ])
    func transports(transport: CurlPolicy.Transport, decision: PolicyVerdict.Decision) {
        let pin = CurlPublicKeyPin("sha256//AAAA") { _ in nil }
        func verdict(insecure: Bool, _ path: TrustResult) -> PolicyVerdict {
            CurlPolicy(pin: pin, isInsecure: insecure, transport: transport).evaluate(
                Minted.server(), using: FakeEvaluator(platform: path, pinned: path))
        }
        let checked = verdict(insecure: false, valid(Minted.leaf))
        #expect(checked.decision == decision)
        #expect(verdict(insecure: true, valid(Minted.leaf)).decision == decision)
        #expect(verdict(insecure: false, invalid(.expired, Minted.leaf)).decision == .reject)
        if decision == .accept {
            #expect(checked.reason == PolicyReason(.pinNotChecked, rule: RuleID("PS-7-3")))
        }
    }
}
