import Foundation
import Testing

extension EndToEnd {
    /// `pinproof check --policy` against `pinproof origin`, directly and through `pinproof proxy`: PS-11, by hand.
    @Suite struct TutorialTests {
        private let stage: Stage
        private let host: String

        init() throws {
            stage = try EndToEnd.stage
            host = try stage.newHost()
        }

        /// What a policy decides, and what becomes of the connection.
        enum Outcome {
            case accept, reject, defaultAccepts, defaultRejects

            var verdict: String {
                switch self {
                case .accept: "accept"
                case .reject: "reject"
                case .defaultAccepts, .defaultRejects: "default"
                }
            }

            var code: Int32 {
                switch self {
                case .accept, .defaultAccepts: 0
                case .reject, .defaultRejects: 1
                }
            }
        }

        /// What the app pins.
        enum Pinned {
            case nothing, leaf, authority
        }

        struct Row {
            let rule: String
            let name: String
            let pinned: Pinned
            /// The origin itself, whose CA the system trusts.
            let direct: Outcome
            /// A proxy whose CA the system trusts too.
            let trusted: Outcome
            /// A proxy whose CA nobody trusts.
            let untrusted: Outcome
            var options: [String] = []
        }

        static let rows = [
            Row(
                rule: "PS-11-1", name: "tutorial-000a", pinned: .nothing, direct: .accept, trusted: .accept,
                untrusted: .reject),
            Row(
                rule: "PS-11-1", name: "tutorial-000b", pinned: .authority, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-1", name: "tutorial-000c", pinned: .leaf, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-2", name: "tutorial-000-script", pinned: .leaf, direct: .accept, trusted: .reject,
                untrusted: .reject),
            // Nobody evaluates the server.
            Row(
                rule: "PS-11-3", name: "tutorial-001-2x", pinned: .leaf, direct: .accept, trusted: .accept,
                untrusted: .accept),
            // The same without an identity, and the policy that is never asked: any system's CA will do.
            Row(
                rule: "PS-11-3", name: "tutorial-001-2x", pinned: .leaf, direct: .defaultAccepts,
                trusted: .defaultAccepts, untrusted: .defaultRejects, options: ["--policy-password", "empty"]),
            Row(
                rule: "PS-11-3", name: "tutorial-001-2x-dead-policy", pinned: .leaf, direct: .defaultAccepts,
                trusted: .defaultAccepts, untrusted: .defaultRejects),
            Row(
                rule: "PS-11-4", name: "tutorial-001-3x", pinned: .leaf, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-5", name: "tutorial-001-oneway", pinned: .leaf, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-6", name: "tutorial-002", pinned: .authority, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-6", name: "tutorial-002-overtaken", pinned: .authority, direct: .accept, trusted: .accept,
                untrusted: .reject),
            Row(
                rule: "PS-11-7", name: "tutorial-003-session", pinned: .authority, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-7", name: "tutorial-003-session-system", pinned: .authority, direct: .accept,
                trusted: .accept, untrusted: .reject),
            Row(
                rule: "PS-11-8", name: "tutorial-003-af253", pinned: .authority, direct: .accept, trusted: .reject,
                untrusted: .reject),
            // A pinned leaf on a path of two is one of two as well.
            Row(
                rule: "PS-11-8", name: "tutorial-003-af253", pinned: .leaf, direct: .reject, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-8", name: "tutorial-003-af253-key", pinned: .authority, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-9", name: "tutorial-004-two-certs", pinned: .leaf, direct: .accept, trusted: .reject,
                untrusted: .reject),
            Row(
                rule: "PS-11-9", name: "tutorial-004-two-certs", pinned: .authority, direct: .reject,
                trusted: .reject, untrusted: .reject),
            // The host is not on the tutorial's own list.
            Row(
                rule: "PS-11-10", name: "tutorial-004-one-cert", pinned: .nothing, direct: .reject, trusted: .reject,
                untrusted: .reject),
        ]

        private func check(_ options: [String]) async throws -> (ending: ChildProcess.Ending?, report: [String: Any]) {
            let run = try await ChildProcess(
                Executable.url, ["check", "--url", "https://\(host)/", "--json"] + options
            ).end()
            #expect(run.errorText == "")
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            return (run.ending, try #require(report))
        }

        private var throughProxy: [String] { ["--proxy", "127.0.0.1:\(stage.proxy.port)"] }

        private var direct: [String] { ["--resolve", "\(host):443:127.0.0.1:\(stage.origin.port)"] }

        private func pin(_ pinned: Pinned) -> [String] {
            switch pinned {
            case .nothing: []
            case .leaf: ["--pin", stage.originIdentity.certificate]
            case .authority: ["--pin", stage.publicCA]
            }
        }

        private func expect(_ row: Row, _ way: [String], trusting file: String, _ expected: Outcome) async throws {
            let (ending, report) = try await check(
                ["--policy", row.name] + pin(row.pinned) + row.options + way + ["--trust", file])
            let what = "\(row.rule) \(row.name) \(way): \(report["reason"] ?? "")"
            #expect(report["verdict"] as? String == expected.verdict, "\(what)")
            #expect(ending == .exit(expected.code), "\(what)")
            #expect(report["rule"] as? String == row.rule, "\(what)")
            #expect(report["policy"] as? String == row.name)
            #expect(report["answer"] as? String == (expected.code == 0 ? "HTTP/1.1 200 OK" : nil), "\(what)")
        }

        @Test func `each policy decides as its row says, directly and behind both kinds of proxy`() async throws {
            let folder = try TemporaryFolder()
            let both = try folder.file(
                "both.pem", try stage.folder.bytes("public.pem") + stage.folder.bytes("proxy/ca.pem")
            ).path
            for row in Self.rows {
                try await expect(row, direct, trusting: stage.publicCA, row.direct)
                try await expect(row, throughProxy, trusting: both, row.trusted)
                try await expect(row, throughProxy, trusting: stage.publicCA, row.untrusted)
            }
        }

        @Test func `PS-11-10: a listed host takes any certificate, and gives its request away`() async throws {
            let (ending, report) = try await check(
                ["--policy", "tutorial-004-one-cert", "--policy-host", host, "--trust", stage.publicCA] + throughProxy)
            #expect(ending == .exit(0))
            #expect(
                report["reason"] as? String == "\(host) is on the list, and any certificate will do for it (PS-11-10)")
            #expect(try await stage.proxy.connection(to: host).closed.clientBytes > 0)
        }

