/// Finds curl in a command line.
enum CurlCommand {
    /// Programs that start another, whose name follows their own options.
    private static let starters: Set<String> = [
        "command", "doas", "env", "exec", "nice", "nohup", "sudo", "time", "timeout", "xargs",
    ]

    /// Whether a line of a file begins a command of curl's, rather than naming an option.
    static func begins(_ line: CurlLine) -> Bool {
        position(in: line.text.split(maxSplits: 64) { $0 == " " || $0 == "\t" }.map(String.init)) != nil
    }

    /// Where curl's name is among the words of a command; nil if the command is another program's.
    ///
    /// Before it may stand a prompt, variables and a program that starts it.
    static func position(in words: [String]) -> Int? {
        let rest = words.first == "$" ? words.dropFirst() : words[...]
        guard let first = rest.first else { return nil }
        if isCurl(first) { return rest.startIndex }
        let isBefore = starters.contains(first.split(separator: "/").last.map(String.init) ?? "") || isVariable(first)
        return isBefore ? rest.firstIndex(where: isCurl) : nil
    }

    private static func isCurl(_ word: String) -> Bool {
        let word = word.lowercased()
        let file = word.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        // A shell takes the backslashes out of a path with a drive.
        return file == "curl" || file == "curl.exe"
            || word.contains(":") && !word.contains("/") && file.hasSuffix("curl.exe")
    }

    /// Whether a word sets a variable (`NAME=value`); options of curl's may look the same in a configuration file.
    private static func isVariable(_ word: String) -> Bool {
        guard let end = word.firstIndex(of: "="), let first = word.first else { return false }
        let name = word[..<end]
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && !first.isNumber
        return isName && !name.isEmpty && !CurlOptionTable.isKnown(String(name))
    }
}
