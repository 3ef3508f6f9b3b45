import Crypto
import Foundation
import Testing
import Wire

@testable import Authority

/// Certificates for a test set-up: what they say, and how they are written.
@Suite struct OrderTests {
    private let folder: TemporaryFolder
    private let authority: CertificateAuthority

    init() throws {
        folder = try TemporaryFolder()
        authority = try CertificateAuthority.create(in: folder.path + "/ca", days: 397, now: now)
    }

    private func issue(
        _ subject: CertificateOrder.Subject, name: String? = nil, days: Int? = nil, key: KeyKind = .p256
    ) throws -> IssuedCertificate {
        let name = try name.map { try DistinguishedName(text: $0) }
        return try authority.issue(CertificateOrder(subject, name: name, days: days, key: key), now: now).certificate
    }

    private func names(_ texts: String...) throws -> [ServerName] {
        try texts.map { try #require(ServerName($0)) }
    }

    @Test func `a server has its names and lives 397 days in all`() throws {
        let issued = try issue(.server(names("API.example.test.", "*.example.test", "127.0.0.1", "::1")))
        let certificate = issued.certificate
        #expect(certificate.subject == "CN=api.example.test")
        #expect(
            certificate.subjectAltNames == ["DNS:api.example.test", "DNS:*.example.test", "IP:127.0.0.1", "IP:::1"])
        #expect(certificate.notBefore == now - 172_800)
        // The last second counts too.
        #expect(certificate.notAfter - certificate.notBefore + 1 == 397 * day)
        #expect(certificate.keyUsage == .digitalSignature)
        #expect(issued.root == authority.certificate)
        #expect(issued.identity.chain == [certificate])
        #expect(certificate.isIssued(by: authority.certificate))
        // extendedKeyUsage: serverAuth alone.
        #expect(Hex.encode(certificate.der).contains("0603551d25040c300a06082b06010505070301"))
    }

    @Test(
        arguments: [
            ("jane@example.test", ["email:jane@example.test"]), ("app.example.test", ["DNS:app.example.test"]),
            ("192.0.2.1", ["IP:192.0.2.1"]), ("spiffe://example.test/app", ["URI:spiffe://example.test/app"]),
            ("app", []), ("Jane Doe", []), ("@", []), ("jane@", []), ("a@b@c", []), ("S\u{F6}hne.test", []),
        ] as [(String, [String])])
    func `a client has an alternative name where its name is one`(name: String, expected: [String]) throws {
        let certificate = try issue(.client(name)).certificate
        #expect(certificate.subject == "CN=\(name)")
        #expect(certificate.subjectAltNames == expected)
        #expect(Hex.encode(certificate.der).contains("0603551d25040c300a06082b06010505070302"))
    }

    @Test(arguments: [
        ("O=Example,C=DE", "CN=app,O=Example,C=DE"), ("CN=other,O=Example", "CN=other,O=Example"),
        ("OU=x+CN=y", "CN=y+OU=x"),
    ])
    func `a subject that is given gets a common name if it has none`(given: String, expected: String) throws {
        #expect(try issue(.client("app"), name: given).certificate.subject == expected)
        let server = try issue(.server(names("app.test")), name: given.replacing("app", with: "app.test"))
        #expect(server.certificate.subject == expected.replacing("CN=app", with: "CN=app.test"))
    }

