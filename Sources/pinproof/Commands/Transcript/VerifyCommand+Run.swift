internal import Crypto
internal import Engine
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
        var files = options.files
        var next = files.startIndex
        while next < files.endIndex {
            let path = files[next]
            do throws(TranscriptError) {
                try check.read(TranscriptReader(path: path), name: path)
            } catch {
                throw CommandError(error, path: path)
            }
            if let failure { throw failure }
            next += 1
            // A run that is given by its first file goes on in the others that it left.
            if next == files.endIndex, options.files.count == 1, !check.hasEnded, let further = goingOn(files) {
                files.append(further)
            }
        }
        if let claim = try signatureClaim(options, over: files.last) { check.add(claim) }
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

    /// The file after those that were read, if there is one.
    private static func goingOn(_ files: [String]) -> String? {
        let path = files.first.map { TranscriptRotation.path($0, number: files.count + 1) }
        return path.flatMap { Files.exists($0) ? $0 : nil }
    }

    /// What is to be said of the signature, if there is one or one is needed.
    private static func signatureClaim(_ options: VerifyOptions, over last: String?) throws -> Claim? {
        guard let last else { return nil }
        let path = options.signature ?? "\(last).p7s"
        let signers = try options.signers.flatMap { try CertificateFile.read($0) }
        guard Files.exists(path) else {
            guard options.signature != nil || !signers.isEmpty else { return nil }
            throw CommandError(
                "there is no signature", at: path,
                mend: "'--sign' of run and proxy leaves it beside the last file; name another place with --signature")
        }
        return SealCheck.check(try Files.read(path), overFile: last, trusted: signers)
    }

    /// What the process tells its caller.
    static func exitCode(of summary: CheckSummary) -> ExitCode {
        if summary.failed > 0 { return .finding }
        return summary.provenOfConnections > 0 ? .asExpected : .inconclusive
    }
}
