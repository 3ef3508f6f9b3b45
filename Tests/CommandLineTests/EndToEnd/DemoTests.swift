import Foundation
import Testing

extension EndToEnd {
    /// `pinproof demo`: the table that it prints is the product in small.
    @Suite struct DemoTests {
        private struct Report: Decodable {
            struct Cell: Decodable {
                let client: String
                let way: String
                let expected: String
                let actual: String?
                let asExpected: Bool

                var place: String { "\(client), \(way)" }
            }
            let cells: [Cell]
            let transcript: String
            let proven: Int
            let `false`: Int
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func demo(
            _ options: String..., environment: [String: String] = [:]
        ) async throws -> ChildProcess.Progress {
            try await ChildProcess(
                Executable.url, ["demo", "--transcript", folder.path("demo.jsonl")] + options,
                environment: environment
            ).end()
        }

        private func report(_ progress: ChildProcess.Progress) throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(progress.output))
        }

        /// Nine clients on three ways, nine more libraries that pin, and four apps with client certificates; which of them
        /// accept, by hand from the rules in docs/PINNING.md.
        @Test(.needs(.curl)) func `all 66 cells are as expected`() async throws {
            let run = try await demo("--json")
            #expect(run.ending == .exit(0))
            #expect(run.errorText == "")
            let report = try report(run)
            #expect(report.cells.count == 66)
            #expect(Set(report.cells.map(\.place)).count == 66)
            #expect(report.cells.allSatisfy { $0.asExpected && $0.actual == $0.expected })
            let accepting = report.cells.filter { $0.actual == "accept" }.map(\.place)
            #expect(
                accepting == [
                    "AFNetworking None, direct", "AFNetworking None, trusted proxy",
                    "AFNetworking Certificate, leaf, direct", "AFNetworking Certificate, CA, direct",
                    "AFNetworking PublicKey, direct",
                    "AFNetworking None, allowInvalid, no domain check, direct",
                    "AFNetworking None, allowInvalid, no domain check, trusted proxy",
                    "AFNetworking None, allowInvalid, no domain check, untrusted proxy",
                    "Alamofire 4 pinPublicKeys, direct", "Alamofire 5 PublicKeysTrustEvaluator, direct",
                    "TrustKit, direct", "TrustKit Android, direct", "Android network security config, direct",
                    "NSPinnedDomains, direct", "OkHttp CertificatePinner, direct",
                    "React Native public-key pinning, direct", "urllib3 assert_fingerprint, direct",
                    "curl, direct", "curl, trusted proxy", "curl --pinnedpubkey, direct",
                    "two-way, the right identity, direct", "two-way, the right identity, trusted proxy",
                    "two-way, the app's own at the proxy, direct", "two-way, the app's own at the proxy, trusted proxy",
                ])
            #expect(report.transcript == folder.path("demo.jsonl"))
            #expect(try folder.mode("demo.jsonl") == 0o600)
            // Of every connection at least its verdict, its hello and the proxy's signature.
            #expect(report.proven > 3 * 44)
            #expect(report.false == 0)
            let events = try TranscriptLine.read(folder.path("demo.jsonl"))
            #expect(events.first?.event == "runStarted")
            #expect(events.last?.event == "runEnded")
            // Two proxies, 22 clients.
            #expect(Set(events.compactMap(\.connection)).count == 44)
        }

        @Test(.needs(.curl)) func `the table says so in words`() async throws {
            let run = try await demo()
            #expect(run.ending == .exit(0))
            #expect(run.outputText.contains("All 66 cells are as expected, in "))
            #expect(
                run.outputText.contains("Every handshake is recorded in \(folder.path("demo.jsonl"))\n"))
            #expect(
                run.outputText.hasSuffix(
                    "none is false: pinproof transcript verify \(folder.path("demo.jsonl"))\n"))
        }

        /// Cells that do not care which of the two CAs is trusted: those without a proxy, and policies that reject or
        /// accept whatever they see.
        private static let indifferent = [
            "AFNetworking None, allowInvalid", "AFNetworking None, allowInvalid, no domain check",
        ]

        @Test(.needs(.curl)) func `with the CAs swapped it names the cells that differ`() async throws {
            let json = try await demo("--json", "--swap-cas")
            #expect(json.ending == .exit(1))
            let cells = try report(json).cells
            for cell in cells {
                let isIndifferent = cell.way == "direct" || Self.indifferent.contains(cell.client)
                #expect(cell.asExpected == isIndifferent, "\(cell.place)")
            }
            // A transcript is evidence, and never written over.
            try FileManager.default.removeItem(atPath: folder.path("demo.jsonl"))
            let text = try await demo("--swap-cas")
            #expect(text.ending == .exit(1))
            let surprises = cells.filter { !$0.asExpected }
            #expect(surprises.count == 40)
            let listed = text.outputText.split(separator: "\n").filter {
                $0.hasPrefix("  ") && $0.contains(": expected ")
            }
            #expect(listed.count == 40)
            for (cell, line) in zip(surprises, listed) { #expect(line.hasPrefix("  \(cell.place): expected ")) }
            #expect(text.outputText.contains("\n40 of 66 cells are not as expected:\n"))
            #expect(text.outputText.contains("\n  curl, trusted proxy: expected accept, exit 0, got reject, exit 60: "))
        }

        @Test func `without curl nothing is shown either way`() async throws {
            let run = try await demo("--json", environment: ["PATH": folder.path])
            #expect(run.ending == .exit(3))
            let cells = try report(run).cells
            #expect(cells.filter { !$0.asExpected }.allSatisfy { $0.client.hasPrefix("curl") && $0.actual == nil })
            #expect(cells.count { $0.actual == nil } == 6)
        }
    }
}
