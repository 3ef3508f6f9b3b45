import Crypto
import Foundation
import Testing
import Transcript
import TranscriptFiles
import Wire

extension EndToEnd {
    /// `pinproof report`: what `pinproof run` printed, from the transcript alone.
    @Suite struct ReportTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
        }

        private var transcript: String { folder.path("run.jsonl") }

        /// Runs curl in all phases; the findings are in `live.json` and `live.xml`, the table is printed.
        private func record(_ curl: String, _ options: String...) async throws -> ChildProcess.Progress {
            let process = try ChildProcess(
                Executable.url,
                [
                    "run", "--origin-ca", stage.publicCA, "--resolve", "\(host):443:127.0.0.1:\(stage.origin.port)",
                    "--transcript", transcript, "--json", folder.path("live.json"), "--junit", folder.path("live.xml"),
                ] + options + ["--", "sh", "-c", "curl -sS \(curl) https://\(host)/"])
            return try await process.end(within: .seconds(120))
        }

        private func report(_ arguments: String...) async throws -> ChildProcess.Progress {
            try await ChildProcess(Executable.url, ["report", transcript] + arguments).end()
        }

        /// The lines of a kind of record.
        private func lines(_ text: String, _ record: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.hasPrefix(#"{"record":"\#(record)""#) }
        }

        private func text(_ name: String) throws -> String {
            String(decoding: try folder.bytes(name), as: UTF8.self)
        }

        /// The pin of the stage's origin as curl wants it.
        private func pin() throws -> String {
            let chain = try Certificate.pem(
                [UInt8](Data(contentsOf: URL(filePath: stage.originIdentity.certificate))))
            return "sha256//\(Base64.encode(try #require(chain.first).spkiSHA256))"
        }

        /// The forms of curl that matter, what they are found to be, and how often they run.
        enum Form: String, CaseIterable {
            case plain = "notPinned", pinned = "pinned", insecure = "brokenValidation"
            case pinnedOnce = "inconclusive"
        }

        private func record(_ form: Form) async throws -> ChildProcess.Progress {
            switch form {
            case .plain: try await record("")
            case .pinned: try await record("--pinnedpubkey \(try pin())")
            case .insecure: try await record("-k")
            case .pinnedOnce: try await record("--pinnedpubkey \(try pin())", "--repeat", "1")
            }
        }

        @Test("the file alone says what was said live, octet by octet", .needs(.curl), arguments: Form.allCases)
        func sameAsLive(_ form: Form) async throws {
            let live = try await record(form)
            let json = try text("live.json")
            #expect(json.contains(#""finding":"\#(form.rawValue)""#), "\(live.errorText)")
            let table = try await report("--json", folder.path("again.json"), "--junit", folder.path("again.xml"))
            #expect(table.output == live.output)
            #expect(table.ending == live.ending)
            #expect(table.errorText == "")
            #expect(try text("again.json") == json)
            #expect(try text("again.xml") == text("live.xml"))
            #expect(try await report("--json", "-").outputText == json)

            // The same file with other questions.
            #expect(
                try await report("--default", "pinned").ending
                    == .exit(form == .pinned ? 0 : form == .pinnedOnce ? 3 : 1))
            let other = try await report("--only", "other.test")
            #expect(other.ending == .exit(3))
            #expect(other.outputText.hasPrefix("No host was asked for: nothing was exercised.\n\nTranscript "))
            let refused = try await report("--junit", folder.path("live.xml"))
            #expect(refused.ending == .exit(2))
            #expect(refused.errorText.hasPrefix("pinproof: refusing to overwrite: "))
        }

        @Test("half of the last line takes no finding away, and decides nothing", .needs(.curl))
        func brokenEnd() async throws {
            _ = try await record(.plain)
            let whole = try folder.bytes("run.jsonl")
            let lastLine = try #require(whole.split(separator: UInt8(ascii: "\n")).last)
            try folder.file("run.jsonl", Array(whole.dropLast(lastLine.count / 2 + 1)))
            let progress = try await report("--json", "-")
            let live = try text("live.json")
            #expect(lines(progress.outputText, "finding") == lines(live, "finding"))
            #expect(lines(live, "finding").count == 1)
            #expect(
                lines(progress.outputText, "experiment")
                    == [
                        #"{"record":"experiment","findings":1,"baselineFailed":false,"interrupted":true,"exitCode":3,"label":null}"#
                    ]
            )
            #expect(progress.ending == .exit(3))
            #expect(
                progress.errorText == """
                    pinproof: warning: \(transcript): the last line is broken: \
                    \(lastLine.count - lastLine.count / 2) octets are left out
                    pinproof: warning: \(transcript): the run was not over when the transcript ends: what is here \
                    decides nothing

                    """)
            let junit = folder.path("cut.xml")
            _ = try await report("--junit", junit)
            #expect(try text("cut.xml").contains("<error message=\"the experiment was interrupted\"/>"))
        }

        @Test(
            "an event of a connection that is taken out makes nothing firmer", .needs(.curl), arguments: Form.allCases)
        func missingLine(_ form: Form) async throws {
            _ = try await record(form)
            let reader = try TranscriptReader(path: transcript)
            var events: [Event] = []
            while let event = try reader.next() { events.append(event) }
            let whole = conclusions(events)
            #expect(whole == (form == .pinnedOnce ? [] : [form.rawValue]))
            var tried = 0
            for index in events.indices where events[index].connection != nil {
                var rest = events
                let removed = rest.remove(at: index)
                #expect(conclusions(rest).isSubset(of: whole), "without \(removed)")
                tried += 1
            }
            #expect(tried > 30)

            // And through the program, with the client's hello gone.
            var lines = try text("run.jsonl").split(separator: "\n", omittingEmptySubsequences: false)
            lines.remove(at: try #require(lines.firstIndex { $0.contains(#""event":"hello""#) }))
            try folder.file("run.jsonl", Array(lines.joined(separator: "\n").utf8))
            let progress = try await report()
            #expect(progress.ending == .exit(0) || progress.ending == .exit(3), "\(progress.errorText)")
        }

        /// What events are taken to prove, of those findings that say anything.
        private func conclusions(_ events: [Event]) -> Set<String> {
            var verdicts = ExperimentVerdicts()
            for event in events { verdicts.add(event) }
            return Set(
                verdicts.findings.compactMap { finding in
                    switch finding.conclusion {
                    case .pinned, .notPinned, .brokenValidation: finding.conclusion.name
                    case .inconclusive, .notExercised: nil
                    }
                })
        }

        @Test("--connections has a line for each, with its phase", .needs(.curl))
        func connections() async throws {
            let live = try await record(.plain)
            let progress = try await report("--connections")
            let rows = progress.lines.prefix(8)
            #expect(rows.first?.hasPrefix("No.  Phase      Host") == true, "\(progress.outputText)")
            #expect(rows[2].hasPrefix("#1   baseline   \(host):443"))
            #expect(rows[4].contains("untrusted") && rows[4].hasSuffix("rejected: unknown_ca (48) in the handshake"))
            #expect(rows[7].contains("trusted") && rows[7].contains("accepted: "))
            #expect(progress.outputText.hasSuffix("\n\n" + live.outputText))
            let json = try await report("--connections", "--json", "-").outputText
            let verdicts = lines(json, "verdict")
            #expect(verdicts.count == 6)
            #expect(
                verdicts[3].hasPrefix(#"{"record":"verdict","connection":4,"phase":"untrusted","host":"\#(host)","#))
            #expect(json.hasSuffix(try text("live.json")))
        }

        @Test("what `pinproof proxy` recorded is no experiment, but has connections", .needs(.curl))
        func proxy() async throws {
            let proxy = try await stage.startProxy(resolving: [host], ["--transcript", transcript])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            #expect(try await curl.fetch("https://\(host)/").status == 200)
            try await proxy.stop()
            let progress = try await report("--connections", "--json", "-", "--junit", folder.path("report.xml"))
            #expect(progress.ending == .exit(3))
            #expect(
                progress.errorText == """
                    pinproof: no experiment in the transcript: its connections have no phases: \
                    \(transcript); 'run' and 'proxy --phases' record one with --transcript

                    """)
            #expect(lines(progress.outputText, "finding").isEmpty)
            #expect(lines(progress.outputText, "verdict").count == 1)
            #expect(progress.outputText.contains(#""connection":1,"phase":null,"host":"\#(host)","port":443,"#))
            #expect(progress.outputText.contains(#""verdict":"accepted","text":"accepted: "#))
            #expect(try text("report.xml").contains("errors=\"1\""))
        }

        @Test("what `pinproof proxy --phases` found is found again", .needs(.curl))
        func rotatedPhases() async throws {
            let bundle = [stage.publicCA, stage.proxyCA].flatMap {
                [UInt8]((try? Data(contentsOf: URL(filePath: $0))) ?? Data())
            }
            let trusted = try folder.file("trusted.pem", bundle).path
            let proxy = try await stage.startProxy(
                resolving: [host], ["--phases", "--label", "build 7", "--transcript", transcript])
            let curl = Curl(through: proxy.port, trusting: trusted)
            for _ in 1...6 { _ = try await curl.fetch("https://\(host)/") }
            let live = try await proxy.stop()
            let progress = try await report("--json", "-")
            #expect(progress.errorText == "")
            #expect(progress.ending == .exit(0))
            #expect(lines(progress.outputText, "finding") == lines(live.outputText, "finding"))
            #expect(progress.outputText.contains(#""finding":"notPinned""#))
            #expect(
                lines(progress.outputText, "experiment")
                    == [
                        #"{"record":"experiment","findings":1,"baselineFailed":false,"interrupted":false,"exitCode":0,"#
                            + #""label":"build 7"}"#
                    ])
        }
    }
}
