extension Program {
    /// What there is below the command that `path` names, or at all.
    static func overview(of commands: [Command], path: [String]) -> String {
        let program = (["pinproof"] + path).joined(separator: " ")
        var text = "Usage: \(program) COMMAND [OPTION]...\n\n"
        if path.isEmpty {
            text += TextLayout.wrap(
                """
                Proves whether a TLS client's certificate pinning works: stands between the client and its server, \
                watches what the client does with a certificate that it must not accept, and says for every host what \
                that shows.
                """)
            text += "\n"
        }
        text += "Commands:\n"
        for command in commands { text += TextLayout.row(command.name, command.summary) }
        text += "\n"
        if path.isEmpty {
            text += "Exit codes:\n"
            for code in ExitCode.allCases { text += TextLayout.row(String(code.rawValue), code.summary) }
            text += "\n'pinproof help COMMAND' explains one; 'pinproof --version' prints the version.\n"
        } else {
            text += "'pinproof help \(path.joined(separator: " ")) COMMAND' explains one.\n"
        }
        return text
    }
}

extension ExitCode {
    /// What the code tells, for help.
    fileprivate var summary: String {
        switch self {
        case .asExpected: "as expected"
        case .finding: "a finding: something differs from what was expected"
        case .usage: "usage or configuration error"
        case .inconclusive: "inconclusive, or not exercised"
        case .internalError: "internal error"
        }
    }
}
