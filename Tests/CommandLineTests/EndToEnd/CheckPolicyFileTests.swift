import Crypto
import Foundation
import Testing
import Wire

extension EndToEnd {
    /// `pinproof check POLICY`: apps' own configurations against `pinproof origin`, on each way.
    @Suite struct CheckPolicyFileTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String
        /// The Base64 of the origin's SHA-256 of the key, and one of nobody's.
        private let pin: String
        private let stranger = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
            let leaf = try Certificate.pem([UInt8](Data(contentsOf: URL(filePath: stage.originIdentity.certificate))))
            pin = Base64.encode(Digest.sha256(try #require(leaf.first).spki))
        }

        private func check(_ arguments: [String]) async throws -> (ChildProcess.Ending?, [String: Any], [UInt8]) {
            let run = try await ChildProcess(Executable.url, ["check", "--json"] + arguments).end()
            #expect(run.errorText == "")
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            return (run.ending, try #require(report), run.output)
        }

        private var direct: [String] {
            [
                "--url", "https://\(host)/", "--resolve", "\(host):443:127.0.0.1:\(stage.origin.port)", "--trust",
                stage.publicCA,
            ]
        }

        private var savedChain: [String] {
            get throws {
                let bytes =
                    try Data(contentsOf: URL(filePath: stage.originIdentity.certificate))
                    + Data(contentsOf: URL(filePath: stage.publicCA))
                let chain = try folder.file("chain.pem", [UInt8](bytes)).path
                return ["--chain", chain, "--host", host, "--trust", stage.publicCA]
            }
        }

        /// A policy in each format that pins the origin's key, or the one of nobody.
        private func policies(_ pin: String) throws -> [(name: String, file: String, accepts: String, rejects: String)]
        {
            func file(_ name: String, _ text: String) throws -> String { try folder.file(name, Array(text.utf8)).path }
            let tag = pin == self.pin ? "right" : "wrong"
            return [
                (
                    "okhttp", try file("\(tag).json", #"{"\#(host)": ["sha256/\#(pin)"]}"#), "PS-4-4", "PS-4-4"
                ),
                ("curl", try file("\(tag).curlrc", "pinnedpubkey = \"sha256//\(pin)\"\n"), "PS-7-1", "PS-7-1"),
                (
                    "android",
                    try file(
                        "\(tag).xml",
                        """
                        <?xml version="1.0" encoding="utf-8"?>
                        <network-security-config><domain-config>
                          <domain includeSubdomains="true">\(Stage.domain)</domain>
                          <pin-set><pin digest="SHA-256">\(pin)</pin></pin-set>
                        </domain-config></network-security-config>
                        """), "PS-5-9", "PS-5-9"
                ),
                (
                    "info-plist",
                    try file(
                        "\(tag).plist",
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>
                          <key>NSPinnedDomains</key><dict><key>\(host)</key><dict>
                            <key>NSPinnedLeafIdentities</key>
                            <array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array>
                          </dict></dict>
                        </dict></dict></plist>
                        """), "PS-6.1-4", "PS-6.1-4"
                ),
                (
                    "react-native",
                    try file("\(tag)-rn.json", #"{"\#(host)": {"publicKeyHashes": ["\#(pin)"]}}"#), "PS-4-4", "PS-4-4"
                ),
            ]
        }

        @Test func `each format: the right pin accepts, another rejects, an interception is rejected`() async throws {
            for (right, wrong) in zip(try policies(pin), try policies(stranger)) {
                let (accepted, report, _) = try await check([right.file] + direct)
                #expect(accepted == .exit(0), "\(right.name)")
                #expect(report["verdict"] as? String == "accept", "\(right.name)")
                #expect(report["rule"] as? String == right.accepts, "\(right.name)")
                #expect(report["format"] as? String == right.name)
                let entry = report["entry"] as? [String: Any]
                let names = right.name == "curl" ? nil : [right.name == "android" ? Stage.domain : host]
                #expect(entry?["names"] as? [String] == names, "\(right.name)")
                let pins = entry?["pins"] as? [String]
                #expect(right.name == "curl" || pins?.first?.hasSuffix(pin) == true, "\(right.name)")
                #expect(report["answer"] as? String == "HTTP/1.1 200 OK", "\(right.name)")

                let (rejected, other, _) = try await check([wrong.file] + direct)
                #expect(rejected == .exit(1), "\(wrong.name)")
                #expect(other["verdict"] as? String == "reject", "\(wrong.name)")
                #expect(other["rule"] as? String == wrong.rejects, "\(wrong.name)")
                #expect(other["answer"] == nil, "\(wrong.name)")

                let (intercepted, third, _) = try await check([right.file, "--intercept"] + direct)
                #expect(intercepted == .exit(1), "\(right.name)")
                #expect(third["verdict"] as? String == "reject", "\(right.name)")
                #expect(third["rule"] as? String == right.rejects, "\(right.name)")
                #expect(third["intercepted"] as? Bool == true)
            }
        }

        @Test func `a saved chain gets the same verdicts`() async throws {
            for (right, wrong) in zip(try policies(pin), try policies(stranger)) {
                let (accepted, report, _) = try await check([right.file] + savedChain)
                #expect(accepted == .exit(0), "\(right.name)")
                #expect(report["verdict"] as? String == "accept", "\(right.name)")
                #expect(report["rule"] as? String == right.accepts, "\(right.name)")
                let (rejected, _, _) = try await check([wrong.file] + savedChain)
                #expect(rejected == .exit(1), "\(wrong.name)")
            }
        }

        @Test func `what is expected decides the exit code, and nothing else`() async throws {
            let policy = try #require(try policies(pin).first).file
            let broken = try folder.file("broken.json", Array("{".utf8)).path
            for (file, expected, code) in [
                (policy, "accept", 0), (policy, "pinned", 0), (policy, "reject", 1), (broken, "config_error", 0),
                (broken, "reject", 1),
            ] as [(String, String, Int32)] {
                let (ending, report, _) = try await check([file, "--expect", expected] + savedChain)
                #expect(ending == .exit(code), "\(file) \(expected)")
                #expect(report["expected"] as? String == expected)
                #expect(report["verdict"] as? String == (file == policy ? "accept" : "config_error"))
            }
            let (intercepted, _, _) = try await check([policy, "--intercept", "--expect", "reject"] + direct)
            #expect(intercepted == .exit(0))
            // Who was not reached did not reject.
            let unserved = try UnservedPort()
            let (nobody, _, _) = try await check([
                policy, "--url", "https://\(host)/", "--expect", "reject", "--resolve",
                "\(host):443:127.0.0.1:\(unserved.number)",
            ])
            #expect(nobody == .exit(3))
        }

        @Test func `C43: a host for which nothing is pinned is accepted, and not pinned`() async throws {
            let file = try folder.file(
                "other.xml",
                Array(
                    """
                    <network-security-config><domain-config><domain>example.net</domain>
                    <pin-set><pin digest="SHA-256">\(stranger)</pin></pin-set></domain-config></network-security-config>
                    """.utf8)
            ).path
            let (ending, report, _) = try await check([file, "--expect", "pinned"] + savedChain)
            #expect(ending == .exit(1))
            #expect(report["verdict"] as? String == "accept")
            #expect(report["pinned"] as? Bool == false)
            #expect(report["entry"] == nil)
        }

        @Test func `what is trusted may come through a pipe that somebody opens later`() async throws {
            let pipe = folder.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            let policy = try #require(try policies(pin).first).file
            let process = try ChildProcess(
                Executable.url, ["check", policy, "--json"] + savedChain + ["--trust", pipe])
            let authority = try Data(contentsOf: URL(filePath: stage.publicCA))
            // Opening waits for the reader.
            let writer = Task.detached { try authority.write(to: URL(filePath: pipe)) }
            #expect(try await process.end().ending == .exit(0))
            try await writer.value
        }

        @Test func `an empty file trusts nothing`() async throws {
            let none = try folder.file("none.pem", []).path
            let policy = try #require(try policies(pin).first)
            let (ending, report, _) = try await check([policy.file] + savedChain + ["--trust", none])
            #expect(ending == .exit(1))
            #expect(report["verdict"] as? String == "reject")
            #expect(report["code"] as? String == "chainInvalid")
        }

        @Test func `PS-5-6: who trusts an interception's CA depends on how it was installed`() async throws {
            let empty = try folder.file("empty.xml", Array("<network-security-config/>".utf8)).path
            let intercepted = [empty, "--intercept", "--trust-kind", "user"] + direct
            let both = try folder.file(
                "user.pem", [UInt8](Data(contentsOf: URL(filePath: stage.publicCA)))
            ).path
            // The origin's CA is the user's too here: what is looked at is the interception.
            let (modern, _, _) = try await check(intercepted + ["--target-sdk", "24", "--user-trust", both])
            #expect(modern == .exit(1))
            let (old, report, _) = try await check(intercepted + ["--target-sdk", "23", "--user-trust", both])
            #expect(old == .exit(0))
            #expect(report["answer"] as? String == "HTTP/1.1 200 OK")
        }

        @Test func `C79: pins that have expired pass, and say so`() async throws {
            let file = try folder.file(
                "expired.xml",
                Array(
                    """
                    <network-security-config><domain-config><domain>\(host)</domain>
                    <pin-set expiration="2026-01-01"><pin digest="SHA-256">\(stranger)</pin></pin-set>
                    </domain-config></network-security-config>
                    """.utf8)
            ).path
            let (ending, report, _) = try await check([file] + savedChain)
            #expect(ending == .exit(0))
            #expect(report["verdict"] as? String == "accept")
            #expect(report["code"] as? String == "pinsExpired")
            #expect(report["rule"] as? String == "PS-5-3")
        }

        @Test func `a redirect is followed to another verdict`() async throws {
            let next = try stage.newHost()
            let first = try await ScriptedOrigin(
                stage.originIdentity,
                [
                    .read("\r\n\r\n"),
                    .send("HTTP/1.1 302 Found\r\nLocation: https://\(next)/\r\nContent-Length: 0\r\n\r\n"),
                ])
            let policy = try #require(try policies(pin).first)
            let (ending, report, _) = try await check([
                policy.file, "--url", "https://\(host)/", "--trust", stage.publicCA, "--resolve",
                "\(host):443:127.0.0.1:\(first.port)", "--resolve", "\(next):443:127.0.0.1:\(stage.origin.port)",
            ])
            #expect(ending == .exit(0))
            #expect(report["verdict"] as? String == "default")
            #expect(report["code"] as? String == "hostNotPinned")
            let stops = try #require(report["stops"] as? [[String: Any]])
            #expect(stops.map { $0["verdict"] as? String } == ["accept", "default"])
            #expect(stops.map { $0["status"] as? Int } == [302, 200])
            #expect(report["answer"] as? String == "HTTP/1.1 200 OK")
        }

        @Test func `a file that cannot be loaded is a configuration error, with its place`() async throws {
            let file = try folder.file(
                "broken.xml", Array("<network-security-config>\n<domain-config>\n</network-security-config>".utf8)
            ).path
            let (ending, report, _) = try await check([file] + savedChain)
            #expect(ending == .exit(2))
            #expect(report["verdict"] as? String == "config_error")
            #expect((report["place"] as? String)?.hasPrefix("line ") == true)
            let text = try await ChildProcess(Executable.url, ["check", file] + savedChain).end()
            #expect(text.ending == .exit(2))
            #expect(text.errorText == "")
            #expect(
                text.outputText.hasPrefix(
                    "verdict  config error\nreason   the policy cannot be loaded: \(file), line "))
            // The exit code does not depend on the form of the output.
            for form in [[], ["--json"]] {
                for (expected, code) in [("config_error", 0), ("reject", 1)] as [(String, Int32)] {
                    let run = try await ChildProcess(
                        Executable.url, ["check", file, "--expect", expected] + form + savedChain
                    ).end()
                    #expect(run.ending == .exit(code))
                }
            }
        }

        @Test(.needs(.jsonschema)) func `every document is as its schema says`() async throws {
            let (right, wrong) = (try policies(pin), try policies(stranger))
            var documents: [[UInt8]] = []
            for policy in right + wrong {
                for way in [direct, direct + ["--intercept"], try savedChain] {
                    documents.append(try await check([policy.file] + way).2)
                }
            }
            let broken = try folder.file("broken.json", Array("{".utf8)).path
            documents.append(try await check([broken] + savedChain).2)
            let unserved = try UnservedPort()
            documents.append(
                try await check([
                    "--url", "https://\(host)/", "--resolve", "\(host):443:127.0.0.1:\(unserved.number)",
                ]).2)
            documents.append(
                try await check(
                    ["--policy", "tutorial-004-two-certs", "--pin", stage.originIdentity.certificate] + direct
                ).2)
            #expect(try await JSONSchema.complaints(about: documents, schema: "check.schema.json") == "")
        }
    }
}