        @Test func `PS-11-6: http is not exercised`() async throws {
            let (ending, report) = try await check(["--url", "http://\(host)/", "--policy", "tutorial-002"])
            #expect(ending == .exit(3))
            #expect(report["verdict"] as? String == "default")
            #expect(report["url"] as? String == "http://\(host)/")
            #expect(report["accepted"] as? Bool == false)
            #expect(report["rule"] as? String == "PS-11-6")
        }

        @Test func `PS-11-3: the report says who is given the identity, and what nobody could confirm`() async throws {
            func lines(_ options: String...) async throws -> [String: String] {
                let run = try await ChildProcess(
                    Executable.url,
                    ["check", "--url", "https://\(host)/", "--trust", stage.publicCA, "--policy"] + options + direct
                ).end()
                let pairs = run.lines.compactMap { line in
                    line.firstMatch(of: /^(\S+(?: \S+)*) {2,}(.*)$/).map { (String($0.1), String($0.2)) }
                }
                return Dictionary(pairs) { first, _ in first }
            }
            let always = try await lines("tutorial-001-2x")
            #expect(always["policy"] == "tutorial-001-2x")
            #expect(always["identity"] == "the identity is the answer to every challenge, the one about the server too")
            #expect(always["not confirmed"]?.hasPrefix("what the platform makes of an identity") == true)
            let never = try await lines("tutorial-001-2x", "--policy-password", "wrong")
            #expect(never["verdict"] == "default: the platform accepts")
            #expect(never["platform"] == "the chain is valid")
            #expect(
                never["identity"]
                    == "client.p12 does not open with a wrong password: no identity is given to anyone")
            #expect(never["not confirmed"] == nil)
            let none = try await lines("tutorial-000a")
            #expect(none["identity"] == nil)
            #expect(none["not confirmed"] == nil)
        }

        @Test func `the client's side as JSON`() async throws {
            let leafOnly =
                try await check(
                    ["--policy", "tutorial-000c", "--pin", stage.publicCA, "--trust", stage.publicCA] + direct
                ).report["identity"] as? [String: Any]
            #expect(leafOnly?["given"] as? String == "whenAsked")
            #expect(leafOnly?["leafOnly"] as? Bool == true)
            let (_, withoutOne) = try await check(["--policy", "tutorial-000a", "--trust", stage.publicCA] + direct)
            #expect((withoutOne["identity"] as? [String: Any])?["given"] as? String == "never")
        }

        @Test(
            .needs(.openssl),
            arguments: [("tutorial-001-2x", "accept"), ("tutorial-001-2x-dead-policy", "default")])
        func `no answer after the verdict is inconclusive`(policy: String, verdict: String) async throws {
            let identity = try stage.mint(.everyHost)
            // It would answer with what is typed, and nothing is.
            let origin = try ChildProcess(
                RealClient.openssl.url,
                ["s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key],
                input: .test)
            let port = try await origin.wait(for: "its port") { progress in
                progress.lines.first { $0.hasPrefix("ACCEPT") }.flatMap { Int($0.split(separator: ":").last ?? "") }
            }
            let (ending, report) = try await check([
                "--policy", policy, "--resolve", "\(host):443:127.0.0.1:\(port)", "--trust", stage.publicCA,
                "--timeout", "3",
            ])
            #expect(ending == .exit(3))
            #expect(report["verdict"] as? String == verdict)
            #expect(report["accepted"] as? Bool == true)
            #expect((report["failure"] as? [String: Any])?["phase"] as? String == "answer")
        }

        @Test func `a policy that needs pins is an error without any`() async throws {
            let (ending, report) = try await check(["--policy", "tutorial-003-session"] + direct)
            #expect(ending == .exit(2))
            #expect(report["verdict"] as? String == "config_error")
            #expect(report["rule"] as? String == "PS-11-7")
        }

        @Test func `the list is printed`() async throws {
            let run = try await ChildProcess(Executable.url, ["check", "--list-policies"]).end()
            #expect(run.ending == .exit(0))
            #expect(run.outputText == (try Repository.golden("check-policies")))
            let json = try await ChildProcess(Executable.url, ["check", "--list-policies", "--json"]).end()
            #expect(json.ending == .exit(0))
            #expect((try JSONSerialization.jsonObject(with: Data(json.output)) as? [Any])?.count == 16)
        }
    }
}
