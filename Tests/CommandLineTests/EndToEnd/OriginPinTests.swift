import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// Origins that no verifier would take, judged by one key or certificate alone: `--origin-pin`.
    @Suite struct OriginPinTests {
        /// What is wrong with an origin's certificate.
        enum Flaw: CaseIterable {
            case selfSigned
            /// Self-signed, and the name is in the subject, where nobody looks for it any more (RFC 9525 section 6.3).
            case commonNameOnly
            case otherName, expired

            /// The failure that it is without a pin.
            var code: String {
                switch self {
                case .selfSigned, .commonNameOnly: "originUntrusted"
                case .otherName: "originWrongName"
                case .expired: "originExpired"
                }
            }
        }

        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        private func mint(_ flaw: Flaw) async throws -> Stage.IdentityFiles {
            switch flaw {
            case .selfSigned:
                return try await selfSigned(["-addext", "subjectAltName=DNS:\(MutualRoute.host)"])
            case .commonNameOnly: return try await selfSigned([])
            case .otherName: return try stage.mint([.dns("elsewhere.example")])
            case .expired:
                return try stage.mint([.dns(MutualRoute.host)]) { template in
                    template.notAfter = template.notBefore
                    template.notBefore -= 86_400
                }
            }
        }

        private func selfSigned(
            _ options: [String], key kind: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        ) async throws -> Stage.IdentityFiles {
            let files = Stage.IdentityFiles(certificate: folder.path("self.pem"), key: folder.path("self.key"))
            let made = try await RealClient.openssl.start(
                ["req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=\(MutualRoute.host)", "-keyout", files.key]
                    + ["-out", files.certificate, "-newkey"] + kind + options
            ).end()
            try #require(made.ending == .exit(0), "\(made.errorText)")
            return files
        }

        /// The pin of a certificate's key (RFC 7469 section 2.4), from what the openssl program prints.
        private func pin(_ certificate: String) async throws -> String {
            let shown = try await RealClient.openssl.run("x509", "-in", certificate, "-noout", "-pubkey")
            let body = shown.lines.filter { !$0.hasPrefix("-----") }.joined()
            let key = try #require(Data(base64Encoded: body))
            return "sha256/\(Data(Digest.sha256([UInt8](key))).base64EncodedString())"
        }

        /// What a client gets from an origin with these files through a proxy with these options.
        private func fetch(_ files: Stage.IdentityFiles, _ options: [String]) async throws -> Curl.Outcome {
            let origin = try await Server(["origin", "--cert", files.certificate, "--key", files.key])
            let route = try await MutualRoute(stage, to: origin.port, proxy: options)
            let fetched = try await route.fetch()
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            try await route.end()
            try await origin.stop()
            return fetched
        }

        @Test(.needs(.curl), .needs(.openssl), arguments: Flaw.allCases)
        func `the pin takes it, whatever else is wrong with it`(flaw: Flaw) async throws {
            let files = try await mint(flaw)
            let key = try await pin(files.certificate)
            for value in [key, files.certificate] {
                let fetched = try await fetch(files, ["--origin-pin", "\(MutualRoute.host)=\(value)"])
                #expect(fetched.status == 200, "\(value): \(fetched.text)")
            }
        }

        @Test(.needs(.curl), .needs(.openssl), arguments: Flaw.allCases)
        func `without its pin it is refused`(flaw: Flaw) async throws {
            let files = try await mint(flaw)
            let unpinned = try await fetch(files, [])
            #expect(unpinned.status == 502)
            #expect(unpinned.text.contains("(\(flaw.code))"), "\(unpinned.text)")
            // That of another host, or of another key.
            let elsewhere = try await fetch(files, ["--origin-pin", "other.example=\(files.certificate)"])
            #expect(elsewhere.status == 502)
        }

        @Test(.needs(.curl), .needs(.openssl))
        func `nothing but the pin counts, not even a CA that is trusted`() async throws {
            let good = stage.originIdentity
            #expect(try await fetch(good, []).status == 200)
            let other = try stage.mint(.everyHost)
            for value in [try await pin(other.certificate), other.certificate] {
                let fetched = try await fetch(good, ["--origin-pin", "*=\(value)"])
                #expect(fetched.status == 502)
                let shown = try await pin(good.certificate)
                for text in ["is not one that --origin-pin names for it", shown, "(originUntrusted)"] {
                    #expect(fetched.text.contains(text), "no '\(text)' in \(fetched.text)")
                }
            }
            // One of several is enough.
            let both = try await fetch(
                good, [other.certificate, good.certificate].flatMap { ["--origin-pin", "*=\($0)"] })
            #expect(both.status == 200)
        }

        @Test(.needs(.curl), .needs(.openssl)) func `any takes everybody, and is loud about it`() async throws {
            let files = try await mint(.commonNameOnly)
            let origin = try await Server(["origin", "--cert", files.certificate, "--key", files.key])
            let route = try await MutualRoute(
                stage, to: origin.port, proxy: ["--origin-pin", "\(MutualRoute.host)=any"])
            #expect(try await route.fetch().status == 200)
            route.proxy.process.signal(SIGINT)
            let run = try await route.proxy.process.end()
            #expect(
                run.errorText == "pinproof: warning: --origin-pin \(MutualRoute.host)=any takes whoever answers for "
                    + "these hosts; what they say proves nothing\n")
            try await origin.stop()
        }

        /// OpenSSL looks at the size of an origin's key when it verifies a chain; where a pin decides, it does not.
        @Test(.needs(.curl), .needs(.openssl), arguments: ["1.2", "1.3"])
        func `an RSA key of 1024 bits`(tls: String) async throws {
            let files = try await selfSigned([], key: ["rsa:1024"])
            let origin = try await OpenSSLServer(
                files, ["-www", "-cipher", "DEFAULT:@SECLEVEL=0", tls == "1.2" ? "-tls1_2" : "-tls1_3"])
            let route = try await MutualRoute(
                stage, to: origin.port, proxy: ["--origin-pin", "*=\(files.certificate)"])
            let fetched = try await route.fetch()
            #expect(fetched.status == 200, "\(fetched.text)")
            try await route.end()
        }

        @Test func `what is no pin is told`() async throws {
            let run = try await ChildProcess(
                Executable.url, ["proxy", "--port", "0", "--origin-pin", "a.example=sha256/AAAA"]
            ).end()
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("sha256/ and the 44 characters of the key's digest in base64"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }
    }
}
