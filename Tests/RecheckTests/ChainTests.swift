import Crypto
import Recheck
import Testing
import Transcript
import Wire

/// Who signed what the client was shown.
@Suite struct ChainTests {
    private func authorityResults(_ recording: Recording, _ settings: Recording.Settings = .init()) throws
        -> [Claim.Result]
    {
        try recording.connect(settings)
        return try recording.check().results(.authority)
    }

    @Test func throughAnIntermediate() throws {
        let recording = try Recording()
        let intermediate = try CertificateTemplate.authority(
            subject: [("CN", "Intermediate")], notBefore: Recording.now - 10, notAfter: Recording.now + 10
        ).identity(issuer: recording.authority)
        let settings = Recording.Settings(identity: try recording.server(issuer: intermediate))
        #expect(try authorityResults(recording, settings) == [.proven])
        let checked = try recording.check()
        #expect(checked.proves(.chainSignatures))
        #expect(checked.proves(.chain))
    }

    /// The CA's certificate is usually on no wire: it comes from the file, or is given.
    @Test func theCertificateOfTheCAIsNeeded() throws {
        let recording = try Recording()
        try recording.connect()
        let digest = Hex.encode(recording.authority.chain[0].sha256)
        let without: (inout [Event]) -> Void = { events in
            events.removeAll { if case .certificate(digest, _) = $0.kind { true } else { false } }
        }
        let missing = try recording.check(forging: without)
        #expect(missing.results(.authority) == [.notProven("the CA's certificate is not in the file")])
        let given = try recording.check(forging: without, authorities: recording.authority.chain)
        #expect(given.proves(.authority))
        // A certificate that the run does not name proves nothing.
        let other = try recording.check(forging: without, authorities: try Recording().authority.chain)
        #expect(other.results(.authority) == [.notProven("the CA's certificate is not in the file")])
    }

    /// A chain that does not fit together is false where we have made it, and an origin's own affair.
    @Test func aChainThatDoesNotFitTogether() throws {
        let recording = try Recording()
        let stranger = try Recording()
        let leaf = try recording.server()
        let identity = TLSIdentity(chain: leaf.chain + stranger.authority.chain, key: leaf.key)
        try recording.connect(Recording.Settings(identity: identity))
        try recording.connectToOrigin(Recording.Settings(identity: identity))
        let words = "certificate 2 of the chain has not signed certificate 1"
        #expect(try recording.check().results(.chainSignatures) == [.failed(words), .notProven(words)])
    }

    /// `--scenario mirror` makes leaves that nobody trusted has signed.
    @Test func aLeafThatMirrorsFaults() throws {
        let recording = try Recording()
        let stranger = try Recording()
        try recording.connect(Recording.Settings(identity: try recording.server(issuer: stranger.authority)))
        let checked = try recording.check(forging: { events in
            for (index, event) in events.enumerated() {
                guard case .forged(let host, let digest, let key, let isCached, _) = event.kind else { continue }
                events[index].kind = .forged(
                    host: host, digest: digest, key: key, fromCache: isCached, mirrors: [.untrusted])
            }
        })
        #expect(checked.results(.authority) == [.notProven("the leaf is signed by nobody, as the origin's is")])
        #expect(checked.failed == [])
    }

    /// The CA of a command or a phase counts, and not any of the run's.
    @Test func theCAOfThePhase() throws {
        let recording = try Recording()
        try recording.connect()
        let checked = try recording.check(forging: { events in
            let phase = Event.Kind.phase(.untrusted, authority: String(repeating: "0", count: 64))
            events.insert(Event(connection: 1, monotonic: 0, wall: 0, kind: phase), at: 2)
        })
        #expect(checked.results(.authority) == [.notProven("the CA's certificate is not in the file")])
    }
}
