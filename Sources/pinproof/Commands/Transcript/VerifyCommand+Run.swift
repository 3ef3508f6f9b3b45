internal import Crypto
internal import Recheck
internal import TranscriptFiles

extension VerifyCommand {
    /// Checks the files and prints what came of it.
    static func run(_ options: VerifyOptions) throws -> ExitCode {
        let authorities = try options.authorities.flatMap { try CertificateFile.read($0) }
        let output = StandardStream.output
        // Connections are printed as they are judged, and what cannot be printed ends the command.
        var failure: CommandError?
        var isFound = false
        let report = VerifyReport(width: output.columns ?? 80, colour: output.takesColour)
        var check = TranscriptCheck(
            version: Version.number, expectedDigest: options.digest, authorities: authorities
        ) { connection in
            guard options.connection.map({ $0 == connection.number }) ?? options.json else { return }
            isFound = true
            let text = options.json ? VerifyJSON.line(for: connection) : report.text(for: connection)
            do throws(CommandError) {
                if failure == nil { try output.write(text) }
            } catch {
                failure = error
            }
        }
        for path in options.files {
            do throws(TranscriptError) {
                try check.read(TranscriptReader(path: path), name: path)
            } catch {
                throw CommandError(error, path: path)
            }
            if let failure { throw failure }
        }
        if let claim = try signatureClaim(options) { check.add(claim) }
        let summary = check.finish()
        if let failure { throw failure }
        for warning in summary.warnings {
            try StandardStream.error.write("pinproof: warning: \(warning.printable)\n")
        }
        if let number = options.connection, !isFound {
            throw CommandError("no such connection", at: "\(number)", mend: "'pinproof transcript show' lists them")
        }
        if options.json {
            try output.write(VerifyJSON.line(for: summary))
        } else {
            try output.write(options.connection == nil ? report.text(for: summary) : report.conclusion(summary))
        }
        return exitCode(of: summary)
    }

    /// What is to be said of the signature, if there is one or one is needed.
    private static func signatureClaim(_ options: VerifyOptions) throws -> Claim? {
        guard let last = options.files.last else { return nil }
        let path = options.signature ?? "\(last).p7s"
        let signers = try options.signers.flatMap { try CertificateFile.read($0) }
        guard options.signature != nil || !signers.isEmpty || Files.exists(path) else { return nil }
        return SealCheck.check(try Files.read(path), overFile: last, trusted: signers)
    }

    /// What the process tells its caller.
    static func exitCode(of summary: CheckSummary) -> ExitCode {
        if summary.failed > 0 { return .finding }
        return summary.provenOfConnections > 0 ? .asExpected : .inconclusive
    }
}
