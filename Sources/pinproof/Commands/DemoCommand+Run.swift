internal import Engine
internal import Foundation

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
        let report = DemoReport(
            cells: cells, transcript: path, seconds: (ContinuousClock.now - began) / .seconds(1))
        if options.json {
            try StandardStream.output.write(try report.json())
        } else {
            let output = StandardStream.output
            try output.write(report.text(width: output.columns ?? 120, colour: output.takesColour))
        }
        if report.surprises.isEmpty { return .asExpected }
        // A client that came to no decision shows nothing, either way.
        return report.surprises.contains { $0.actual.outcome != nil } ? .finding : .inconclusive
    }

    private static var standardTranscript: String {
        let stamp = Date.now.formatted(
            Date.ISO8601FormatStyle(timeZone: .gmt).dateSeparator(.omitted)
                .timeSeparator(.omitted))
        return FileManager.default.temporaryDirectory
            .appending(path: "pinproof-demo-\(stamp)-\(getpid()).jsonl").path
    }
}
