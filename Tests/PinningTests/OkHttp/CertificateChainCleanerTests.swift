import Pinning
import Testing

/// How OkHttp rebuilds a chain on a JVM.
@Suite struct CertificateChainCleanerTests {
    /// The verdict on a chain that the platform takes, with one pin.
    private func verdict(
        _ sent: [CertificateFacts], roots: [CertificateFacts] = [Minted.root], pin: String = "nothing",
        version: LibraryVersion = LibraryVersion(5, 0)
    ) -> PolicyVerdict {
        let pinner = OkHttpCertificatePinner(
            version: version,
            entries: [.init(pattern: "api.example.com", pins: ["sha1/AAAA", Self.sha1(pin)])],
            runtime: .jvm(trustRoots: roots, hasSigned: mintedSignature))
        let platform = FakeEvaluator(
            platform: invalid(.noAnchor), pinned: TrustResult(path: sent, errors: [], notChecked: []))
        return pinner.evaluate(Minted.server(sent), using: platform)
    }

    /// Pins of both kinds stand for the same key; sha1 is known to every version.
    private static func sha1(_ key: String) -> String {
        switch key {
        case "root": "sha1/cm9vdH5+fn5+fn5+fn5+fn5+fn4="
        case "crossing": "sha1/Y3Jvc3Npbmd+fn5+fn5+fn5+fn4="
        case "leaf": "sha1/bGVhZn5+fn5+fn5+fn5+fn5+fn4="
        case "other root": "sha1/b3RoZXIgcm9vdH5+fn5+fn5+fn4="
        default: "sha1/BBBB"
        }
    }

    @Test("PS-4-5: the chain goes from the leaf over what was sent to the root that was not, which can be pinned")
    func unsentRoot() {
        let verdict = verdict(Minted.sent, pin: "root")
        #expect(verdict.decision == .accept)
        #expect(verdict.path == Minted.chain)
        #expect(verdict.match?.depth == 2)
        #expect(self.verdict(Minted.sent).reason == PolicyReason(.noPinMatched, rule: RuleID("PS-4-4")))
    }

    @Test("PS-4-5: the order of what was sent does not matter, and strangers drop out")
    func strangers() {
        let sent = [Minted.leaf, Minted.otherRoot, Minted.root, Minted.intermediate]
        #expect(verdict(sent, pin: "root").path == Minted.chain)
        #expect(verdict(sent, pin: "other root").decision == .reject)
    }

