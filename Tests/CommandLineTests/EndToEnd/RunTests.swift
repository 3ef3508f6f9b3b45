import Crypto
import Foundation
import FoundationXML
import Testing
import Wire

extension EndToEnd {
    /// `pinproof run` with real clients in the forms that matter: pinned, validating, accepting anything.
    @Suite struct RunTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let api: String
        private let plain: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            api = try stage.newHost()
            plain = try stage.newHost()
        }

        /// A line of `--json`.
        private struct Line: Decodable {
            let record: String
            let host: String?
            let finding: String?
            let reason: String?
            let trustShownBy: String?
            let baselineFailed: Bool?
            let interrupted: Bool?
            let exitCode: Int32?
        }

        /// Starts it for the two hosts of this test; no other is served.
        private func start(_ options: [String], _ command: [String]) throws -> ChildProcess {
            let hosts = [api, plain].flatMap {
                ["--resolve", "\($0):443:127.0.0.1:\(stage.origin.port)", "--intercept", $0]
            }
            return try ChildProcess(
                Executable.url,
                ["run", "--origin-ca", stage.publicCA, "--refuse", "*", "--json", "-"] + hosts + options + ["--"]
                    + command, environment: ["TMPDIR": folder.path])
        }

        private func run(_ options: [String] = [], _ command: String...) async throws -> (
            lines: [Line], progress: ChildProcess.Progress
        ) {
            let progress = try await start(options, command).end(within: .seconds(120))
            let lines = try progress.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            return (lines, progress)
        }

        private func findings(_ lines: [Line]) -> [String: String] {
            Dictionary(
                lines.filter { $0.record == "finding" }.map { line in
                    (line.host ?? "-", [line.finding ?? "-", line.reason].compactMap { $0 }.joined(separator: " "))
                }, uniquingKeysWith: { $0 + ", " + $1 })
        }

        /// The pin of the stage's origin as curl wants it.
        private func pin() throws -> String {
            let chain = try Certificate.pem(
                [UInt8](Data(contentsOf: URL(filePath: stage.originIdentity.certificate))))
            return "sha256//\(Base64.encode(try #require(chain.first).spkiSHA256))"
        }

        @Test("curl as it is validates, and no more", .needs(.curl), arguments: ["--tls-max 1.2", "--tlsv1.3"])
        func plainCurl(_ version: String) async throws {
            let (lines, progress) = try await run([], "sh", "-c", "curl -sS \(version) https://\(api)/")
            #expect(findings(lines) == [api: "notPinned"], "\(progress.errorText)")
            #expect(progress.ending == .exit(0))
            #expect(progress.errorText.contains("untrusted, run 2 of 2: exit 60"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }

        @Test("curl -k takes anything", .needs(.curl), arguments: ["--tls-max 1.2", "--tlsv1.3"])
        func insecureCurl(_ version: String) async throws {
            let (lines, _) = try await run([], "sh", "-c", "curl -ksS \(version) https://\(api)/")
            #expect(findings(lines) == [api: "brokenValidation"])
        }

        @Test(
            "curl --pinnedpubkey is pinned: beside an unpinned host, and alone by its two kinds of refusal",
            .needs(.curl), arguments: [true, false])
        func pinnedCurl(_ isAlone: Bool) async throws {
            let pinned = "curl -sS --pinnedpubkey \(try pin()) https://\(api)/"
            let (lines, progress) = try await run(
                [], "sh", "-c", isAlone ? pinned : "\(pinned); curl -sS https://\(plain)/")
            let expected = isAlone ? [api: "pinned"] : [api: "pinned", plain: "notPinned"]
            #expect(findings(lines) == expected, "\(progress.errorText)")
            let trust = lines.first { $0.host == api }?.trustShownBy
            #expect(
                isAlone
                    ? trust == "it refuses the two in different ways"
                    : trust?.hasPrefix("it accepted it at \(plain)") == true, "\(trust ?? "-")")
        }

        @Test("Python's ssl: validating, and accepting anything", .needs(.python), arguments: [true, false])
        func python(_ validates: Bool) async throws {
            let context = validates ? "create_default_context" : "_create_unverified_context"
            let script =
                "import ssl, urllib.request as r; r.urlopen('https://\(api)/', context=ssl.\(context)()).read()"
            let (lines, progress) = try await run([], RealClient.python.rawValue, "-c", script)
            #expect(
                findings(lines) == [api: validates ? "notPinned" : "brokenValidation"], "\(progress.errorText)")
        }

        @Test(
            "Python with a pin that fails as an unknown CA does: undecided alone, pinned with a control",
            .needs(.python), arguments: ["", "control", "url"])
        func pinnedPython(_ way: String) async throws {
            // A context that trusts the public CA alone refuses the CA that it was given as it does any other.
            let fetch = "import ssl, urllib.request as r; r.urlopen('https://HOST/', context=CONTEXT).read()"
            let own = fetch.replacing("HOST", with: api)
                .replacing("CONTEXT", with: "ssl.create_default_context(cafile='\(stage.publicCA)')")
            let ordinary = fetch.replacing("HOST", with: plain)
                .replacing("CONTEXT", with: "ssl.create_default_context()")
            let python = RealClient.python.rawValue
            let options =
                switch way {
                case "control": ["--control", "\(python) -c \"\(ordinary)\""]
                case "url": ["--control-url", "https://\(plain)/"]
                default: [String]()
                }
            let script = "\(python) -c \"\(own)\"" + (way == "url" ? "; \(python) -c \"\(ordinary)\"" : "")
            let (lines, progress) = try await run(options, "sh", "-c", script)
            let found = findings(lines)[api]
            #expect(found == (way.isEmpty ? "inconclusive trustNotShown" : "pinned"), "\(progress.errorText)")
            #expect(progress.ending == .exit(way.isEmpty ? 3 : 0))
        }

        @Test("a client that greets in HTTP/2 before it looks at its pin has asked for nothing", .needs(.python))
        func pinAfterPreface() async throws {
            let chain = try Certificate.pem(
                [UInt8](Data(contentsOf: URL(filePath: stage.originIdentity.certificate))))
            // Preface and SETTINGS; then the end, or a request of static HPACK entries (RFC 9113, RFC 7541).
            let script = """
                import hashlib, os, socket, ssl, sys
                host = "\(api)"
                address, port = os.environ["PINPROOF_PROXY"][7:].split(":")
                s = socket.create_connection((address, int(port)))
                s.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\n\\r\\n".encode())
                while b"\\r\\n\\r\\n" not in s.recv(4096): pass
                context = ssl.create_default_context()
                context.set_alpn_protocols(["h2"])
                t = context.wrap_socket(s, server_hostname=host)
                t.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                if hashlib.sha256(t.getpeercert(True)).hexdigest() != "\(Hex.encode(try #require(chain.first).sha256))":
                    t.close()
                    sys.exit("the pin does not match")
                head = bytes([0x82, 0x84, 0x87, 0x41, len(host)]) + host.encode()
                t.sendall(bytes([0, 0, len(head), 1, 5, 0, 0, 0, 1]) + head)
                answer = b""
                while b"alpn" not in answer: answer += t.recv(4096)
                """
            let (lines, progress) = try await run([], RealClient.python.rawValue, "-c", script)
            #expect(findings(lines) == [api: "pinned"], "\(progress.errorText)")
        }

        @Test("what is expected decides the exit code", .needs(.curl))
        func expectations() async throws {
            let right = try folder.file("right.txt", Array("# this build\nunpinned \(api)\n".utf8)).path
            let wrong = try folder.file("wrong.txt", Array("pinned \(api)\n".utf8)).path
            let more = try folder.file("more.txt", Array("unpinned \(api)\npinned \(plain)\n".utf8)).path
            let broken = try folder.file("broken.txt", Array("pined \(api)\n".utf8)).path
            for (options, code) in [
                (["--expect", right], 0), (["--expect", wrong], 1), (["--default", "pinned"], 1),
                (["--expect", more], 3), (["--expect", broken], 2), (["--only", plain], 3),
            ] {
                let (_, progress) = try await run(options, "curl", "-sS", "https://\(api)/")
                #expect(progress.ending == .exit(Int32(code)), "\(options) \(progress.errorText)")
            }
        }

        @Test("the findings in files: JUnit's XML, and nothing is overwritten", .needs(.curl))
        func files() async throws {
            let path = folder.path("report.xml")
            let options = ["--default", "pinned", "--junit", path]
            let (_, progress) = try await run(options, "curl", "-sS", "https://\(api)/")
            #expect(progress.ending == .exit(1))
            let document = try XMLDocument(contentsOf: URL(filePath: path))
            let failures = try document.nodes(forXPath: "/testsuite[@failures='1']/testcase/failure")
            #expect(failures.count == 1)
            let (_, again) = try await run(options, "curl", "-sS", "https://\(api)/")
            #expect(again.ending == .exit(2))
            #expect(
                again.errorText == "pinproof: refusing to overwrite: \(path); remove it first, or choose another name\n"
            )
        }

        @Test(
            "Java goes through the proxy and trusts what it is given: pinned by its own trust store, or not",
            .needs(.java), .needs(.javac), arguments: [true, false])
        func java(_ isPinned: Bool) async throws {
            let source = """
                import java.net.*;
                public class Client {
                    public static void main(String[] hosts) throws Exception {
                        new URL("https://\(api)/").openConnection().getInputStream().readAllBytes();
                    }
                }
                """
            let program = try folder.file("Client.java", Array(source.utf8)).path
            // A trust store with the public CA alone, which wins over that of the environment.
            let store = folder.path("own.p12")
            let anchors = try Certificate.pem([UInt8](Data(contentsOf: URL(filePath: stage.publicCA))))
            try Data(
                PKCS12Writer.javaTrustStore([("own", try #require(anchors.first))], password: Array("changeit".utf8))
            )
            .write(to: URL(filePath: store))
            let own = isPinned ? ["-Djavax.net.ssl.trustStore=\(store)"] : []
            let progress = try await start(["--repeat", "1"], [RealClient.java.rawValue] + own + [program]).end(
                within: .seconds(120))
            let lines = try progress.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            // Java refuses an unknown CA with alert 46 however it came to be unknown.
            #expect(
                findings(lines) == [api: isPinned ? "inconclusive trustNotShown" : "notPinned"],
                "\(progress.errorText)")
        }

        @Test("a command that fails in the baseline proves nothing, and says what it says")
        func failing() async throws {
            let (lines, progress) = try await run([], "sh", "-c", "echo it is broken >&2; exit 4")
            #expect(lines.map(\.record) == ["experiment"])
            #expect(lines.first?.baselineFailed == true)
            #expect(progress.ending == .exit(3))
            #expect(progress.errorText.contains("the command fails without interception too"))
            #expect(progress.errorText.contains("    it is broken\n"))
            #expect(progress.errorText.contains("trusted, run 2 of 2: exit 4"))
        }

        @Test("a command that is not there is an error of usage")
        func missing() async throws {
            let (_, progress) = try await run([], "pinproof-no-such-program")
            #expect(progress.ending == .exit(2))
            #expect(progress.outputText == "")
            #expect(progress.errorText.contains("cannot start pinproof-no-such-program: No such file or directory"))
        }

        @Test(
            "a client that hangs after the handshake does not refuse when it is ended", .needs(.openssl), .needs(.curl))
        func hanging() async throws {
            // It works without us; then it says nothing over TLS, as long as it is let.
            let script =
                "test $PINPROOF_PHASE = baseline && exec curl -sS https://\(api)/; sleep 60 | openssl s_client -quiet -proxy ${PINPROOF_PROXY#http://} -connect \(api):443 "
                + "-servername \(api) -verify_return_error"
            let (lines, progress) = try await run(["--timeout", "0.7"], "sh", "-c", script)
            #expect(progress.errorText.contains("trusted, run 2 of 2: ended by us when its time was up"))
            #expect(findings(lines) == [api: "inconclusive onlyIdle"], "\(progress.errorText)")
            #expect(progress.ending == .exit(3))
        }

        @Test("children that are left behind end with the run, and their output is kept apart", .needs(.curl))
        func children() async throws {
            let outputs = folder.path("outputs")
            let (lines, _) = try await run(
                ["--repeat", "1", "--output", outputs], "sh", "-c",
                "sleep 600 & echo $!; curl -sS -o /dev/null https://\(api)/")
            #expect(findings(lines) == [api: "notPinned"])
            for phase in ["baseline", "untrusted", "trusted"] {
                let text = try String(contentsOfFile: "\(outputs)/\(phase)-1.out", encoding: .utf8)
                let child = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
                let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
                #expect(status == nil || status?.contains(") Z ") == true, "\(phase) \(status ?? "")")
            }
            let complaint = try String(contentsOfFile: "\(outputs)/untrusted-1.err", encoding: .utf8)
            #expect(complaint.contains("curl: (60)"))
        }

        @Test("Ctrl-C ends the command, says so, and decides nothing")
        func interrupted() async throws {
            let marker = folder.path("started")
            let process = try start([], ["sh", "-c", "echo $$ > \(marker).new; mv \(marker).new \(marker); sleep 600"])
            let command = try await marked(marker)
            process.signal(SIGINT)
            let progress = try await process.end()
            #expect(progress.ending == .exit(3))
            #expect(progress.errorText.contains("baseline, run 1 of 2: interrupted"))
            #expect(progress.errorText.contains("interrupted: what was not run is not reported on"))
            #expect(progress.outputText.contains("\"interrupted\":true"))
            #expect(kill(command, 0) != 0)
        }

        /// Waits for the file in which a command says its id.
        private func marked(_ path: String) async throws -> pid_t {
            let waiting = try ChildProcess(
                URL(filePath: "/bin/sh"), ["-c", "while ! cat \(path) 2>/dev/null; do sleep 0.02; done"])
            let said = try await waiting.end().outputText
            return try #require(pid_t(said.trimmingCharacters(in: .newlines)))
        }

        @Test("the transcript says which connection belongs to which phase", .needs(.curl))
        func transcript() async throws {
            let path = folder.path("run.jsonl")
            _ = try await run(["--transcript", path, "--repeat", "1"], "curl", "-sS", "https://\(api)/")
            let lines = try TranscriptLine.read(path)
            let order = lines.filter { ["commandStarted", "opened", "commandEnded"].contains($0.event) }
            #expect(
                order.map { $0.text("phase") ?? $0.event } == [
                    "baseline", "opened", "commandEnded", "untrusted", "opened", "commandEnded", "trusted", "opened",
                    "commandEnded",
                ])
            let ended = lines.filter { $0.event == "commandEnded" }
            #expect(ended.map { $0.number("number") } == [0, 60, 0])
            #expect(lines.last?.event == "runEnded")
        }
    }
}
