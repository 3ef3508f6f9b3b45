import Crypto
import Foundation
import Testing
import Wire

extension EndToEnd {
    /// `pinproof proxy --phases` with clients that know nothing of phases.
    @Suite struct PhasesTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let pinned: String
        private let plain: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            pinned = try stage.newHost()
            plain = try stage.newHost()
        }

        private func start(_ options: String...) async throws -> Server {
            try await stage.startProxy(
                resolving: [pinned, plain],
                ["--phases", "--refuse", "*", "--intercept", pinned, "--intercept", plain] + options)
        }

        /// What a client trusts that was given the CA: that, and the public one.
        private func trust() throws -> String {
            let both = try [stage.publicCA, stage.proxyCA].map { try String(contentsOfFile: $0, encoding: .utf8) }
            return try folder.file("both.pem", Array(both.joined().utf8)).path
        }

        private func pin() throws -> String {
            let chain = try Certificate.pem(
                [UInt8](Data(contentsOf: URL(filePath: stage.originIdentity.certificate))))
            return "sha256//\(Base64.encode(try #require(chain.first).spkiSHA256))"
        }

        /// A line of JSON of which only some fields matter.
        private struct Line: Decodable {
            let record: String
            let host: String?
            let phase: String?
            let verdict: String?
            let finding: String?
            let label: String?
        }

        /// Fetches once from each host, as often as said, and waits until the proxy has said how each ended.
        private func use(_ proxy: Server, times: Int) async throws {
            let curl = Curl(through: proxy.port, trusting: try trust())
            let pin = try pin()
            for round in 1...times {
                _ = try await curl.fetch("https://\(pinned)/", "--pinnedpubkey", pin)
                _ = try await curl.fetch("https://\(plain)/")
                // Each connection is over, and counted, before the next begins.
                _ = try await proxy.connections(2 * round) { _ in true }
            }
        }

        private func end(_ proxy: Server) async throws -> (lines: [Line], ChildProcess.Progress) {
            proxy.process.signal(SIGINT)
            let progress = try await proxy.process.end()
            return (
                try progress.lines.dropFirst().map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) },
                progress
            )
        }

        @Test("phases rotate over the connections of each host until its finding is firm", .needs(.curl))
        func rotation() async throws {
            let proxy = try await start("--label", "build 7", "--transcript", folder.path("run.jsonl"))
            try await use(proxy, times: 6)
            let (lines, progress) = try await end(proxy)
            let phases = { (host: String) in
                lines.filter { $0.record == "connection" && $0.host == host }.map {
                    "\($0.phase ?? "-") \($0.verdict ?? "-")"
                }
            }
            // curl alerts to an unknown CA, and closes after the handshake if only the pin is wrong: twice, to be firm.
            #expect(
                phases(pinned) == [
                    "baseline notTested", "untrusted rejected", "trusted abandoned", "trusted abandoned",
                    "baseline notTested", "baseline notTested",
                ])
            #expect(
                phases(plain) == [
                    "baseline notTested", "untrusted rejected", "trusted accepted", "baseline notTested",
                    "baseline notTested", "baseline notTested",
                ])
            let findings = lines.filter { $0.record == "finding" }.map { "\($0.host ?? "-") \($0.finding ?? "-")" }
            #expect(findings == ["\(pinned) pinned", "\(plain) notPinned"], "\(progress.errorText)")
            #expect(lines.last?.label == "build 7")
            #expect(progress.ending == .exit(0))
            let first = try #require(try TranscriptLine.read(folder.path("run.jsonl")).first)
            #expect(first.fields["label"] as? String == "build 7")
            #expect(first.fields["rotatesPhases"] as? Bool == true)
        }

        @Test("a client that takes anything is found out, and what was expected decides the exit code", .needs(.curl))
        func broken() async throws {
            let expected = try folder.file("expected.txt", Array("pinned \(pinned)\nunpinned \(plain)\n".utf8)).path
            let proxy = try await start("--expect", expected, "--junit", folder.path("report.xml"))
            let curl = Curl(through: proxy.port, trusting: try trust())
            for round in 1...4 {
                _ = try await curl.fetch("https://\(plain)/", "-k")
                _ = try await proxy.connections(round) { _ in true }
            }
            let (lines, progress) = try await end(proxy)
            let findings = lines.filter { $0.record == "finding" }.map { "\($0.host ?? "-") \($0.finding ?? "-")" }
            #expect(findings == ["\(plain) brokenValidation"])
            // The pinned host was never asked for, which is no pass; the other one differs, which is worse.
            #expect(progress.ending == .exit(1))
            #expect(try String(contentsOfFile: folder.path("report.xml"), encoding: .utf8).contains("<failure"))
        }

        @Test("a host of which nothing was asked proves nothing")
        func nothing() async throws {
            let (_, progress) = try await end(try await start())
            #expect(progress.ending == .exit(3))
        }

        @Test("a client that keeps its connection open is given another", .needs(.curl))
        func keptOpen() async throws {
            // Only for their evidence: a connection that says nothing for as long is ended.
            let proxy = try await start("--idle-timeout", "0.3")
            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(plain):443 HTTP/1.1\r\n\r\n"))
            #expect(try await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            #expect(try await connection.receive() == "")
            let record = try await proxy.connection(to: plain)
            #expect(record.failure?.code == "timeout")
            _ = try await end(proxy)
        }

        @Test("on a terminal every host's state is kept up to date in place", .needs(.curl))
        func terminal() async throws {
            let output = folder.path("screen")
            let arguments = [
                Executable.url.path, "proxy", "--state", stage.folder.path("proxy"), "--origin-ca", stage.publicCA,
                "--port", "0", "--phases", "--refuse", "*", "--intercept", plain, "--resolve",
                "\(plain):443:127.0.0.1:\(stage.origin.port)",
            ]
            let command = arguments.map { "'\($0)'" }.joined(separator: " ")
            let process = try ChildProcess(
                URL(filePath: "/usr/bin/script"), ["-qefc", "stty cols 120 rows 30; exec \(command)", output],
                input: .test)
            let port = try await process.wait(for: "the port") { progress in
                progress.outputText.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
            }
            let curl = Curl(through: port, trusting: try trust())
            for _ in 1...3 { _ = try await curl.fetch("https://\(plain)/") }
            _ = try await process.wait(for: "the finding") { progress in
                progress.outputText.contains("Every finding is firm.") ? true : nil
            }
            // The terminal's Ctrl-C.
            try process.write("\u{03}")
            let text = try await process.end().outputText
            // The table was written again over itself, and the report stands where it was.
            #expect(text.contains(/\e\[\d+A\e\[J/))
            #expect(text.contains("not pinned"))
            #expect(text.contains("\(plain) (client "))
        }
    }
}
