import Foundation
import Testing

extension EndToEnd {
    /// What `pinproof ca issue` writes, in the hands of the programs that it is for.
    @Suite struct IssuedIdentityTests {
        private static let password = "pass word"

        private let folder: TemporaryFolder
        private let authority: String

        init() throws {
            folder = try TemporaryFolder()
            authority = folder.path("state/ca.pem")
            try #require(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
            try issue("--server", "api.pinproof.test", "--server", "127.0.0.1", "--name", "server")
            try issue("--client", "app", "--name", "client")
            try issue("--client", "jane@pinproof.test", "--key", "rsa:2048", "--name", "rsa", password: Self.password)
            try issue("--client", "app", "--key", "ed25519", "--name", "ed25519")
            try issue("--root", "--name", "root", state: false)
            let other = try Executable.run(
                "ca", "issue", "--ca", path("root.pem"), "--ca-key", path("root.key.pem"), "--client", "stranger",
                "--name", "stranger", "--out", folder.path("out"))
            try #require(other.code == 0, "\(other.error)")
        }

        private func path(_ name: String) -> String { folder.path("out/\(name)") }

        private func issue(_ arguments: String..., state: Bool = true, password: String? = nil) throws {
            let made = try Executable.run(
                Executable.url,
                ["ca", "issue", "--out", folder.path("out")] + arguments
                    + (state ? ["--state", folder.path("state")] : [])
                    + (password == nil ? [] : ["--password", "env:P12"]),
                environment: password.map { ["P12": $0] } ?? [:])
            try #require(made.code == 0, "\(made.error)")
        }

        /// Starts a server that takes no client without a certificate of the CA.
        private func startServer(_ version: String) async throws -> (process: ChildProcess, port: Int) {
            let server = try RealClient.openssl.start([
                "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", path("server.pem"), "-key",
                path("server.key.pem"), "-CAfile", authority, "-Verify", "1", "-verify_return_error", version,
            ])
            let port = try await server.wait(for: "its port") { progress in
                progress.lines.first { $0.hasPrefix("ACCEPT") }.flatMap { Int($0.split(separator: ":").last ?? "") }
            }
            return (server, port)
        }

        @Test(.needs(.curl), .needs(.openssl), arguments: ["-tls1_2", "-tls1_3"])
        func `C37, C81: curl proves itself with the PKCS#12 file`(version: String) async throws {
            let (server, port) = try await startServer(version)
            let curl = Curl(to: "127.0.0.1:\(port)", as: "api.pinproof.test", trusting: authority)
            let url = "https://api.pinproof.test/"
            for (name, password) in [("client", ""), ("rsa", Self.password), ("ed25519", "")] {
                let fetched = try await curl.fetch(
                    url, "--cert-type", "P12", "--cert", path(name + ".p12") + ":" + password)
                #expect(fetched.code == .exit(0), "\(name): \(fetched.complaint)")
                #expect(fetched.status == 200)
            }
            let pem = try await curl.fetch(url, "--cert", path("client.pem"), "--key", path("client.key.pem"))
            #expect(pem.status == 200, "\(pem.complaint)")
            // Required and absent: handshake_failure (40), in TLS 1.3 certificate_required (116) after the handshake.
            let none = try await curl.fetch(url)
            #expect(none.code == .exit(version == "-tls1_2" ? 35 : 56), "\(none.complaint)")
            let stranger = try await curl.fetch(
                url, "--cert-type", "P12", "--cert", path("stranger.p12") + ":")
            #expect(stranger.code == .exit(version == "-tls1_2" ? 35 : 56), "\(stranger.complaint)")
            server.signal(SIGTERM)
            try await server.end()
        }

        @Test(.needs(.node), .needs(.openssl)) func `Node loads it and proves itself with it`() async throws {
            let (server, port) = try await startServer("-tls1_3")
            let script = """
                const fs = require('fs'), https = require('https')
                const [file, passphrase, ca, port] = process.argv.slice(1)
                https.get({ host: '127.0.0.1', port, pfx: fs.readFileSync(file), passphrase, ca: fs.readFileSync(ca) },
                    answer => { console.log(answer.statusCode); answer.resume() })
                """
            for (name, password) in [("client", ""), ("rsa", Self.password), ("ed25519", "")] {
                let run = try await RealClient.node.run(
                    "-e", script, path(name + ".p12"), password, authority, String(port))
                #expect(run.outputText == "200\n", "\(name): \(run.errorText)")
            }
            server.signal(SIGTERM)
            try await server.end()
        }

