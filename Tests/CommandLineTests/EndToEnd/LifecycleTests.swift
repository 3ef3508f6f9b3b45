import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// How `pinproof proxy` starts, ends, and what keeps it from starting.
    @Suite struct LifecycleTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        /// A download that is under way, slow enough to be met in the middle, and never silent for long.
        private func slowDownload(_ size: String, through port: Int, host: String) async throws -> ChildProcess {
            let download = try Curl(through: port, trusting: stage.proxyCA).start(
                "https://\(host)/bytes/\(size)", ["--http1.1", "--limit-rate", "2M"])
            _ = try await download.wait(for: "the first bytes") { $0.output.isEmpty ? nil : true }
            return download
        }

        @Test(.needs(.curl), arguments: [SIGINT, SIGTERM, SIGHUP])
        func `a signal lets open connections finish, then the summary follows`(signal: Int32) async throws {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], ["--drain-timeout", "60"])
            let download = try await slowDownload("3M", through: proxy.port, host: host)
            let silent = try PlainConnection(to: proxy.port)
            proxy.process.signal(signal)
            // Who has said nothing yet is let go at once.
            #expect(try await silent.receive() == "")
            silent.finishSending()
            let finished = try await download.end()
            #expect(finished.ending == .exit(0), "\(finished.errorText)")
            #expect(finished.output.count == 3 << 20)

            let run = try await proxy.process.end()
            #expect(run.ending == .exit(0))
            #expect(run.errorText == "")
            let summary = run.lines.suffix(3)
            let records = try summary.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(records.map { $0["record"] as? String } == ["host", "host", "run"])
            let line = try #require(records.first { $0["host"] as? String == host })
            #expect(line["connections"] as? Int == 1)
            #expect(line["clientHandshakes"] as? Int == 1)
            #expect(line["originBytes"] as? Int ?? 0 > 3 << 20)
            #expect(records.last?["connections"] as? Int == 2)
            #expect(records.last?["open"] as? Int == 0)
        }

        /// A proxy that prints for people, and its port.
        private func startLive(_ host: String, _ options: [String] = []) async throws -> (ChildProcess, port: Int) {
            let process = try ChildProcess(
                Executable.url,
                authority + [
                    "--port", "0", "--origin-ca", stage.publicCA, "--resolve",
                    "\(host):443:127.0.0.1:\(stage.origin.port)",
                ] + options)
            let port = try await process.wait(for: "the port") { progress in
                progress.lines.first?.prefixMatch(of: /pinproof proxy on 127\.0\.0\.1:([0-9]+);/).flatMap { Int($0.1) }
            }
            return (process, port)
        }

        /// A terminal that was stopped, a pager that waits: the transcript must not wait for whoever reads the output.
        @Test func `an output that nobody reads does not keep it from ending`() async throws {
            let (pipe, transcript) = (folder.path("pipe"), folder.path("run.jsonl"))
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            defer { close(reader) }
            // What a pipe holds, but for the first line and a bit.
            let filled = [UInt8](repeating: 0, count: 65_000)
            #expect(write(reader, filled, filled.count) == filled.count)
            let options = (authority + ["--port", "0", "--transcript", transcript]).joined(separator: "' '")
            let proxy = try ChildProcess(
                URL(filePath: "/bin/sh"), ["-c", "exec '\(Executable.url.path)' '\(options)' > '\(pipe)'"])
            try await TranscriptLine.wait(for: "runStarted", in: transcript)
            let text = try String(contentsOfFile: transcript, encoding: .utf8)
            let port = try #require(text.firstMatch(of: /127\.0\.0\.1:([0-9]+)"/).flatMap { Int($0.1) })
            for _ in 0..<10 {
                let connection = try PlainConnection(to: port)
                #expect(await connection.send("GET / HTTP/1.1\r\n\r\n"))
                #expect(try await connection.receive().hasPrefix("HTTP/1.1 400 "))
            }
            proxy.signal(SIGINT)
            let run = try await proxy.end()
            #expect(run.ending == .exit(3))
            #expect(run.errorText.contains("the output is not read"))
            #expect(try TranscriptLine.read(transcript).last?.event == "runEnded")
        }

        @Test(.needs(.curl)) func `a second signal ends at once`() async throws {
            let host = try stage.newHost()
            let (process, port) = try await startLive(host, ["--drain-timeout", "600"])
            let download = try await slowDownload("1G", through: port, host: host)
            process.signal(SIGINT)
            _ = try await process.wait(for: "the first signal to be understood") { progress in
                progress.errorText == "pinproof: finishing; once more to end at once\n" ? true : nil
            }
            process.signal(SIGINT)
            // Long before the download would end by curl's own limit.
            let run = try await process.end(within: .seconds(25))
            #expect(run.ending == .exit(0))
            #expect(run.outputText.contains(host))
            #expect(try await download.end().ending != .exit(0))
        }

        @Test(.needs(.curl)) func `the live view is a line per connection and a table at the end`() async throws {
            let host = try stage.newHost()
            let (process, port) = try await startLive(host)
            let fetched = try await Curl(through: port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            let line = try await process.wait(for: "the line") { $0.lines.dropFirst().first }
            #expect(line.contains("  #1  intercept  \(host):443  TLS 1.3 h2 | accepted: "))
            process.signal(SIGINT)
            let run = try await process.end()
            #expect(run.ending == .exit(0))
            #expect(run.errorText == "pinproof: finishing; once more to end at once\n")
            #expect(run.lines.dropFirst(2).contains { $0.contains(host) })
        }

        /// Runs `pinproof proxy` with what must keep it from starting: exit code 2, one line, nothing on standard output.
        private func complaint(_ options: [String]) async throws -> String {
            let run = try await ChildProcess(Executable.url, options + ["--json"]).end()
            #expect(run.ending == .exit(2))
            #expect(run.outputText == "")
            #expect(run.errorText.hasPrefix("pinproof: "))
            #expect(run.errorText.hasSuffix("\n"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
            return run.errorText
        }

        private var authority: [String] { ["proxy", "--state", stage.folder.path("proxy")] }

        @Test func `a port in use is an error in one line`() async throws {
            let text = try await complaint(authority + ["--port", "\(stage.proxy.port)"])
            #expect(text.contains("127.0.0.1:\(stage.proxy.port)"))
            #expect(text.contains("Address already in use"))
            #expect(text.contains("choose another port with --port, or 0 for any free one"))
        }

        @Test func `a key that others can read is refused`() async throws {
            let key = try folder.file("open.key", try stage.folder.bytes("proxy/ca.key")).path
            for mode in [0o644, 0o640, 0o604] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
                let text = try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", key])
                #expect(text.contains(key))
                #expect(text.contains("chmod 600"))
            }
        }

        @Test func `a key that is not there or no key is named`() async throws {
            let absent = folder.path("absent.key")
            #expect(try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", absent]).contains(absent))
            let noise = try folder.privateFile("noise.key", Array("not a key\n".utf8))
            #expect(
                try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", noise]).contains(
                    "\(noise) holds no private key in PEM"))
            let empty = try folder.privateFile("empty.key", [])
            #expect(try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", empty]).contains(empty))
            #expect(try await complaint(["proxy", "--ca", stage.proxyCA]).contains("--ca-key"))
        }

        @Test(.enabled(if: geteuid() != 0, "root can read everything"))
        func `a key that may not be read is named`() async throws {
            let key = try folder.privateFile("locked.key", try stage.folder.bytes("proxy/ca.key"))
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: key)
            let text = try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", key])
            #expect(text.contains("\(key)"))
            #expect(text.contains("Permission denied"))
        }

        /// At the start, with both files and both fingerprints; never at the first handshake.
        @Test func `C39: a key of another CA is named with both files`() async throws {
            let made = try await ChildProcess(
                Executable.url, ["ca", "init", "--state", folder.path("other")]
            ).end()
            #expect(made.ending == .exit(0))
            let text = try await complaint(["proxy", "--ca", stage.proxyCA, "--ca-key", folder.path("other/ca.key")])
            #expect(text.contains(stage.proxyCA))
            #expect(text.contains(folder.path("other/ca.key")))
            #expect(text.matches(of: /[0-9a-f]{64}/).count == 2)
        }

        @Test func `no CA at all is told with the command that makes one`() async throws {
            let text = try await complaint(["proxy", "--state", folder.path("none")])
            #expect(text.contains("pinproof ca init --state \(folder.path("none"))"))
        }

        @Test func `a transcript that cannot be written keeps it from starting`() async throws {
            let text = try await complaint(
                authority + ["--port", "0", "--transcript", folder.path("none/run.jsonl")])
            #expect(text.contains(folder.path("none/run.jsonl")))
            #expect(text.contains("No such file or directory"))
        }

        @Test func `an unknown option in the file is named with its line and the nearest name`() async throws {
            let file = try folder.file("pinproof.conf", Array("# mine\nport 0\n\ntunel *.example.com\n".utf8)).path
            #expect(
                try await complaint(authority + ["--config", file])
                    == "pinproof: unknown option: \(file):4: tunel; did you mean tunnel?\n")
        }
    }
}
