internal import Engine
internal import Foundation
internal import Recheck
internal import TranscriptFiles

extension DemoCommand {
    /// Runs the demo.
    static func run(_ options: DemoOptions) async throws -> ExitCode {
        let began = ContinuousClock.now
        let folder = try TemporaryFolder()
        let path = options.transcript ?? standardTranscript
        let stage = try DemoStage(
            transcript: try TranscriptFile(path: path), swapsAuthorities: options.swapsAuthorities)
        let cells = try await DemoRun(stage, folder: folder.url).cells()
        let lost = try stage.stop()
        guard lost == 0 else {
            throw CommandError(
                "\(lost) events are missing in the transcript", at: path, mend: "make room on the disk",
                code: .inconclusive)
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let report = DemoReport(cells: cells, transcript: path, proof: try proof(of: path), seconds: seconds)
        if options.json {
            try StandardStream.output.write(try report.json())
        } else {
            let output = StandardStream.output
            try output.write(report.text(width: output.columns ?? 120, colour: output.takesColour))
        }
        if report.proof.failed > 0 { return .finding }
        if report.surprises.isEmpty { return .asExpected }
        // A client that came to no decision shows nothing, either way.
        return report.surprises.contains { $0.actual.outcome != nil } ? .finding : .inconclusive
    }

    /// Proves the transcript again, as `pinproof transcript verify` does.
    private static func proof(of path: String) throws -> CheckSummary {
        var check = TranscriptCheck(version: Version.number) { _ in }
        do throws(TranscriptError) {
            try check.read(TranscriptReader(path: path), name: path)
        } catch {
            throw CommandError(error, path: path)
        }
        return check.finish()
    }

    private static var standardTranscript: String {
        let stamp = Date.now.formatted(
            Date.ISO8601FormatStyle(timeZone: .gmt).dateSeparator(.omitted)
                .timeSeparator(.omitted))
        return FileManager.default.temporaryDirectory
            .appending(path: "pinproof-demo-\(stamp)-\(getpid()).jsonl").path
    }
}
