import Foundation
import Testing

extension EndToEnd {
    /// The per-host rules, and what the proxy never does.
    @Suite struct RuleTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test(.needs(.curl), .needs(.openssl)) func `a tunnelled host shows its own certificate`() async throws {
            let (tunnelled, other) = (try stage.newHost(), try stage.newHost())
            let proxy = try await stage.startProxy(
                resolving: [tunnelled, other],
                ["--tunnel", tunnelled, "--transcript", stage.folder.path("tunnel.jsonl")])
            // The client knows the origin's CA only, or only the proxy's.
            let fetched = try await Curl(through: proxy.port, trusting: stage.publicCA).fetch("https://\(tunnelled)/")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.httpVersion == "2")
            let distrusting = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(tunnelled)/")
            #expect(distrusting.code == .exit(60))
            let intercepted = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(other)/")
            #expect(intercepted.code == .exit(0), "\(intercepted.complaint)")

            let records = try await proxy.connections(2) { $0.host == tunnelled }
            #expect(records.allSatisfy { $0.decision == "tunnel" && $0.rule == "--tunnel \(tunnelled)" })
            #expect(records.allSatisfy { $0.clientSession == nil && $0.failure == nil })
            #expect(records.allSatisfy { $0.closed.clientBytes > 0 && $0.closed.originBytes > 0 })
            let shown = try await RealClient.openssl.run(
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(tunnelled):443", "-showcerts")
            #expect(shown.outputText.contains("issuer=O = Public, CN = Public TEST ONLY CA"))
            try await proxy.stop()

            // Nothing is taken apart that is not intercepted.
            let tunnelEvents = try TranscriptLine.read(stage.folder.path("tunnel.jsonl")).filter { line in
                line.connection == records[0].connection
            }
            #expect(
                tunnelEvents.map(\.event) == [
                    "opened", "requested", "decided", "connected", "firstData", "firstData", "ended", "ended",
                    "verdict",
                    "closed",
                ])
        }

        @Test(.needs(.curl)) func `a refused host gets 403 with the rule that refuses it`() async throws {
            let (refused, allowed) = (try stage.newHost(), try stage.newHost())
            let proxy = try await stage.startProxy(
                resolving: [refused, allowed], ["--refuse", "*", "--tunnel", "\(allowed):443"])
            let curl = Curl(through: proxy.port, trusting: stage.publicCA)
            let fetched = try await curl.fetch("https://\(refused)/")
            #expect(fetched.code == .exit(56))
            #expect(fetched.connectStatus == 403)
            let answer = try await connect(proxy, "\(refused):443")
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
            #expect(answer.contains("\r\n\r\npinproof: \(refused):443 is refused by --refuse *\nTo mend it: "))
            let record = try await proxy.connections(2) { $0.host == refused }[0]
            #expect(record.decision == "refuse")
            #expect(record.rule == "--refuse *")
            #expect(record.answered == 403)
            #expect(record.failure?.code == "refusedByRule")
            #expect(record.closed.clientBytes == 0)

            // The most specific rule wins, whatever the order.
            #expect(try await curl.fetch("https://\(allowed)/").status == 200)
            #expect(try await curl.fetch("https://\(allowed):444/").connectStatus == 403)
            try await proxy.stop()
        }

        @Test(.needs(.curl)) func `resolve overrides the address, with a port or for all of them`() async throws {
            let (one, all) = (try stage.newHost(), try stage.newHost())
            let proxy = try await stage.startProxy(
                resolving: [one],
                ["--resolve", "\(all):127.0.0.1", "--resolve", "\(all):8:127.0.0.1:\(stage.origin.port)"])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            for url in ["https://\(one)/", "https://\(all):\(stage.origin.port)/", "https://\(all):8/"] {
                let fetched = try await curl.fetch(url)
                #expect(fetched.status == 200, "\(url): \(fetched.complaint)")
            }
            try await proxy.stop()
        }

        @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST.", "[::ffff:127.0.0.1]", "0.0.0.0", "own.pinproof.test"])
        func `the proxy does not connect to itself`(host: String) async throws {
            let proxy = try await stage.startProxy(
                resolving: [], ["--resolve", "own.pinproof.test:127.0.0.1"])
            let answer = try await connect(proxy, "\(host):\(proxy.port)")
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"), "\(answer)")
            #expect(answer.contains(" is this proxy itself\n"))
            let record = try await proxy.connections { $0.answered == 403 }[0]
            #expect(record.failure?.code == "ownListener")
            #expect(record.failure?.party == "client")
            // One connection came in: the client's.
            let summary = try await proxy.stop()
            #expect(try #require(summary.lines.last).hasPrefix(#"{"record":"run","connections":1,"#))
        }

        private func connect(_ proxy: Server, _ target: String) async throws -> String {
            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n"))
            return try await connection.receive()
        }
    }
}
