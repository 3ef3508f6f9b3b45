import Foundation
import Testing

extension EndToEnd {
    /// The file that everything downstream is computed from, after connections of every kind.
    @Suite struct TranscriptTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        /// The names of all events, from the headings of docs/events.md.
        private func documentedEvents() throws -> Set<String> {
            let document = try Repository.text("docs/events.md")
            let events = try #require(document.components(separatedBy: "\n## What `--json` prints").first)
            return Set(events.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) })
        }

        @Test(.needs(.curl)) func `every line is JSON, every event documented, every connection whole`() async throws {
            let path = folder.path("run.jsonl")
            let hosts = try (0..<4).map { _ in try stage.newHost() }
            let proxy = try await stage.startProxy(
                resolving: hosts,
                [
                    "--transcript", path, "--tunnel", hosts[1], "--refuse", hosts[2], "--workers", "2",
                    "--request-client-cert", hosts[0], "--max-connections", "3", "--silence-timeout", "0.05",
                ])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            #expect(try await curl.fetch("https://\(hosts[0])/", "--http2").status == 200)
            #expect(try await curl.fetch("https://\(hosts[0])/", "--http1.1", "--tls-max", "1.2").status == 200)
            #expect(try await curl.fetch("https://\(hosts[1])/").code == .exit(60))
            #expect(try await curl.fetch("https://\(hosts[2])/").connectStatus == 403)
            let distrusting = Curl(through: proxy.port, trusting: stage.publicCA)
            #expect(try await distrusting.fetch("https://\(hosts[3])/").code == .exit(60))
            #expect(try await curl.fetch("http://\(hosts[3])/").status == 501)
            // As many as are allowed, one of them in a silent tunnel; then none.
            let silent = try (0..<3).map { _ in try PlainConnection(to: proxy.port) }
            #expect(await silent[0].send("CONNECT \(hosts[1]):444 HTTP/1.1\r\n\r\n"))
            #expect(await silent[1].send("CONNECT \(hosts[0]):443 HTTP/1.1\r\n\r\n"))
            #expect(try await silent[1].receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            try await TranscriptLine.wait(for: "notTLS", in: path)
            for connection in silent { connection.finishSending() }
            for connection in silent { _ = try await connection.receive() }
            try await proxy.stop()

            #expect(try folder.mode("run.jsonl") == 0o600)
            let lines = try TranscriptLine.read(path)
            let documented = try documentedEvents()
            #expect(documented.count == 41)
            // What did not happen here: lost events, an origin that drops a hello, or one with half a chain, an experiment.
            #expect(
                Set(lines.map(\.event))
                    == documented.subtracting([
                        "gap", "withheldHTTP2", "issuerFetched", "framing", "commandStarted", "commandEnded",
                        "phase", "runContinued", "traffic", "head", "contentEnded", "headsStopped",
                        "data",
                    ]))

            let first = try #require(lines.first), last = try #require(lines.last)
            #expect(first.event == "runStarted")
            #expect(first.fields["listeners"] as? [String] == ["127.0.0.1:\(proxy.port)"])
            #expect(last.event == "runEnded")
            #expect(last.number("connections") == 9)
            #expect(last.number("lost") == 0)

            for number in 1...9 {
                let own = lines.filter { $0.connection == number }
                #expect(own.first?.event == "opened")
                #expect(own.last?.event == "closed")
                #expect(own.count { $0.event == "closed" } == 1)
                let times = own.compactMap { $0.number("t") }
                #expect(times == times.sorted())
                #expect(times.count == own.count)
            }
        }

        @Test(.needs(.curl), .needs(.jsonschema)) func `every recorded line is as the schema says`() async throws {
            let path = folder.path("run.jsonl")
            let hosts = try (0..<3).map { _ in try stage.newHost() }
            let proxy = try await stage.startProxy(
                resolving: hosts,
                ["--transcript", path, "--tunnel", hosts[1], "--request-client-cert", hosts[0], "--label", "schema"])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            #expect(try await curl.fetch("https://\(hosts[0])/", "--http2").status == 200)
            #expect(try await curl.fetch("https://\(hosts[0])/", "--http1.1", "--tls-max", "1.2").status == 200)
            #expect(try await curl.fetch("https://\(hosts[1])/").code == .exit(60))
            let distrusting = Curl(through: proxy.port, trusting: stage.publicCA)
            #expect(try await distrusting.fetch("https://\(hosts[2])/").code == .exit(60))
            #expect(try await curl.fetch("http://\(hosts[2])/").status == 501)
            try await proxy.stop()
            let lines = try folder.bytes("run.jsonl").split(separator: 0x0A).map { Array($0) }
            #expect(lines.count > 50)
            #expect(try await JSONSchema.complaints(about: lines, schema: "events.schema.json") == "")
        }

        /// The hello and both handshakes are there: as bytes on the wire, and message by message in the clear.
        @Test(.needs(.curl)) func `both handshakes are recorded in full`() async throws {
            let path = folder.path("run.jsonl")
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], ["--transcript", path])
            #expect(
                try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/").status == 200)
            try await proxy.stop()
            let lines = try TranscriptLine.read(path)
            let hello = try #require(lines.first { $0.event == "hello" })
            #expect(hello.text("serverName") == host)
            #expect(hello.fields["alpn"] as? [String] == ["h2", "http/1.1"])
            // OpenSSL under curl: TLS 1.3, a name, h2 first.
            #expect(hello.text("ja4")?.hasPrefix("t13d") == true)
            #expect(hello.text("ja3")?.count == 32)

            for side in ["client", "origin"] {
                let messages = lines.filter { $0.event == "message" && $0.text("side") == side }.map { $0.text("name") }
                #expect(
                    messages == [
                        "client_hello", "server_hello", "encrypted_extensions", "certificate", "certificate_verify",
                        "finished", "finished",
                    ], "\(side)")
                let wire = lines.filter { $0.event == "wire" && $0.text("side") == side }
                let bytes = Dictionary(grouping: wire) { $0.text("direction") }.mapValues { pieces in
                    pieces.compactMap { $0.text("bytes").flatMap { Data(base64Encoded: $0) } }.reduce(Data(), +)
                }
                // The first record of each direction is a handshake record (RFC 8446, 5.1).
                #expect(bytes["sent"]?.prefix(2) == Data([0x16, 0x03]), "\(side)")
                #expect(bytes["received"]?.prefix(2) == Data([0x16, 0x03]), "\(side)")
                let secured = lines.first { $0.event == "secured" && $0.text("side") == side }
                #expect(secured?.text("version.name") == "TLS 1.3")
                #expect(secured?.text("alpn") == "h2")
            }
        }
    }
}