    @Test("PS-4-5: the platform is asked for a path to the same roots")
    func question() {
        let platform = FakeEvaluator(platform: invalid(.noAnchor), pinned: invalid(.expired, Minted.leaf))
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(5, 0), entries: [],
            runtime: .jvm(trustRoots: [Minted.root], hasSigned: mintedSignature))
        let verdict = pinner.evaluate(Minted.server(time: 7), using: platform)
        #expect(verdict.decision == .reject && verdict.reason.rule == RuleID("PS-4-5"))
        #expect(
            platform.questions == [
                .init(policy: .jvm, anchors: [Minted.root], anchorsOnly: true, sent: Minted.sent, time: 7)
            ])
    }

    @Test("PS-4-5: without a trusted end there is no chain")
    func noRoot() {
        let fault = PolicyReason.Kind.chainNotRebuilt(.noTrustRoot(below: "CN=intermediate"))
        let verdict = verdict(Minted.sent, roots: [Minted.otherRoot], pin: "leaf")
        #expect(verdict.decision == .reject)
        #expect(verdict.reason == PolicyReason(fault, rule: RuleID("PS-4-5")))
    }

    @Test("PS-4-5: the issuer's name must be right, and so must the signature")
    func linked() {
        let renamed = minted("renamed", key: "root", pathLength: .max)
        #expect(verdict(Minted.sent, roots: [renamed], pin: "leaf").decision == .reject)
        let impostor = minted("root", key: "impostor", pathLength: .max)
        #expect(verdict(Minted.sent, roots: [impostor], pin: "leaf").decision == .reject)
        #expect(verdict(Minted.sent, roots: [impostor, Minted.root], pin: "leaf").decision == .accept)
    }

    @Test("PS-4-5: a self-signed leaf that is a root is a chain of one")
    func leafAlone() {
        let own = minted("own", names: ["api.example.com"])
        #expect(verdict([own], roots: [own]).path == [own])
    }

    @Test("PS-4-5: since 5.0 a signer must be an authority, and for so many below it; before it need not")
    func authorities() {
        let client = minted("client", by: Minted.root, names: ["evil.example"])
        let forged = minted("forged", by: client, names: ["api.example.com"])
        let short = minted("short", by: Minted.root, pathLength: 0)
        let below = minted("below", by: short, pathLength: 0)
        let deep = minted("deep", by: below, names: ["api.example.com"])
        for sent in [[forged, client], [deep, below, short]] {
            #expect(verdict(sent, pin: "root", version: LibraryVersion(4, 12)).decision == .accept)
            #expect(verdict(sent, pin: "root", version: LibraryVersion(3, 13, 1)).decision == .accept)
            let verdict = verdict(sent, pin: "root")
            #expect(verdict.decision == .reject)
            guard case .chainNotRebuilt(.noTrustRoot) = verdict.reason.kind else {
                Issue.record("\(verdict.reason)")
                continue
            }
        }
        // One authority below is what the root of this chain allows.
        let exact = minted("exact", pathLength: 1)
        let middle = minted("middle", by: exact, pathLength: 0)
        let end = minted("end", by: middle, names: ["api.example.com"])
        #expect(verdict([end, middle], roots: [exact]).path == [end, middle, exact])
        // None is one too few: the chain never ends.
        let small = minted("small", pathLength: 0)
        let under = minted("under", by: small, pathLength: 0)
        let last = minted("last", by: under, names: ["api.example.com"])
        #expect(
            verdict([last, under], roots: [small]).reason.kind == .chainNotRebuilt(.tooManySigners))
    }

    @Test("PS-4-5: behind a root that has not signed itself the chain goes on, since 2.7.5 and 3.2")
    func fullChains() {
        let crossing = minted("crossing", pathLength: .max)
        let crossed = minted("root", by: crossing, pathLength: .max)
        let sent = [Minted.leaf, Minted.intermediate, crossing]
        for version in [LibraryVersion(2, 7, 5), LibraryVersion(3, 2), LibraryVersion(3, 13, 1), LibraryVersion(5, 0)] {
            let verdict = verdict(sent, roots: [crossed], pin: "crossing", version: version)
            #expect(verdict.decision == .accept)
            #expect(verdict.path == [Minted.leaf, Minted.intermediate, crossed, crossing])
            // Where nothing more was sent, the root is the end.
            #expect(self.verdict(Minted.sent, roots: [crossed], pin: "leaf", version: version).decision == .accept)
        }
        for version in [LibraryVersion(2, 7, 4), LibraryVersion(3, 1, 2)] {
            #expect(verdict(sent, roots: [crossed], pin: "crossing", version: version).decision == .reject)
            #expect(verdict(sent, roots: [crossed], pin: "root", version: version).decision == .accept)
        }
    }

    @Test("PS-4-5: nine signers are followed, a tenth is not", arguments: [(9, true), (10, false)])
    func signers(count: Int, isAccepted: Bool) {
        var chain = [minted("signer 0", pathLength: .max)]
        for depth in 1..<count { chain.insert(minted("signer \(depth)", by: chain[0], pathLength: .max), at: 0) }
        chain.insert(minted("leaf", by: chain[0], names: ["api.example.com"]), at: 0)
        let verdict = verdict(Array(chain.dropLast()), roots: [chain[count]], pin: "leaf")
        #expect(verdict.decision == (isAccepted ? .accept : .reject))
        if !isAccepted { #expect(verdict.reason.kind == .chainNotRebuilt(.tooManySigners)) }
    }

    @Test("PS-4-5: on Android the path is the platform's, whatever was sent")
    func android() {
        let crossing = minted("crossing", pathLength: .max)
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(5, 0),
            entries: [.init(pattern: "api.example.com", pins: ["sha256/" + digestText("crossing")])])
        let platform = FakeEvaluator(
            platform: valid(Minted.leaf, Minted.intermediate, crossing), pinned: invalid(.noAnchor))
        let verdict = pinner.evaluate(Minted.server([Minted.leaf]), using: platform)
        #expect(verdict.decision == .accept && verdict.match?.depth == 2)
        #expect(platform.questions.map(\.anchors) == [nil] && platform.questions.map(\.anchorsOnly) == [false])
    }
}
