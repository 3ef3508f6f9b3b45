import Foundation
import Testing

extension EndToEnd {
    /// What other programs make of exports; tshark reads captures, and is given no key file.
    @Suite struct ExportTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        /// Runs requests of both versions of TLS and of HTTP through a proxy that records everything; how many were made.
        private func record() async throws -> Int {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(
                resolving: [host],
                [
                    "--transcript", folder.path("run.jsonl"), "--capture", "wire,heads", "--pcapng",
                    folder.path("live.pcapng"), "--keylog", folder.path("live.keys"),
                ])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            for version in ["1.2", "1.3"] {
                for http in ["--http1.1", "--http2"] {
                    #expect(
                        try await curl.fetch("https://\(host)/\(version)", http, "--tls-max", version).status == 200)
                }
            }
            let distrusting = Curl(through: proxy.port, trusting: stage.publicCA)
            #expect(try await distrusting.fetch("https://\(host)/").code == .exit(60))
            try await proxy.stop()
            return 4
        }

        private func export(_ format: String, to name: String) throws {
            let outcome = try Executable.run(
                "transcript", "export", "--format", format, folder.path("run.jsonl"), "--output", folder.path(name))
            #expect(outcome.code == 0 && outcome.error == "")
            #expect(try folder.mode(name) == 0o600)
        }

        private func tshark(_ file: String, _ arguments: String...) throws -> [Substring] {
            let outcome = try Executable.run(
                RealClient.tshark.url,
                ["-r", folder.path(file), "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"]
                    + Self.squatters.flatMap { ["--disable-protocol", $0] } + arguments,
                environment: ["HOME": folder.path("home")])
            try #require(outcome.code == 0, "\(outcome.error)")
            return outcome.text.split(separator: "\n")
        }

        /// Protocols for which tshark takes ports that the system gives to anyone (`tshark -G decodes`).
        private static let squatters = ["irc", "pcp", "pmproxy", "cbsp", "ams", "enip", "ecatf"]

        @Test(.needs(.curl), .needs(.tshark)) func `tshark decrypts both sessions and has nothing to remark`()
            async throws
        {
            let requests = try await record()
            try export("pcapng", to: "run.pcapng")
            for file in ["run.pcapng", "live.pcapng"] {
                // tshark remarks on the FIN of every connection; 0x400000 is a note, what is worse is larger.
                let remarks = try tshark(
                    file, "-Y", "_ws.expert.severity >= 4194304", "-T", "fields", "-e", "_ws.expert.message",
                    "-E", "occurrence=a")
                #expect(remarks.filter { !$0.contains("the connection closing") } == [])
                let asked = try tshark(
                    file, "-Y", "http.request.method == GET or http2.headers.method == GET", "-T", "fields", "-e",
                    "tcp.stream")
                #expect(asked.count == 2 * requests)
                #expect(Set(asked).count == 2 * requests)
                let answered = try tshark(
                    file, "-Y", "(http.response.code == 200 and http.content_type) or http2.headers.status == 200",
                    "-T",
                    "fields", "-e", "tcp.stream")
                #expect(Set(answered) == Set(asked))
            }
        }

        @Test(.needs(.curl)) func `archive and key log hold what was recorded`() async throws {
            let requests = try await record()
            try export("har", to: "run.har")
            let archive = try JSONSerialization.jsonObject(with: Data(try folder.bytes("run.har")))
            let log = try #require((archive as? [String: Any])?["log"] as? [String: Any])
            let entries = try #require(log["entries"] as? [[String: Any]])
            #expect(entries.count == requests)
            #expect(entries.allSatisfy { ($0["response"] as? [String: Any])?["status"] as? Int == 200 })
            try export("keylog", to: "run.keys")
            #expect(try folder.bytes("run.keys") == folder.bytes("live.keys"))
            // Certificates of the host, of both sessions.
            try export("pem", to: "run.pem")
            #expect(String(decoding: try folder.bytes("run.pem"), as: UTF8.self).contains("client side, 1 of"))
        }

        @Test func `what is not there is said`() throws {
            let start =
                #"{"t":0,"time":"2026-03-01T14:02:07.123456Z","connection":null,"event":"runStarted","formatVersion":1,"#
                + #""tool":"0.1.0","openssl":"3","listeners":[],"authorities":[],"label":null,"rotatesPhases":false}"#
                + "\n"
            let file = try folder.file("empty.jsonl", Array(start.utf8)).path
            for (format, remedy) in [
                ("har", "--capture heads"), ("keylog", "--capture wire"), ("pem", "intercepted"),
                ("pcapng", "intercepted"),
            ] {
                let outcome = try Executable.run(
                    "transcript", "export", "--format", format, file, "--output", folder.path("out"))
                #expect(outcome.code == 3)
                #expect(outcome.error.contains(remedy))
                #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
            }
            _ = try folder.file("out", [1])
            let occupied = try Executable.run(
                "transcript", "export", "--format", "har", file, "--output", folder.path("out"))
            #expect(occupied.code == 2 && occupied.error.contains("refusing to overwrite"))
            #expect(try Executable.run("transcript", "export", file).code == 2)
        }
    }
}
