import Foundation
import Testing

extension EndToEnd {
    /// `--answer`: the proxy answers in the place of an origin that nobody asks.
    @Suite struct AnswerTests {
        private let stage: Stage
        private let host: String

        init() throws {
            stage = try EndToEnd.stage
            host = try stage.newHost()
        }

        /// A port of loopback on which nobody listens.
        private func freePort() async throws -> Int {
            let origin = try await stage.startOrigin([])
            try await origin.stop()
            return origin.port
        }

        @Test("the page comes in the client's own protocol", .needs(.curl), arguments: ["1.1", "2"])
        func page(_ http: String) async throws {
            let proxy = try await stage.startProxy(resolving: [host], to: try await freePort(), ["--answer", host])
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/", "--http\(http)")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            #expect(fetched.httpVersion == http)
            #expect(fetched.text.contains("Pinproof answers for \(host)"))
            let record = try await proxy.connection(to: host)
            #expect(record.decision == "answer")
            #expect(record.answered == 200)
            #expect(record.failure == nil)
            try await proxy.stop()
        }

        @Test(
            "run: without an origin it still shows what validates and what does not, and calls nothing pinned",
            .needs(.curl), arguments: [("", "notPinned"), ("-k", "brokenValidation"), ("--cacert", "inconclusive")])
        func run(_ option: String, _ expected: String) async throws {
            let port = try await freePort()
            let words =
                ["curl", "-sS", "https://\(host)/"]
                + (option == "--cacert" ? [option, stage.publicCA] : option.isEmpty ? [] : [option])
            let progress = try await ChildProcess(
                Executable.url,
                [
                    "run", "--json", "-", "--refuse", "*", "--answer", host, "--resolve",
                    "\(host):443:127.0.0.1:\(port)", "--",
                ] + words
            ).end(within: .seconds(60))
            #expect(progress.outputText.contains("\"finding\":\"\(expected)\""), "\(progress.outputText)")
            #expect(progress.outputText.contains("\"baselineFailed\":false"))
            #expect(progress.ending == .exit(expected == "inconclusive" ? 3 : 0))
        }
    }
}
