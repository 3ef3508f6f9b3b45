import Foundation
import Testing

@testable import pinproof

/// CAs that may not issue for everything, and CAs below a root.
@Suite struct CaInitTests {
    private let openssl = URL(fileURLWithPath: "/usr/bin/openssl")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func create(_ arguments: String...) throws -> String {
        let made = try Executable.run(Executable.url, ["ca", "init", "--state", folder.path("state")] + arguments)
        try #require(made.code == 0, "\(made.error)")
        return made.text
    }

    private func issue(_ arguments: String...) throws -> Executable.Outcome {
        try Executable.run(
            Executable.url,
            ["ca", "issue", "--state", folder.path("state"), "--out", folder.path("out")] + arguments)
    }

    private func exportAnchor() throws -> String {
        let out = folder.path("root.pem")
        try #require(
            try Executable.run("ca", "export", "--state", folder.path("state"), "--out", out).code == 0)
        return out
    }

    @Test func `what is permitted is critical, and shown`() throws {
        let made = try create("--permit", "example.com", "--permit", "127.0.0.1")
        let shown = try Executable.run("ca", "show", "--state", folder.path("state"))
        let rows = """

              permits      DNS:example.com
                           DNS:127.0.0.1
                           IP:127.0.0.1
                           IP:::ffff:127.0.0.1

            """
        #expect(shown.text.hasSuffix(rows))
        // The days that are left may become one less between the two.
        let days = /\([0-9]+ days left\)/
        #expect(made.replacing(days, with: "").contains(shown.text.replacing(days, with: "")))
        let text = try Executable.run(
            openssl, ["x509", "-in", folder.path("state/ca.pem"), "-noout", "-ext", "nameConstraints"]
        ).text
        #expect(text.contains("X509v3 Name Constraints: critical"))
        #expect(text.contains("DNS:example.com"))
        let json = try Executable.run("ca", "show", "--state", folder.path("state"), "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect(
            object["permitted"] as? [String]
                == ["DNS:example.com", "DNS:127.0.0.1", "IP:127.0.0.1", "IP:::ffff:127.0.0.1"])
        #expect(object["intermediate"] is NSNull)
    }

    @Test(arguments: [
        (["--server", "a.example.com", "--server", "b.test"], "b.test"), (["--server", "127.0.0.1"], "127.0.0.1"),
        (["--server", "example.com.b.test"], "example.com.b.test"), (["--client", "b.test"], "b.test"),
    ])
    func `other names are refused by name`(arguments: [String], name: String) throws {
        _ = try create("--permit", "example.com")
        let refused = try Executable.run(
            Executable.url,
            ["ca", "issue", "--state", folder.path("state"), "--out", folder.path("out")] + arguments)
        #expect(refused.error.hasPrefix("pinproof: the CA CN=Pinproof TEST ONLY CA "))
        #expect(
            refused.error.hasSuffix(
                "may not issue for \(name): its name constraints permit example.com; "
                    + "ask for a name within them, or use another CA\n"))
        #expect(refused.code == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
        #expect(try issue("--server", "a.example.com", "--server", "*.example.com").code == 0)
        #expect(try issue("--client", "app").code == 0)
    }

    @Test func `C33: an intermediate signs and is sent along, and the root is what is trusted`() throws {
        let made = try create("--intermediate", "--permit", "example.com")
        #expect(made.contains("\nIt signs through this intermediate, which is sent with every leaf:\n"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("state")).sorted() == ["ca.key", "ca.pem"])
        let anchor = try exportAnchor()
        let subject = try Executable.run(openssl, ["x509", "-in", anchor, "-noout", "-subject", "-issuer"]).text
        let lines = subject.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1)[1] }
        #expect(lines.count == 2)
        #expect(lines[0] == lines[1])
        #expect(!subject.contains("intermediate"))

        let issued = try issue("--server", "api.example.com")
        #expect(issued.code == 0, "\(issued.error)")
        let chain = folder.path("out/api.example.com.pem")
        let pem = String(decoding: try folder.bytes("out/api.example.com.pem"), as: UTF8.self)
        #expect(pem.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        let verified = try Executable.run(
            openssl,
            ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", anchor, "-untrusted", chain, chain])
        #expect(verified.code == 0, "\(verified.error)")
        let alone = try Executable.run(openssl, ["verify", "-CAfile", anchor, chain])
        #expect(alone.code != 0)
        // The PKCS#12 file goes up to the root.
        let bags = try Executable.run(
            openssl, ["pkcs12", "-in", folder.path("out/api.example.com.p12"), "-nokeys", "-passin", "pass:"])
        #expect(bags.text.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
        #expect(try issue("--server", "b.test").error.contains("intermediate CA "))

        let json = try Executable.run("ca", "show", "--state", folder.path("state"), "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        let intermediate = try #require(object["intermediate"] as? [String: Any])
        #expect(object["permitted"] as? [String] == [])
        #expect(intermediate["permitted"] as? [String] == ["DNS:example.com"])
        #expect(intermediate["excluded"] as? [String] == ["IP:0.0.0.0/0.0.0.0", "IP:::/::"])
        #expect((intermediate["subject"] as? String)?.contains("intermediate CA") == true)
    }

    @Test func `a name to permit is a host`() throws {
        let refused = try Executable.run("ca", "init", "--state", folder.path("state"), "--permit", "*.example.com")
        #expect(
            refused.error == "pinproof: not a host name: --permit: *.example.com; "
                + "use a DNS name or an IP address, without a port\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
    }

    @Test func `C83: a trust store for Java holds the CA and no key, under its password`() throws {
        _ = try create()
        let store = folder.path("ca.p12")
        let arguments = ["ca", "export", "--state", folder.path("state"), "--format", "p12-java", "--out", store]
        #expect(try Executable.run(Executable.url, arguments).code == 0)
        let read = try Executable.run(openssl, ["pkcs12", "-in", store, "-nodes", "-passin", "pass:changeit"])
        #expect(read.text.contains("friendlyName: pinproof-ca"))
        #expect(read.text.components(separatedBy: "BEGIN CERTIFICATE").count == 2)
        #expect(!read.text.contains("PRIVATE KEY"))
        // Oracle's attribute, and the value that stands for any use.
        #expect(read.text.contains("2.16.840.1.113894.746875.1.1: <Unsupported tag 6>"))
        #expect(try Executable.run(openssl, ["pkcs12", "-in", store, "-nokeys", "-passin", "pass:other"]).code != 0)
        let refused = try Executable.run("ca", "export", "--state", folder.path("state"), "--password", "env:P")
        #expect(
            refused.error
                == "pinproof: --password contradicts --format pem; only --format p12-java has a password\n")
        #expect(refused.code == 2)
    }
}
