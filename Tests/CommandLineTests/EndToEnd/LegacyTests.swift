import Foundation
import Testing

extension EndToEnd {
    /// Old clients and origins, real ones: refused with what to do about it, and open for the hosts that are named.
    @Suite struct LegacyTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        private static let oldCurl = ["--tlsv1.0", "--tls-max", "1.0", "--ciphers", "DEFAULT:@SECLEVEL=0"]

        @Test("C55: curl with TLS 1.0 is not tested, and completes with the switch", .needs(.curl))
        func oldClient() async throws {
            let transcript = folder.path("run.jsonl")
            let closed = try await MutualRoute(stage, proxy: ["--transcript", transcript])
            let refused = try await closed.fetch(Self.oldCurl)
            // CURLE_SSL_CONNECT_ERROR.
            #expect(refused.code == .exit(35), "\(refused.complaint)")
            try await closed.end()
            let failures = try TranscriptLine.read(transcript).filter { $0.event == "failed" }
            #expect(failures.map { $0.text("code") } == ["clientOutdated"])
            #expect(failures.first?.text("detail") == "not tested: the client offers TLS 1.0 only")
            #expect(failures.first?.text("hint")?.contains("--legacy-client HOST") == true)

            let open = try await MutualRoute(stage, proxy: ["--legacy-client", MutualRoute.host])
            let fetched = try await open.fetch(Self.oldCurl)
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            // The other side is not touched by it.
            #expect(try fetched.seen.tlsVersion == "TLS 1.3")
            try await open.end()
        }

        /// A server of `openssl s_server` with an RSA certificate, and what a client gets from it.
        private func fetch(_ server: [String], _ proxy: [String]) async throws -> Curl.Outcome {
            let files = Stage.IdentityFiles(certificate: folder.path("rsa.pem"), key: folder.path("rsa.key"))
            if try folder.bytes("rsa.pem").isEmpty {
                let made = try await RealClient.openssl.run(
                    "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=\(MutualRoute.host)", "-newkey", "rsa:2048",
                    "-addext", "subjectAltName=DNS:\(MutualRoute.host)", "-keyout", files.key, "-out", files.certificate
                )
                try #require(made.ending == .exit(0), "\(made.errorText)")
            }
            let origin = try await OpenSSLServer(files, ["-www"] + server)
            let route = try await MutualRoute(
                stage, to: origin.port, proxy: ["--origin-ca", files.certificate] + proxy)
            let fetched = try await route.fetch()
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            try await route.end()
            origin.process.signal(SIGTERM)
            return fetched
        }

        @Test(
            "C55: an origin of TLS 1.0 or 1.1", .needs(.curl), .needs(.openssl),
            arguments: ["-tls1", "-tls1_1"])
        func oldOrigin(_ version: String) async throws {
            let server = [version, "-cipher", "DEFAULT@SECLEVEL=0"]
            let refused = try await fetch(server, [])
            #expect(refused.status == 502)
            for text in ["(originOutdated)", "--legacy-origin HOST"] {
                #expect(refused.text.contains(text), "\(refused.text)")
            }
            #expect(try await fetch(server, ["--legacy-origin", "*"]).status == 200)
        }

        @Test("C64: a DH group of 1024 bits", .needs(.curl), .needs(.openssl)) func smallGroup() async throws {
            let group = folder.path("dh.pem")
            let made = try await RealClient.openssl.run("dhparam", "-out", group, "1024")
            try #require(made.ending == .exit(0), "\(made.errorText)")
            let server = ["-tls1_2", "-dhparam", group, "-cipher"]
            let suite = "DHE-RSA-AES128-GCM-SHA256"
            let refused = try await fetch(server + ["\(suite):@SECLEVEL=0"], [])
            #expect(refused.status == 502)
            for text in ["dh key too small (0A00018A)", "(originOutdated)", "--legacy-origin HOST"] {
                #expect(refused.text.contains(text), "\(refused.text)")
            }
            let open = ["--legacy-origin", MutualRoute.host]
            #expect(try await fetch(server + ["\(suite):@SECLEVEL=0"], open).status == 200)
            // With another suite in common it simply works.
            let both = "\(suite):ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0"
            #expect(try await fetch(server + [both], []).status == 200)
        }
    }
}
