import Foundation
import Testing

@testable import pinproof

/// `pinproof ca issue` as users run it.
@Suite struct CaIssueTests {
    private let openssl = URL(fileURLWithPath: "/usr/bin/openssl")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try #require(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
    }

    private func issue(_ arguments: String..., environment: [String: String] = [:]) throws -> Executable.Outcome {
        try Executable.run(
            Executable.url, ["ca", "issue", "--state", folder.path("state"), "--out", folder.path("out")] + arguments,
            environment: environment)
    }

    private var entries: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()) ?? []
    }

    @Test func `a server's certificate for several names`() throws {
        let made = try issue(
            "--server", "api.example.com", "--server", "*.example.com", "--server", "127.0.0.1", "--server", "::1")
        #expect(made.error == "")
        #expect(made.code == 0)
        let base = folder.path("out/api.example.com")
        let lines = made.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Made a server's certificate; its key and PKCS#12 file are for you alone.")
        #expect(lines[1] == "  certificate  \(base).pem")
        #expect(
            lines.suffix(5) == [
                "  names        DNS:api.example.com, DNS:*.example.com, IP:127.0.0.1, IP:::1",
                "  key file     \(base).key.pem", "  request      \(base).csr", "  DER          \(base).der",
                "  PKCS#12      \(base).p12 (empty password)",
            ])
        let text = try Executable.run(
            openssl, ["x509", "-in", base + ".pem", "-noout", "-ext", "subjectAltName,extendedKeyUsage"]
        ).text
        #expect(
            text.contains(
                "DNS:api.example.com, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1"))
        #expect(text.contains("TLS Web Server Authentication"))
        #expect(!text.contains("TLS Web Client Authentication"))
    }

    @Test func `a client's certificate with a subject of its own`() throws {
        let made = try issue("--client", "jane@example.com", "--subject", #"O=Example\, Inc.+OU=x,C=DE"#)
        #expect(made.code == 0, "\(made.error)")
        #expect(made.text.contains(#"  subject      CN=jane@example.com,OU=x+O=Example\, Inc.,C=DE"#))
        let request = try Executable.run(
            openssl, ["req", "-in", folder.path("out/jane@example.com.csr"), "-noout", "-text", "-verify"])
        #expect(request.code == 0)
        #expect(request.text.contains(#"C = DE, OU = x + O = "Example, Inc.", CN = jane@example.com"#))
        #expect(request.text.contains("email:jane@example.com"))
        #expect(request.text.contains("TLS Web Client Authentication"))
    }

    @Test func `JSON names the files and what they hold`() throws {
        let made = try issue("--client", "app", "--key", "ed25519", "--name", "client", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
        #expect(object["subject"] as? String == "CN=app")
        #expect(object["key"] as? String == "ED25519")
        #expect(object["names"] as? [String] == [])
        let base = folder.path("out/client")
        #expect(
            object["files"] as? [String: String] == [
                "key": base + ".key.pem", "request": base + ".csr", "certificate": base + ".pem",
                "der": base + ".der", "pkcs12": base + ".p12",
            ])
        let digest = try Executable.run(openssl, ["dgst", "-sha256", "-r", base + ".der"]).text
        #expect(digest.split(separator: " ").first.map(String.init) == object["sha256"] as? String)
        #expect(!made.text.contains("PRIVATE"))
    }

    @Test func `the password comes from the environment or from a file`() throws {
        try folder.file("password", [UInt8]("from a file\r\nsecond line\n".utf8))
        let environment = ["P12": "from the environment"]
        #expect(
            try issue("--client", "a", "--password", "env:P12", environment: environment).text
                .contains("a.p12 (password as given)\n"))
        #expect(try issue("--client", "b", "--password", "file:" + folder.path("password")).code == 0)
        for (name, password) in [("a", "from the environment"), ("b", "from a file")] {
            let read = try Executable.run(
                openssl, ["pkcs12", "-in", folder.path("out/\(name).p12"), "-noout", "-passin", "pass:" + password])
            #expect(read.code == 0, "\(read.error)")
        }
    }

    @Test func `Java does not read passwords beyond ASCII, so the user is told`() throws {
        let made = try issue("--client", "a", "--password", "env:P12", environment: ["P12": "p\u{E4}ss"])
        #expect(made.code == 0)
        #expect(made.error.hasPrefix("pinproof: warning: the password is not ASCII: Java does not open"))
        let read = try Executable.run(
            openssl, ["pkcs12", "-in", folder.path("out/a.p12"), "-noout", "-passin", "env:P12"],
            environment: ["P12": "p\u{E4}ss", "LC_ALL": "C.UTF-8"])
        #expect(read.code == 0, "\(read.error)")
    }

    @Test(
        arguments: [
            (["--server", "*.example.com"], "_.example.com"), (["--server", "::1"], "__1"),
            (["--client", "Jane Doe/x"], "Jane_Doe_x"), (["--client", "-rf"], "_rf"), (["--client", ".."], "_."),
            (["--client", "S\u{F6}hne"], "S_hne"), (["--client", "a", "--name", "b"], "b"),
        ] as [([String], String)])
    func `files are named after the certificate`(arguments: [String], base: String) throws {
        let made = try Executable.run(
            Executable.url,
            ["ca", "issue", "--state", folder.path("state"), "--out", folder.path("out")] + arguments)
        #expect(made.code == 0, "\(made.error)")
        #expect(Set(entries) == Set(["csr", "der", "key.pem", "p12", "pem"].map { "\(base).\($0)" }))
    }

    @Test func `nothing is overwritten`() throws {
        #expect(try issue("--client", "app").code == 0)
        let before = try entries.map { try folder.bytes("out/" + $0) }
        let again = try issue("--client", "app")
        #expect(again.code == 2)
        #expect(again.text == "")
        #expect(again.error.hasPrefix("pinproof: \(folder.path("out/app.key.pem")) exists already"))
        #expect(try entries.map { try folder.bytes("out/" + $0) } == before)
    }

    @Test func `a root of its own signs a stranger`() throws {
        let out = folder.path("other")
        let root = try Executable.run("ca", "issue", "--root", "--out", out)
        #expect(root.code == 0, "\(root.error)")
        #expect(root.text.hasPrefix("Made a root; "))
        let leaf = try Executable.run(
            "ca", "issue", "--ca", out + "/root.pem", "--ca-key", out + "/root.key.pem", "--client", "stranger",
            "--out", out)
        #expect(leaf.code == 0, "\(leaf.error)")
        let verified = try Executable.run(
            openssl,
            ["verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", out + "/root.pem", out + "/stranger.pem"])
        #expect(verified.code == 0, "\(verified.error)")
        let foreign = try Executable.run(
            openssl, ["verify", "-CAfile", folder.path("state/ca.pem"), out + "/stranger.pem"])
        #expect(foreign.code != 0)
    }

    @Test func `C62: two CAs of one name are told apart by their keys`() throws {
        for name in ["one", "two"] {
            let out = folder.path(name)
            let root = try Executable.run("ca", "issue", "--root", "--subject", "CN=Same CA", "--out", out)
            try #require(root.code == 0, "\(root.error)")
            let leaf = try Executable.run(
                "ca", "issue", "--ca", out + "/root.pem", "--ca-key", out + "/root.key.pem", "--client", "app",
                "--out", out)
            try #require(leaf.code == 0, "\(leaf.error)")
        }
        for (authority, leaf, isIts) in [
            ("one", "one", true), ("one", "two", false), ("two", "two", true), ("two", "one", false),
        ] {
            let verified = try Executable.run(
                openssl,
                [
                    "verify", "-purpose", "sslclient", "-CAfile", folder.path("\(authority)/root.pem"),
                    folder.path("\(leaf)/app.pem"),
                ])
            #expect((verified.code == 0) == isIts)
        }
    }

    @Test(
        arguments: [
            ([], "missing option: --server, --client, --root; give one of them; --server may be repeated\n"),
            (["--client", "a", "--root"], "contradicting options: --server, --client, --root; "),
            (["--client", "a", "--server", "b.test"], "contradicting options: --server, --client, --root; "),
            (["--root"], "--root needs no CA; leave out --ca, --ca-key and --state\n"),
            (["--client", "a", "--ca", "x"], "--ca needs --ca-key; give both or neither\n"),
            (["--client", ""], "empty name: --client: ; write one\n"),
            (["--server", "a:443"], "not a name for a server: --server: a:443; use a DNS name, '*.example.com' or"),
            (["--server", "*.com"], "not a name for a server: --server: *.com; "),
            (
                ["--client", "a", "--subject", "app"],
                "not a distinguished name: --subject: app; \"app\" is not TYPE=VALUE; write it as CN=app,O=Example,C=DE\n"
            ),
            (["--client", "a", "--subject", "C=DEU"], "not a distinguished name: --subject: C=DEU; \"DEU\" is no C: "),
            (
                ["--client", "a", "--days", "0"],
                "not a number in range: --days: 0; use a whole number from 1 to 3650\n"
            ),
            (
                ["--client", "a", "--key", "rsa:1024"],
                "not a kind of key: --key: rsa:1024; use ec (P-256), ed25519, or rsa:N with 2048 to 8192 bits\n"
            ),
            (["--client", "a", "--name", "../a"], "not the beginning of a file's name: --name: ../a; "),
            (["--client", "a", "--name", "b/a"], "not the beginning of a file's name: --name: b/a; "),
            (
                ["--client", "a", "--password", "secret"],
                "not where a password is read: --password; write file:PATH, or env:NAME for a variable\n"
            ),
            (
                ["--client", "a", "--password", "env:NOWHERE"],
                "no such environment variable: NOWHERE; export it, or use file:PATH for the password\n"
            ),
            (
                ["--client", "a", "--password", "file:/nowhere"],
                "cannot open file: /nowhere: No such file or directory\n"
            ),
            (["--client", "a", "--password", "file:/bin/sh"], "file is too large: /bin/sh; "),
            (
                ["--client", String(repeating: "a", count: 65)],
                "\"\(String(repeating: "a", count: 65))\" is no common name, which has 1 to 64 characters"
            ),
        ] as [([String], String)])
    func `what makes no sense is refused before anything is written`(arguments: [String], complaint: String) throws {
        let outcome = try Executable.run(
            Executable.url,
            ["ca", "issue", "--state", folder.path("state"), "--out", folder.path("out")] + arguments)
        #expect(outcome.error.hasPrefix("pinproof: \(complaint)"), "\(outcome.error)")
        #expect(outcome.error.count { $0 == "\n" } == 1)
        #expect(outcome.text == "")
        #expect(outcome.code == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `a password of other bytes than text is refused`() throws {
        for bytes in [[0xFF], [0x61, 0x00, 0x62]] as [[UInt8]] {
            try folder.file("password", bytes)
            let outcome = try issue("--client", "a", "--password", "file:" + folder.path("password"))
            #expect(outcome.error.hasPrefix("pinproof: not a password: \(folder.path("password")); "))
            #expect(outcome.code == 2)
        }
        #expect(entries == [])
    }

    @Test func `a folder without a CA says how to make one`() throws {
        let outcome = try Executable.run(
            "ca", "issue", "--client", "a", "--state", folder.path("none"), "--out", folder.path("out"))
        #expect(
            outcome.error == "pinproof: no local CA: \(folder.path("none")); "
                + "make one with: pinproof ca init --state \(folder.path("none"))\n")
        #expect(outcome.code == 2)
        #expect(entries == [])
    }

    @Test func `a leaf issues nothing`() throws {
        #expect(try issue("--server", "a.test").code == 0)
        let outcome = try Executable.run(
            "ca", "issue", "--client", "a", "--ca", folder.path("out/a.test.pem"), "--ca-key",
            folder.path("out/a.test.key.pem"), "--out", folder.path("out"))
        #expect(outcome.error.contains("(CN=a.test) is not a CA: it lacks basicConstraints CA:TRUE"))
        #expect(outcome.code == 2)
    }
}
