import Crypto
import Foundation
import Testing
import Wire

@testable import Authority

/// CAs with name constraints, and CAs below a root.
@Suite struct ConstraintTests {
    private let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path + "/ca"
    }

    private func load() throws -> CertificateAuthority {
        let loaded = try CertificateAuthority.load(
            certificateFile: home + "/ca.pem", keyFile: home + "/ca.key", now: now)
        #expect(loaded.warnings == [])
        return loaded.authority
    }

    @Test func `an intermediate signs, and the root's key is nowhere`() throws {
        let made = try CertificateAuthority.create(in: home, permitting: [host("a.test")], intermediate: true, now: now)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == ["ca.key", "ca.pem"])
        let root = try #require(made.root)
        #expect(root.pathLength == 1)
        #expect(root.nameConstraints == nil)
        #expect(made.certificate.pathLength == 0)
        #expect(made.certificate.isIssued(by: root))
        #expect(made.certificate.nameConstraints?.permitted == [.dns("a.test")])
        #expect(made.certificate.spki != root.spki)
        #expect(try Certificate.pem(Array(contents(home + "/ca.pem").utf8)) == [made.certificate, root])

        let loaded = try load()
        #expect(loaded.certificate == made.certificate)
        #expect(loaded.root == root)
        #expect(loaded.chain == [made.certificate])
        let leaf = try loaded.issue(LeafRequest(host: host("x.a.test")), now: now)
        #expect(leaf.chain.dropFirst() == [made.certificate])
        let forged = try Forge(authority: loaded).leaf(for: host("a.test"), now: now)
        #expect(forged.identity.chain.count == 2)
    }

    @Test func `a root without an intermediate is its own root`() throws {
        let made = try CertificateAuthority.create(in: home, now: now)
        #expect(made.root == made.certificate)
        #expect(made.chain == [])
        #expect(made.certificate.nameConstraints == nil)
        #expect(try load().root == made.certificate)
    }

    @Test func `no leaf is forged that clients must refuse: it would look as if they pinned`() throws {
        _ = try CertificateAuthority.create(in: home, permitting: [host("a.test"), host("127.0.0.1")], now: now)
        let authority = try load()
        for name in ["a.test", "x.a.test", "127.0.0.1"] {
            _ = try authority.issue(LeafRequest(host: host(name)), now: now)
        }
        for name in ["b.test", "127.0.0.2", "::1"] {
            let error = #expect(throws: AuthorityError(.notPermitted, "", hint: "")) {
                try authority.issue(LeafRequest(host: host(name)), now: now)
            }
            #expect(
                error?.message.hasSuffix("may not issue for \(name): its name constraints permit a.test, 127.0.0.1")
                    == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        .enabled(if: OpenSSLCommand.isInstalled, "needs the openssl command"),
        arguments: ["192.0.2.1", "2001:db8::1", "a.test"])
    func `what is permitted, strict clients accept; what is not, they refuse`(name: String) throws {
        let made = try CertificateAuthority.create(in: home, permitting: [host(name)], intermediate: true, now: now)
        let root = try folder.write("root.pem", [try #require(made.root)])
        func verify(_ identity: TLSIdentity) throws -> Int32 {
            let chain = try folder.write("chain.pem", identity.chain)
            return try #require(
                OpenSSLCommand.run([
                    "verify", "-x509_strict", "-purpose", "sslserver", "-attime", String(now), "-CAfile", root,
                    "-untrusted", chain, chain,
                ])
            ).status
        }
        #expect(try verify(made.issue(LeafRequest(host: host(name)), now: now)) == 0)
        for other in ["192.0.2.2", "2001:db8::2", "b.test"] {
            // Signed as if there were no constraints.
            let template = LeafRequest(host: try host(other)).template(validity: now - 100...now + 100)
            #expect(try verify(made.issue(template)) != 0, "\(other)")
        }
    }

    @Test func `an Ed25519 key is refused for a CA to install`() throws {
        let error = #expect(throws: AuthorityError(.badRequest, "", hint: "")) {
            try CertificateAuthority.create(in: home, key: .ed25519, now: now)
        }
        #expect(error?.message.contains("Ed25519") == true)
        #expect(!FileManager.default.fileExists(atPath: home))
    }
}