        @Test(.needs(.python), .needs(.openssl)) func `Python proves itself with the PEM files`() async throws {
            let (server, port) = try await startServer("-tls1_3")
            let script = """
                import http.client, ssl, sys
                certificate, key, ca, port = sys.argv[1:]
                context = ssl.create_default_context(cafile=ca)
                context.verify_flags |= ssl.VERIFY_X509_STRICT
                context.load_cert_chain(certificate, key)
                connection = http.client.HTTPSConnection("127.0.0.1", int(port), context=context, timeout=50)
                connection.request("GET", "/")
                print(connection.getresponse().status)
                """
            for name in ["client", "rsa", "ed25519"] {
                let run = try await RealClient.python.run(
                    "-c", script, path(name + ".pem"), path(name + ".key.pem"), authority, String(port))
                #expect(run.outputText == "200\n", "\(name): \(run.errorText)")
            }
            server.signal(SIGTERM)
            try await server.end()
        }

        @Test(.needs(.keytool)) func `Java reads key, certificate and CA`() async throws {
            for (name, password) in [("client", ""), ("server", ""), ("rsa", Self.password), ("ed25519", "")] {
                let store = ["-keystore", path(name + ".p12"), "-storetype", "PKCS12"]
                let listed = try await RealClient.keytool.start(
                    ["-list", "-v", "-alias", name] + store + ["-storepass:env", "P12"],
                    environment: ["P12": password]
                ).end()
                #expect(listed.ending == .exit(0), "\(name): \(listed.outputText)")
                #expect(listed.outputText.contains("Entry type: PrivateKeyEntry\nCertificate chain length: 2\n"))
                // Only who can read the key can sign a request.
                let request = try await RealClient.keytool.start(
                    ["-certreq", "-alias", name] + store + ["-storepass:env", "P12"],
                    environment: ["P12": password]
                ).end()
                #expect(request.outputText.hasPrefix("-----BEGIN NEW CERTIFICATE REQUEST-----"), "\(name)")
            }
        }

        @Test(.needs(.keytool)) func `Java trusts the CA of a trust store`() async throws {
            let store = folder.path("ca.p12")
            let exported = try Executable.run(
                "ca", "export", "--state", folder.path("state"), "--format", "p12-java", "--out", store)
            try #require(exported.code == 0, "\(exported.error)")
            let listed = try await RealClient.keytool.run("-list", "-keystore", store, "-storepass", "changeit")
            #expect(listed.outputText.contains("Your keystore contains 1 entry\n"), "\(listed.outputText)")
            #expect(listed.outputText.contains("trustedCertEntry"))
        }

        @Test(.needs(.openssl)) func `OpenSSL and strict verification`() async throws {
            let info = try await RealClient.openssl.run(
                "pkcs12", "-in", path("client.p12"), "-info", "-nodes", "-passin", "pass:")
            #expect(info.ending == .exit(0), "\(info.errorText)")
            #expect(info.errorText.contains("MAC: sha256, Iteration 10000"))
            #expect(info.errorText.contains("Keybag: PBES2, PBKDF2, AES-256-CBC"))
            #expect(info.outputText.contains("friendlyName: client"))
            for (name, purpose) in [("server", "sslserver"), ("client", "sslclient"), ("ed25519", "sslclient")] {
                let verified = try await RealClient.openssl.run(
                    "verify", "-x509_strict", "-purpose", purpose, "-CAfile", authority, path(name + ".pem"))
                #expect(verified.ending == .exit(0), "\(name): \(verified.errorText)")
            }
        }

        @Test(.needs(.certtool)) func `GnuTLS verifies and reads it`() async throws {
            for name in ["server", "client", "rsa", "ed25519"] {
                let verified = try await RealClient.certtool.run(
                    "--verify", "--load-ca-certificate", authority, "--infile", path(name + ".pem"))
                #expect(verified.ending == .exit(0), "\(name): \(verified.outputText)")
            }
            let info = try await RealClient.certtool.run(
                "--p12-info", "--inder", "--infile", path("rsa.p12"), "--password", Self.password)
            #expect(info.ending == .exit(0), "\(info.errorText)")
            #expect(info.outputText.contains("Type: PKCS #8 Encrypted key"), "\(info.outputText)")
        }
    }
}
