/// `pinproof transcript`: recorded handshakes, read, re-checked and converted.
enum TranscriptCommand {
    static let command = Command(
        "transcript", summary: "Read recorded handshakes, re-check them offline, convert them",
        commands: [
            Command(ShowCommand.table, run: ShowCommand.run),
            Command(VerifyCommand.table, run: VerifyCommand.run),
            Command(ExportCommand.table, run: ExportCommand.run),
            Command(DiffCommand.table, run: DiffCommand.run),
        ])
}
