import Foundation
import Testing

extension EndToEnd {
    /// What `--identity` takes, and what it says of a file that it does not take.
    @Suite struct IdentityFileTests {
        private static let password = "pass word"

        private let stage: Stage
        private let clients: ClientIdentities
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            clients = stage.clients
            folder = try TemporaryFolder()
        }

        /// The subject of what an origin is given by a proxy with these options.
        private func presented(_ options: [String], environment: [String: String] = [:]) async throws -> String? {
            let route = try await MutualRoute(
                stage, origin: ["--client-auth", "request"], proxy: options, environment: environment)
            let fetched = try await route.fetch()
            #expect(fetched.status == 200, "\(fetched.complaint) \(fetched.text)")
            try await route.end()
            return try fetched.seen.clientCertificate?.subject
        }

        /// What keeps a proxy with these options from starting: exit code 2, one line, nothing on standard output.
        private func complaint(_ options: [String], environment: [String: String] = [:]) async throws -> String {
            let run = try await ChildProcess(
                Executable.url, ["proxy", "--state", stage.folder.path("proxy"), "--port", "0", "--json"] + options,
                environment: environment, inOwnSession: true
            ).end()
            #expect(run.ending == .exit(2))
            #expect(run.outputText == "")
            #expect(run.errorText.hasSuffix("\n"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
            return String(run.errorText.dropLast())
        }

        /// What is said of a file, before the remedy.
        private func fault(_ file: String, _ what: String, _ remedy: String) -> String {
            "pinproof: the identity in \(file) cannot be used: \(what); \(remedy)"
        }

        @Test(.needs(.curl)) func `certificate and key from two files`() async throws {
            let pair = "\(clients.app.certificate),\(clients.app.key)"
            #expect(try await presented(["--identity", "*=\(pair)"]) == "CN=app")
        }

