import Foundation
import Testing

extension EndToEnd {
    /// Real clients, pinned, validating and taking anything, run by `pinproof run`: what each does, and what is found.
    @Suite(.matrixPrograms) struct FindingMatrixTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let api = "api.\(Stage.domain)"
        private let other = "other.\(Stage.domain)"

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        @Test("curl", .needs(.curl), arguments: MatrixCell.all(.curl))
        func curl(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("urllib3 and requests", .needs(.urllib3), .needs(.requests), arguments: MatrixCell.all(.python))
        func python(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("Node", .needs(.node), arguments: MatrixCell.all(.node))
        func node(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("HttpsURLConnection", .needs(.java), .needs(.javac), arguments: MatrixCell.all(.java))
        func java(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("OkHttp", .needs(.java), .needs(.javac), .needsOkHttp, arguments: MatrixCell.all(.okhttp))
        func okhttp(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("Go", .needs(.go), arguments: MatrixCell.all(.go))
        func go(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("gnutls-cli", .needs(.gnutls), .needs(.python), arguments: MatrixCell.all(.gnutls))
        func gnutls(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("wget", .needs(.wget), arguments: MatrixCell.all(.wget))
        func wget(cell: MatrixCell) async throws { try await judge(cell) }

        @Test("Chromium", .needs(.chromium), .needs(.certutil), arguments: MatrixCell.all(.chromium))
        func chromium(cell: MatrixCell) async throws { try await judge(cell) }

        private func judge(_ cell: MatrixCell) async throws {
            let start = ContinuousClock.now
            let transcript = folder.path("run.jsonl")
            let progress = try await run(cell, transcript)
            let duration = ContinuousClock.now - start

            let decoder = JSONDecoder()
            let lines = try progress.lines.map { try decoder.decode(MatrixFinding.self, from: Data($0.utf8)) }
            let findings = lines.filter { $0.record == "finding" }
            let own = findings.filter { $0.host == api }
            let finding = try #require(own.first, "\(progress.errorText)")
            try await MatrixReport.add(cell, finding, took: duration)

            #expect(own.map(\.conclusion) == [cell.finding], "\(progress.errorText)")
            #expect(shows(finding.untrusted, cell.untrusted, cell), "\(progress.outputText)")
            #expect(shows(finding.trusted, cell.trusted, cell), "\(progress.outputText)")
            let others = findings.filter { $0.host != api }.map { "\($0.host ?? "-") \($0.conclusion)" }
            #expect(others == (cell.company == .beside ? ["\(other) notPinned"] : []), "\(progress.errorText)")
            #expect(try versions(transcript) == [cell.tls.rawValue])
        }

        /// Runs the client, which sees an origin with a certificate for both hosts.
        private func run(_ cell: MatrixCell, _ transcript: String) async throws -> ChildProcess.Progress {
            let own = try MatrixRequest(
                form: cell.form, host: api, tls: cell.tls, pins: MatrixPins(stage.originIdentity.certificate),
                programs: MatrixPrograms.shared)
            var second = own
            (second.form, second.host) = (.validating, other)
            let requests = cell.company == .beside ? [own, second] : [own]
            let hosts = requests.flatMap { request in
                [
                    "--resolve", "\(request.host):443:127.0.0.1:\(stage.origin.port)", "--intercept", request.host,
                    "--only", request.host,
                ]
            }
            let command = requests.map { $0.command(cell.client) }.joined(separator: "; ")
            // Browsers have hosts of their own to call: they are refused.
            return try await ChildProcess(
                Executable.url,
                ["run", "--origin-ca", stage.publicCA, "--refuse", "*", "--json", "-", "--transcript", transcript]
                    + ["--repeat", "\(cell.repeats)"] + hosts + cell.options + ["--", "sh", "-c", command],
                environment: ["TMPDIR": folder.path, "HOME": folder.path]
            ).end(within: .seconds(240))
        }

        /// Whether each connection of a phase shows the conduct, one or more for each run.
        private func shows(
            _ evidence: MatrixFinding.Evidence?, _ conduct: MatrixCell.Conduct, _ cell: MatrixCell
        ) -> Bool {
            guard let evidence else { return false }
            let isSpare = { cell.client.hasSpareConnections && MatrixCell.Conduct.ends.isShown(by: $0) }
            let samples = evidence.samples.filter { !isSpare($0) }
            return samples.count >= cell.repeats && samples.allSatisfy(conduct.isShown)
        }

        /// The versions of TLS that were agreed on with the client, by the ServerHello.
        ///
        /// In TLS 1.3, and only then, it has the extension supported_versions (43, RFC 8446 section 4.2.1).
        private func versions(_ transcript: String) throws -> Set<String> {
            let hellos = try TranscriptLine.read(transcript).filter {
                $0.event == "message" && $0.text("side") == "client" && $0.text("name") == "server_hello"
            }
            return try Set(
                hellos.map { line in
                    let message = try #require(Data(base64Encoded: line.text("bytes") ?? ""))
                    return message.firstRange(of: Data([0, 43, 0, 2, 3, 4])) == nil ? "1.2" : "1.3"
                })
        }
    }
}
