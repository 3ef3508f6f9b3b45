import Authority
import Crypto
import Foundation
import Testing
import Wire

@Suite struct LoadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func template(
        _ name: String = "CA", from start: Int64 = now - 10 * day, to end: Int64 = now + 10 * day
    ) -> CertificateTemplate {
        .authority(subject: [("CN", name)], notBefore: start, notAfter: end)
    }

    private func load(
        _ certificates: [Certificate], _ key: PrivateKey
    ) throws -> (authority: CertificateAuthority, warnings: [String]) {
        try CertificateAuthority.load(
            certificateFile: folder.write("ca.pem", certificates), keyFile: folder.write("ca.key", key.pem()), now: now)
    }

    private func load(
        _ template: CertificateTemplate
    ) throws -> (authority: CertificateAuthority, warnings: [String]) {
        let identity = try template.identity()
        return try load(identity.chain, identity.key)
    }

    @Test func loadsWhatItIsGiven() throws {
        let identity = try template().identity()
        let (authority, warnings) = try load(identity.chain, identity.key)
        #expect(authority.certificate == identity.chain[0])
        #expect(authority.chain == [])
        #expect(warnings == [])
    }

    @Test func certificateAndKeyMayShareAFile() throws {
        let identity = try template().identity()
        let both = try folder.write("both.pem", identity.key.pem() + Array(identity.chain[0].pem.utf8))
        let authority = try CertificateAuthority.load(certificateFile: both, keyFile: both, now: now).authority
        #expect(authority.certificate == identity.chain[0])
    }

    @Test("C39: a key of another CA", arguments: [KeyKind.p256, .rsa(2048)])
    func mismatch(kind: KeyKind) throws {
        let identity = try template().identity()
        let other = try PrivateKey.generate(kind)
        let error = #expect(throws: AuthorityError(.mismatch, "", hint: "")) { try load(identity.chain, other) }
        let text = error?.description ?? ""
        let digests = [other.publicKey, identity.key.publicKey].map { Hex.encode(Digest.sha256($0)) }
        for part in ["\(folder.path)/ca.pem", "\(folder.path)/ca.key"] + digests {
            #expect(text.contains(part))
        }
        #expect(!text.contains("\n"))
    }

    @Test("C39: a certificate in the key's place, and the reverse")
    func swapped() throws {
        let identity = try template().identity()
        let certificate = try folder.write("ca.pem", Array(identity.chain[0].pem.utf8))
        let key = try folder.write("ca.key", identity.key.pem())
        for (certificateFile, keyFile) in [(certificate, certificate), (key, key), (key, certificate)] {
            #expect(throws: AuthorityError(.unreadable, "", hint: "")) {
                try CertificateAuthority.load(certificateFile: certificateFile, keyFile: keyFile, now: now)
            }
        }
    }

    @Test("Keys that others may touch", arguments: [0o640, 0o604, 0o644, 0o660, 0o620])
    func keysThatOthersMayTouch(mode: Int) throws {
        let identity = try template().identity()
        let certificate = try folder.write("ca.pem", identity.chain)
        let key = try folder.write("ca.key", identity.key.pem(), mode: mode)
        let error = #expect(throws: AuthorityError(.notPrivate, "", hint: "")) {
            try CertificateAuthority.load(certificateFile: certificate, keyFile: key, now: now)
        }
        #expect(error?.hint.contains("chmod 600 \(key)") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: key)
        _ = try CertificateAuthority.load(certificateFile: certificate, keyFile: key, now: now)
    }

    @Test func encryptedKeysAreNamedAsSuch() throws {
        let identity = try template().identity()
        let certificate = try folder.write("ca.pem", identity.chain)
        let text = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,00000000000000000000000000000000

            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
            -----END EC PRIVATE KEY-----
            """
        let key = try folder.write("ca.key", Array(text.utf8))
        #expect(throws: AuthorityError(.encryptedKey, "", hint: "")) {
            try CertificateAuthority.load(certificateFile: certificate, keyFile: key, now: now)
        }
    }

    @Test func filesThatAreNoFiles() throws {
        let identity = try template().identity()
        let certificate = try folder.write("ca.pem", identity.chain)
        let key = try folder.write("ca.key", identity.key.pem())
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let long = try folder.write("long", [UInt8](repeating: 0x20, count: 1 << 20 + 1))
        for wrong in [folder.path, folder.path + "/missing", pipe, long] {
            let asKey = #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
                try CertificateAuthority.load(certificateFile: certificate, keyFile: wrong, now: now)
            }
            let asCertificate = #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
                try CertificateAuthority.load(certificateFile: wrong, keyFile: key, now: now)
            }
            #expect(asKey?.message.contains(wrong) == true)
            #expect(asCertificate?.message.contains(wrong) == true)
        }
    }

    @Test func brokenCertificates() throws {
        let key = try folder.write("ca.key", PrivateKey.generate(.p256).pem())
        for text in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let broken = try folder.write("broken.pem", Array(text.utf8))
            let error = #expect(throws: AuthorityError(.unreadable, "", hint: "")) {
                try CertificateAuthority.load(certificateFile: broken, keyFile: key, now: now)
            }
            #expect(error?.message.contains(broken) == true)
        }
    }

    @Test("C40: an expired CA, and one of tomorrow")
    func outsideItsTime() throws {
        let expired = #expect(throws: AuthorityError(.expired, "", hint: "")) {
            try load(template(to: now - 1))
        }
        // A second before the tests' time.
        #expect(expired?.message.contains("2026-11-30 00:53:19 UTC") == true)
        #expect(throws: AuthorityError(.notYetValid, "", hint: "")) { try load(template(from: now + 1)) }
        _ = try load(template(from: now, to: now))
    }

    @Test("C40: less than three days left")
    func aboutToExpire() throws {
        #expect(try load(template(to: now + 3 * day)).warnings == [])
        let warnings = try load(template(to: now + 3 * day - 1)).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("expires at 2026-12-03 00:53:19 UTC") == true)
    }

    @Test("C45: certificates that may not issue others")
    func issuersWithoutTheCABit() throws {
        var leaf = template()
        leaf.basicConstraints = .init(isAuthority: false)
        var silent = template()
        silent.basicConstraints = nil
        var withoutUsage = template()
        withoutUsage.keyUsage = .digitalSignature
        for faulty in [leaf, silent, withoutUsage] {
            let error = #expect(throws: AuthorityError(.notAuthority, "", hint: "")) { try load(faulty) }
            #expect(error?.message.contains("\(folder.path)/ca.pem") == true)
        }
    }

    @Test("C32: what strict clients miss")
    func strictness() throws {
        var withoutUsage = template()
        withoutUsage.keyUsage = nil
        #expect(try load(withoutUsage).warnings.map { $0.contains("keyUsage") } == [true])
        var withoutIdentifier = template()
        withoutIdentifier.hasSubjectKeyIdentifier = false
        #expect(try load(withoutIdentifier).warnings.map { $0.contains("subjectKeyIdentifier") } == [true])
        var forClients = template()
        forClients.purposes = [.clientAuth]
        #expect(try load(forClients).warnings.map { $0.contains("serverAuth") } == [true])
        forClients.purposes = [.clientAuth, .serverAuth]
        #expect(try load(forClients).warnings == [])
    }

    @Test("C32: a leaf names its issuer's key even if the CA does not")
    func authorityWithoutIdentifier() throws {
        var silent = template()
        silent.hasSubjectKeyIdentifier = false
        let authority = try load(silent).authority
        let leaf = try authority.issue(LeafRequest(host: host("a.test")), now: now).chain[0]
        let expected = Hex.encode(Digest.sha1(Array(authority.certificate.spki.suffix(65))))
        #expect(Hex.encode(leaf.der).contains("301f0603551d2304183016" + "8014" + expected))
    }
}

/// C33: a signing CA below others.
@Suite struct IntermediateTests {
    private let folder: TemporaryFolder
    private let root: TLSIdentity
    private let upper: TLSIdentity
    private let lower: TLSIdentity

    init() throws {
        folder = try TemporaryFolder()
        root = try Self.template("Root").identity()
        upper = try Self.template("Upper").identity(issuer: root)
        lower = try Self.template("Lower").identity(issuer: upper)
    }

    private static func template(_ name: String, pathLength: Int? = nil) -> CertificateTemplate {
        .authority(
            subject: [("CN", name)], notBefore: now - 10 * day, notAfter: now + 10 * day, pathLength: pathLength)
    }

    private func load(
        _ certificates: [Certificate], _ key: PrivateKey
    ) throws -> (authority: CertificateAuthority, warnings: [String]) {
        try CertificateAuthority.load(
            certificateFile: folder.write("ca.pem", certificates), keyFile: folder.write("ca.key", key.pem()), now: now)
    }

    @Test func whatIssuedItIsSentInOrderWithoutTheRoot() throws {
        let (root, upper, lower) = (root.chain[0], upper.chain[0], lower.chain[0])
        let stranger = try Self.template("Stranger").identity().chain[0]
        for file in [
            [lower, upper, root], [root, upper, lower], [upper, stranger, lower], [stranger, lower, root, upper],
        ] {
            let (authority, warnings) = try load(file, self.lower.key)
            #expect(authority.certificate == lower)
            #expect(authority.chain == [lower, upper])
            #expect(warnings == [])
            let identity = try authority.issue(LeafRequest(host: host("a.test")), now: now)
            #expect(Array(identity.chain.dropFirst()) == [lower, upper])
        }
        #expect(try load([lower], self.lower.key).authority.chain == [lower])
        #expect(try load([lower, root], self.lower.key).authority.chain == [lower])
    }

    @Test func theFirstCertificateThatTheKeyBelongsToSigns() throws {
        let again = try Self.template("Lower again").signed(for: lower.key, by: root)
        let file = [upper.chain[0], again, lower.chain[0]]
        #expect(try load(file, lower.key).authority.certificate == again)
    }

    @Test func certificatesThatAreNoCAsAreNotPartOfTheChain() throws {
        var template = Self.template("Upper")
        template.basicConstraints = .init(isAuthority: false)
        // The name and key of the one above, and it may sign certificates, but it is not a CA.
        let impostor = try template.signed(for: upper.key, by: root)
        #expect(lower.chain[0].isIssued(by: impostor))
        #expect(try load([lower.chain[0], impostor], lower.key).authority.chain == [lower.chain[0]])
    }

    @Test func pathLengthsThatForbidTheChainAreWarnedOf() throws {
        // One CA below it, and two are.
        let root = try Self.template("Root", pathLength: 1).identity()
        let upper = try Self.template("Upper", pathLength: 0).identity(issuer: root)
        let lower = try Self.template("Lower").identity(issuer: upper)
        #expect(try load([upper.chain[0], root.chain[0]], upper.key).warnings == [])
        let warnings = try load([lower.chain[0], upper.chain[0], root.chain[0]], lower.key).warnings
        #expect(warnings.map { $0.contains("CN=Upper") } == [true, false])
        #expect(warnings.map { $0.contains("CN=Root") } == [false, true])
    }

    @Test func expiredCertificatesAboveAreWarnedOf() throws {
        let old = try CertificateTemplate.authority(
            subject: [("CN", "Old")], notBefore: now - 10 * day, notAfter: now - day
        ).identity()
        let signing = try Self.template("Signing").identity(issuer: old)
        let warnings = try load([signing.chain[0], old.chain[0]], signing.key).warnings
        #expect(warnings.map { $0.contains("CN=Old") } == [true])
    }
}
