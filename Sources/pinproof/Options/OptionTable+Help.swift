extension OptionTable {
    /// The text of `--help`, at most 80 columns wide.
    var help: String {
        var text = "Usage: pinproof \(command) [OPTION]...\(operands?.usage ?? "")\n\n"
        text += TextLayout.wrap(summary + ".")
        for paragraph in discussion { text += "\n" + TextLayout.wrap(paragraph) }
        for group in groups { text += "\n\(group.title):\n" + rows(group.options) }
        text += "\nGeneral:\n" + rows(readsConfiguration ? [.configuration] : [])
        text += TextLayout.row("-h, --help", "Show this text")
        text += "\n" + (examples.count == 1 ? "Example:\n" : "Examples:\n")
        for line in examples.flatMap({ $0.split(separator: "\n") }) { text += "  \(line)\n" }
        return text
    }

    private func rows(_ options: [Option<Values>]) -> String {
        options.filter { !$0.isHidden }.map { TextLayout.row($0.usage, $0.explanation) }.joined()
    }
}

extension OptionTable.Operands {
    /// What follows the options on a command line.
    fileprivate var usage: String {
        switch self {
        case .command: " -- COMMAND [ARGUMENT]..."
        case .file(let placeholder, _): " \(placeholder)"
        case .optionalFile(let placeholder, _): " [\(placeholder)]"
        case .words(let placeholders, let required, _):
            placeholders.enumerated().map { $0 < required ? " \($1)" : " [\($1)]" }.joined()
        case .files(let placeholder, _): " \(placeholder)..."
        }
    }
}

extension Option {
    /// What help calls the option's value; nil for a switch.
    var placeholder: String? {
        switch argument {
        case .none: nil
        case .value(let placeholder, _): placeholder
        case .configurationFile: "FILE"
        }
    }

    /// Whether a configuration file may hold it.
    var isConfigurable: Bool {
        if case .configurationFile = argument { false } else { true }
    }

    /// The option as it is written on the command line.
    fileprivate var usage: String {
        (letter.map { "-\($0), " } ?? "") + (placeholder.map { "--\(name) \($0)" } ?? "--\(name)")
    }

    /// What it does, and what holds without it.
    fileprivate var explanation: String {
        var remarks: [String] = []
        if isRepeatable { remarks.append("repeatable") }
        if let standard { remarks.append("default:\(TextLayout.fixedBlank)\(standard)") }
        return remarks.isEmpty ? summary : "\(summary) (\(remarks.joined(separator: "; ")))"
    }
}
