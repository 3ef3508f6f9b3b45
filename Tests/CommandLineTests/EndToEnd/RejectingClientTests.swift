import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// How real clients accept and refuse a certificate, and that the transcript holds it exactly: what a verdict is made of.
    @Suite struct RejectingClientTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String
        private let proxy: Server

        init() async throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
            proxy = try await stage.startProxy(resolving: [host], ["--transcript", folder.path("run.jsonl")])
        }

        /// Ends the proxy and reads what it recorded.
        private func transcript() async throws -> [TranscriptLine] {
            try await proxy.stop()
            return try TranscriptLine.read(folder.path("run.jsonl"))
        }

        private func expectNothingGivenAway(_ lines: [TranscriptLine]) {
            #expect(!lines.contains { $0.event == "firstData" && $0.text("side") == "client" })
            #expect(lines.filter { $0.event == "closed" }.map { $0.number("clientBytes") } == [0])
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `curl without the CA sends unknown_ca`(tls: String) async throws {
            let fetched = try await Curl(through: proxy.port, trusting: stage.publicCA).fetch(
                "https://\(host)/", "--tls-max", tls)
            #expect(fetched.code == .exit(60))
            let lines = try await transcript()
            let alert = try #require(lines.first { $0.event == "alert" && $0.text("direction") == "received" })
            #expect(alert.text("side") == "client")
            #expect(alert.number("level") == 2)
            #expect(alert.number("code") == 48)
            #expect(alert.text("name") == "unknown_ca")
            let closed = try #require(lines.first { $0.event == "closed" })
            #expect(closed.text("by") == "client")
            #expect(closed.text("client.how") == "alert")
            #expect(closed.number("client.code") == 48)
            expectNothingGivenAway(lines)
        }

        /// curl compares the pin after the handshake, and then just leaves: C29's neighbour, and why an alert alone is no
        /// verdict.
        @Test(.needs(.curl)) func `curl with another pin closes without a word`() async throws {
            let pin = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/", "--pinnedpubkey", pin)
            #expect(fetched.code == .exit(90))
            let lines = try await transcript()
            #expect(lines.contains { $0.event == "secured" && $0.text("side") == "client" })
            let ended = try #require(lines.first { $0.event == "ended" && $0.text("side") == "client" })
            #expect(ended.text("end.how") == "closeNotify")
            #expect(ended.text("phase") == "relay")
            #expect(lines.first { $0.event == "closed" }?.text("client.how") == "closeNotify")
            expectNothingGivenAway(lines)
        }

        @Test(.needs(.gnutls)) func `GnuTLS with the CA accepts`() async throws {
            let client = try await GnuTLSClient.start(to: host, through: proxy.port, trusting: stage.proxyCA)
            _ = try await client.wait(for: "the handshake") { $0.outputText.contains("- Options:") ? $0 : nil }
            try client.write("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            let run = try await client.end()
            #expect(run.outputText.contains("Status: The certificate is trusted."))
            #expect(run.outputText.contains(#""serverName":"\#(host)""#))
            #expect(run.ending == .exit(0))
            let lines = try await transcript()
            #expect(lines.contains { $0.event == "firstData" && $0.text("side") == "client" })
        }

        @Test(.needs(.gnutls)) func `GnuTLS without the CA refuses`() async throws {
            let run = try await GnuTLSClient.start(
                to: host, through: proxy.port, trusting: stage.publicCA
            ).end()
            #expect(run.ending == .exit(1))
            #expect(run.outputText.contains("The certificate issuer is unknown"))
            let lines = try await transcript()
            let closed = try #require(lines.first { $0.event == "closed" })
            #expect(closed.text("by") == "client")
            #expect(closed.text("client.how") == "alert")
            #expect(closed.number("client.code") == 42)
            expectNothingGivenAway(lines)
        }

        @Test(.needs(.openssl)) func `the forged chain is the one in the transcript`() async throws {
            let shown = try await RealClient.openssl.run(
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(host):443", "-servername", host,
                "-CAfile", stage.proxyCA, "-verify_return_error", "-verify_hostname", host)
            #expect(shown.outputText.contains("Verify return code: 0 (ok)"))
            let leaf = try #require(try Certificate.pem(shown.output).first)
            let lines = try await transcript()
            let chain = lines.first { $0.event == "chain" && $0.text("side") == "client" }
            #expect(chain?.fields["digests"] as? [String] == [leaf.sha256.map { hexadecimal($0) }.joined()])
            let recorded = lines.first { $0.event == "certificate" && $0.text("digest") == chain?.firstDigest }
            #expect(recorded?.text("der").flatMap { Data(base64Encoded: $0) } == Data(leaf.der))
        }

        private func hexadecimal(_ octet: UInt8) -> String {
            let digits = String(octet, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
    }
}

extension TranscriptLine {
    fileprivate var firstDigest: String? { (fields["digests"] as? [String])?.first }
}
