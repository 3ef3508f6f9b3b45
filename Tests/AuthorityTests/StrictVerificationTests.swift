import Authority
import Crypto
import Testing
import Wire

/// What Pinproof mints, judged by a verifier that is not Pinproof.
@Suite(.enabled(if: OpenSSLCommand.isInstalled, "needs the openssl command"))
struct StrictVerificationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Verifies a chain, leaf first, as a strict TLS client does (C32).
    private func verify(
        _ chain: [Certificate], root: Certificate, name: [String], at time: Int64 = now
    ) throws -> (status: Int32, output: String) {
        var arguments = ["verify", "-x509_strict", "-purpose", "sslserver", "-attime", String(time)]
        arguments += ["-CAfile", try folder.write("root.pem", [root])] + name
        if chain.count > 1 {
            arguments += ["-untrusted", try folder.write("intermediates.pem", Array(chain.dropFirst()))]
        }
        arguments.append(try folder.write("leaf.pem", [chain[0]]))
        return try #require(OpenSSLCommand.run(arguments))
    }

    @Test(arguments: [
        ("api.example.test", KeyKind.p256, ["-verify_hostname", "api.example.test"]),
        ("api.example.test", .rsa(2048), ["-verify_hostname", "api.example.test"]),
        ("intranet", .p256, ["-verify_hostname", "intranet"]),
        ("127.0.0.1", .p256, ["-verify_ip", "127.0.0.1"]),
        ("::1", .p256, ["-verify_ip", "::1"]),
    ])
    func leaves(name: String, key: KeyKind, check: [String]) throws {
        let authority = try CertificateAuthority.ephemeral(now: now)
        let identity = try authority.issue(LeafRequest(host: host(name), key: key), now: now)
        let result = try verify(identity.chain, root: authority.certificate, name: check)
        #expect(result.status == 0, "\(result.output)")
        let wrong = try verify(
            identity.chain, root: authority.certificate, name: ["-verify_hostname", "other.example.test"])
        #expect(wrong.status != 0)
    }

    @Test("C61: a leaf without a subject", arguments: [65, 253])
    func longNames(length: Int) throws {
        let label = String(repeating: "a", count: 63) + "."
        let name = String(String(repeating: label, count: 4).prefix(length - 1)) + "z"
        let authority = try CertificateAuthority.ephemeral(now: now)
        let identity = try authority.issue(LeafRequest(host: host(name)), now: now)
        let result = try verify(identity.chain, root: authority.certificate, name: ["-verify_hostname", name])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("C57: clocks that are behind", arguments: [(60, true), (47 * 3600, true), (49 * 3600, false)])
    func clocks(behind: Int64, accepted: Bool) throws {
        let authority = try CertificateAuthority.ephemeral(now: now)
        let identity = try authority.issue(LeafRequest(host: host("a.test")), now: now)
        let result = try verify(
            identity.chain, root: authority.certificate, name: ["-verify_hostname", "a.test"], at: now - behind)
        #expect((result.status == 0) == accepted, "\(result.output)")
    }

    @Test("Authorities on disk", arguments: [KeyKind.p256, .rsa(2048)])
    func created(key: KeyKind) throws {
        let home = folder.path + "/ca"
        _ = try CertificateAuthority.create(in: home, key: key, now: now)
        let (authority, warnings) = try CertificateAuthority.load(
            certificateFile: home + "/ca.pem", keyFile: home + "/ca.key", now: now)
        #expect(warnings == [])
        let identity = try authority.issue(LeafRequest(host: host("a.test")), now: now)
        let result = try verify(identity.chain, root: authority.certificate, name: ["-verify_hostname", "a.test"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("C33: below an intermediate, for a client that knows the root only")
    func intermediate() throws {
        let root = try CertificateTemplate.authority(
            subject: [("CN", "Root")], notBefore: now - 3 * day, notAfter: now + 30 * day
        ).identity()
        let signing = try CertificateTemplate.authority(
            subject: [("CN", "Intermediate")], notBefore: now - 3 * day, notAfter: now + 30 * day, pathLength: 0
        ).identity(issuer: root)
        let authority = try CertificateAuthority.load(
            certificateFile: folder.write("ca.pem", signing.chain), keyFile: folder.write("ca.key", signing.key.pem()),
            now: now
        ).authority
        let identity = try authority.issue(LeafRequest(host: host("a.test")), now: now)
        let result = try verify(identity.chain, root: root.chain[0], name: ["-verify_hostname", "a.test"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("Ed25519 authorities sign as well")
    func ed25519() throws {
        let key = folder.path + "/ed.key"
        let certificate = folder.path + "/ed.pem"
        let made = OpenSSLCommand.run([
            "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", key, "-out", certificate, "-days", "30",
            "-subj", "/CN=Ed", "-addext", "keyUsage=critical,keyCertSign",
        ])
        #expect(made?.status == 0, "\(made?.output ?? "")")
        let begin = try #require(try Certificate.pem(Array(contents(certificate).utf8)).first).notBefore
        let authority = try CertificateAuthority.load(certificateFile: certificate, keyFile: key, now: begin).authority
        let identity = try authority.issue(LeafRequest(host: host("a.test")), now: begin)
        let result = try verify(
            identity.chain, root: authority.certificate, name: ["-verify_hostname", "a.test"], at: begin)
        #expect(result.status == 0, "\(result.output)")
    }
}