    @Test func `a root has no issuer and signs others`() throws {
        let order = CertificateOrder(.root, name: try DistinguishedName(text: "CN=Other CA"))
        let root = try CertificateAuthority.issueRoot(order, now: now)
        #expect(root.certificate.subject == "CN=Other CA")
        #expect(root.certificate.isAuthority)
        #expect(root.certificate.notAfter == now + 3650 * day - 1)
        #expect(root.root == root.certificate)
        _ = try root.write(to: folder.path, base: "root", password: [])
        let other = try CertificateAuthority.load(
            certificateFile: folder.path + "/root.pem", keyFile: folder.path + "/root.key.pem", now: now
        )
        #expect(other.warnings == [])
        let leaf = try other.authority.issue(CertificateOrder(.client("stranger")), now: now).certificate
        #expect(leaf.certificate.isIssued(by: root.certificate))
        #expect(
            try CertificateAuthority.issueRoot(CertificateOrder(.root), now: now).certificate.subject
                .contains("TEST ONLY"))
    }

    @Test("C81: every kind of key", arguments: [(KeyKind.ed25519, "ED25519"), (.rsa(2048), "RSA 2048")])
    func keys(kind: KeyKind, description: String) throws {
        let server = try issue(.server(names("a.test")), key: kind)
        #expect(server.certificate.keyDescription == description)
        #expect(server.identity.key.belongs(to: server.certificate))
        let transports = server.certificate.keyUsage?.contains(.keyEncipherment)
        #expect(transports == (kind == .rsa(2048)))
        #expect(try issue(.client("a"), key: kind).certificate.keyUsage == .digitalSignature)
    }

    @Test("C82: no key that TLS libraries call too small", arguments: [KeyKind.rsa(1024), .rsa(2047), .rsa(8193)])
    func refusesKeys(kind: KeyKind) throws {
        let error = #expect(throws: AuthorityError(.badRequest, "", hint: "")) {
            try issue(.client("a"), key: kind)
        }
        #expect(error?.hint == "choose 2048 to 8192, or P-256")
    }

    @Test(arguments: [0, -1, 3651, Int.max])
    func refusesLifetimes(days: Int) {
        #expect(throws: AuthorityError(.badRequest, "", hint: "")) { try issue(.client("a"), days: days) }
    }

    @Test(arguments: ["", String(repeating: "a", count: 65), "a\nb"])
    func refusesNamesOfClients(name: String) {
        #expect(throws: AuthorityError(.badRequest, "", hint: "")) { try issue(.client(name)) }
    }

    @Test(arguments: ["", "*", "*.", "*.test", "*.*.test", "a.*.test", "*a.b.test", "*.127.0.0.1", "a b", "a:443"])
    func refusesNamesOfServers(name: String) { #expect(ServerName(name) == nil) }

    @Test func `what some peers refuse is said`() throws {
        func warnings(_ order: CertificateOrder) throws -> [String] { try authority.issue(order, now: now).warnings }
        #expect(try warnings(CertificateOrder(.client("a"))) == [])
        // The authority ends after 397 days.
        #expect(
            try warnings(CertificateOrder(.client("a"), days: 398))
                == ["the certificate ends with its CA, at 2028-01-01 00:53:20 UTC"])
        #expect(try issue(.client("a"), days: 398).certificate.notAfter == authority.certificate.notAfter)
        let long = try warnings(CertificateOrder(.server(names("a.test")), days: 396))
        #expect(long.count == 1)
        #expect(long.first?.hasPrefix("browsers and Apple's systems refuse") == true)
        #expect(try warnings(CertificateOrder(.server(names("a.test")), days: 395)) == [])
    }

    @Test func `a CA for servers only warns of clients`() throws {
        var template = CertificateTemplate.authority(
            subject: [("CN", "S")], notBefore: now - 3 * day, notAfter: now + 900 * day)
        template.purposes = [.serverAuth]
        let identity = try template.identity()
        let servers = CertificateAuthority(certificate: identity.chain[0], key: identity.key)
        let warnings = try servers.issue(CertificateOrder(.client("a")), now: now).warnings
        #expect(
            warnings == ["the CA has an extendedKeyUsage without clientAuth: servers refuse its client certificates"])
        #expect(try servers.issue(CertificateOrder(.server(names("a.test"))), now: now).warnings == [])
    }

    @Test func `a CA that is over issues nothing`() {
        #expect(throws: AuthorityError(.expired, "", hint: "")) {
            try authority.issue(CertificateOrder(.client("a")), now: now + 398 * day)
        }
        #expect(throws: AuthorityError(.notYetValid, "", hint: "")) {
            try authority.issue(CertificateOrder(.client("a")), now: now - 3 * day)
        }
    }
}