        @Test(.needs(.curl)) func `one of two identities in a file`() async throws {
            let texts = try [clients.app, clients.stranger].map { try $0.text(\.key) + $0.text(\.certificate) }
            let file = try folder.privateFile("both.pem", Array(texts.joined().utf8))
            let digests = try [clients.app.digest(), clients.stranger.digest()]
            for name in ["CN=stranger", "stranger", String(digests[1].prefix(8)), digests[1].uppercased()] {
                #expect(try await presented(["--identity", "*=\(file)#\(name)"]) == "CN=stranger", "\(name)")
            }
            let found = "CN=app \(digests[0].prefix(16)); CN=stranger \(digests[1].prefix(16))"
            let remedy = "choose one by its subject, its friendly name or the first 8 or more digits of its fingerprint"
            #expect(
                try await complaint(["--identity", "*=\(file)"])
                    == fault(file, "there are 2 identities that could be meant: \(found)", remedy))
            #expect(
                try await complaint(["--identity", "*=\(file)#nobody"])
                    == fault("\(file)#nobody", "no identity in it is called “nobody”; there are: \(found)", remedy))
        }

        @Test(.needs(.curl)) func `an encrypted PKCS#12 file and its password`() async throws {
            let secret = try ClientIdentities.issue(
                "secret", in: folder.path, "--client", "secret", by: clients.authority, password: Self.password)
            let option = ["--identity", "*=\(secret.pkcs12)", "--identity-password"]
            #expect(
                try await presented(option + ["*=env:P12"], environment: ["P12": Self.password]) == "CN=secret")
            // A file ends in a newline, which is not the password's.
            let file = try folder.privateFile("password", Array("\(Self.password)\n".utf8))
            #expect(try await presented(option + ["*=file:\(file)"]) == "CN=secret")

            let wrong = try await complaint(option + ["*=env:P12"], environment: ["P12": "pass"])
            #expect(
                wrong == fault(secret.pkcs12, "the password is wrong", "give the one that the file was made with"))
            #expect(
                try await complaint(["--identity", "*=\(secret.pkcs12)"])
                    == fault(
                        secret.pkcs12, "a password is needed",
                        "give it from a file or from the environment, or run this on a terminal to be asked"))
            // The words for a missing source are those of all passwords.
            #expect(try await complaint(option + ["*=env:P12"]).contains("P12"))
            #expect(
                try await complaint(option + ["other.example=env:P12"], environment: ["P12": Self.password])
                    .contains("a password is needed"))
        }

        @Test func `a password without its identity is an error`() async throws {
            #expect(
                try await complaint(
                    ["--identity", "*=\(clients.app.pkcs12)", "--identity-password", "other.example=env:P12"])
                    == "pinproof: --identity-password for hosts without --identity: other.example; "
                    + "write the same PATTERN for both")
        }

        @Test func `C83: a file without a private key is told when it is loaded`() async throws {
            #expect(
                try await complaint(["--identity", "*=\(clients.app.certificate)"])
                    == fault(
                        clients.app.certificate, "there is no private key in it",
                        "export the identity together with its key, or name the key's file too"))
        }

        @Test(.needs(.openssl)) func `C83: nor is a PKCS#12 file without a key mistaken for an identity`() async throws
        {
            let file = folder.path("nokey.p12")
            let made = try await RealClient.openssl.run(
                "pkcs12", "-export", "-nokeys", "-in", clients.app.certificate, "-passout", "pass:", "-out", file)
            try #require(made.ending == .exit(0), "\(made.errorText)")
            #expect(try await complaint(["--identity", "*=\(file)"]).contains("there is no private key in it"))
        }

        @Test func `a key of another certificate is told`() async throws {
            let pair = "\(clients.app.certificate),\(clients.stranger.key)"
            let text = try await complaint(["--identity", "*=\(pair)"])
            #expect(
                text.hasPrefix("pinproof: the identity in \(pair) cannot be used: the key (EC P-256"), "\(text)")
            #expect(text.contains("belongs to none of the certificates (CN=app"), "\(text)")
            #expect(text.hasSuffix("; name two files that were made together"))
        }

        @Test(.needs(.curl), .needs(.openssl)) func `C82: a 1024-bit key needs a switch`() async throws {
            let (certificate, key) = (folder.path("weak.pem"), folder.path("weak.key"))
            let made = try await RealClient.openssl.run(
                "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=weak", "-days", "1", "-keyout", key,
                "-out", certificate)
            try #require(made.ending == .exit(0), "\(made.errorText)")
            let pair = "\(certificate),\(key)"
            let text = try await complaint(["--identity", "*=\(pair)"])
            #expect(text.contains("TLS refuses it as too weak: RSA 1024 bits"), "\(text)")
            #expect(text.contains("--identity-allow-weak"), "\(text)")
            #expect(try await presented(["--identity", "*=\(pair)", "--identity-allow-weak"]) == "CN=weak")
        }

        @Test(
            .needs(.curl), .needs(.openssl), arguments: ["1.2", "1.3"],
            [["ED25519"], ["RSA-PSS"], ["RSA-PSS", "-pkeyopt", "rsa_pss_keygen_md:sha256"]])
        func `C81: keys that sign in one way only`(tls: String, kind: [String]) async throws {
            let (certificate, key) = (folder.path("special.pem"), folder.path("special.key"))
            for words in [
                ["genpkey", "-out", key, "-algorithm"] + kind,
                ["req", "-x509", "-key", key, "-subj", "/CN=special", "-days", "1", "-out", certificate],
            ] {
                let made = try await RealClient.openssl.start(words).end()
                try #require(made.ending == .exit(0), "\(made.errorText)")
            }
            let route = try await MutualRoute(
                stage,
                origin: [
                    "--client-auth", "require", "--client-ca", certificate, "--tls-min", tls, "--tls-max", tls,
                ], proxy: ["--identity", "*=\(certificate),\(key)"])
            let fetched = try await route.fetch()
            #expect(fetched.status == 200, "\(fetched.text)")
            #expect(try fetched.seen.clientCertificate?.subject == "CN=special")
            try await route.end()
        }

        @Test func `a file that is not there is told`() async throws {
            let text = try await complaint(["--identity", "*=\(folder.path("nothing.p12"))"])
            #expect(text.contains("\(folder.path("nothing.p12"))"))
            #expect(text.contains("No such file or directory"), "\(text)")
        }
    }
}
