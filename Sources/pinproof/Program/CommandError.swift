/// Why a command did not do what it was asked to: what, where, how to mend it, and the exit code that goes with it.
struct CommandError: Error, Equatable {
    /// What is wrong.
    let what: String
    /// The option, file or line where it is wrong; nil if `what` says it all.
    let place: String?
    /// How to mend it; nil if there is nothing to advise.
    let remedy: String?
    /// The exit code of the process.
    let code: ExitCode

    init(_ what: String, at place: String? = nil, mend remedy: String? = nil, code: ExitCode = .usage) {
        self.what = what
        self.place = place
        self.remedy = remedy
        self.code = code
    }
}

extension CommandError: CustomStringConvertible {
    /// One line, whatever the quoted arguments and file names contain.
    var description: String {
        var line = "pinproof: \(what)"
        if let place { line += ": \(place)" }
        if let remedy { line += "; \(remedy)" }
        return line.printable
    }
}

extension String {
    /// The text with invisible characters written as escapes: it stays on one line, reads in one direction and leaves
    /// the terminal alone.
    var printable: String {
        var shown = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                default: shown.unicodeScalars.append(scalar)
                }
            }
        }
        return shown
    }
}
