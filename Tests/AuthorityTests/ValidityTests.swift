import Authority
import Crypto
import Testing
import Wire

@Suite struct ValidityTests {
    private func mint(_ authority: CertificateAuthority) throws -> Certificate {
        try authority.issue(LeafRequest(host: host("api.example.test")), now: now).chain[0]
    }

    private func authority(from start: Int64, to end: Int64) throws -> CertificateAuthority {
        let folder = try TemporaryFolder()
        let made = try CertificateTemplate.authority(subject: [("CN", "CA")], notBefore: start, notAfter: end)
            .identity()
        return try CertificateAuthority.load(
            certificateFile: folder.write("ca.pem", made.chain), keyFile: folder.write("ca.key", made.key.pem()),
            now: now
        ).authority
    }

    @Test("C57: back-dated by 48 hours, 397 days in all")
    func leafOfALongLivedAuthority() throws {
        let leaf = try mint(authority(from: now - 1000 * day, to: now + 1000 * day))
        #expect(leaf.notBefore == now - 172_800)
        // Both ends count, so 397 days end a second before the same time of day.
        #expect(leaf.notAfter == now - 172_800 + 34_300_799)
    }

    @Test("C40: a leaf lives inside its CA's time")
    func leafOfAShortLivedAuthority() throws {
        let leaf = try mint(authority(from: now - 3600, to: now + 3600))
        #expect(leaf.notBefore == now - 3600)
        #expect(leaf.notAfter == now + 3600)
    }

    @Test func ephemeralAuthorityLivesADay() throws {
        let authority = try CertificateAuthority.ephemeral(now: now)
        #expect(authority.certificate.notBefore == now - 172_800)
        #expect(authority.certificate.notAfter == now + 86_400)
    }

    @Test func anAuthorityOutsideItsTimeSignsNothing() throws {
        let authority = try CertificateAuthority.ephemeral(now: now)
        let request = LeafRequest(host: try host("api.example.test"))
        _ = try authority.issue(request, now: now + 86_400)
        #expect(throws: AuthorityError(.expired, "", hint: "")) { try authority.issue(request, now: now + 86_401) }
        #expect(throws: AuthorityError(.notYetValid, "", hint: "")) { try authority.issue(request, now: now - 172_801) }
    }
}
