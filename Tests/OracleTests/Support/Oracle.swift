import Foundation
import Testing

/// The programs and libraries whose word counts, where Debian's packages put them (`scripts/test-packages.txt`).
enum Oracle: String {
    case curl = "/usr/bin/curl"
    case openssl = "/usr/bin/openssl"
    case java = "/usr/bin/java"
    /// Java's compiler, with which `java` runs a program from its source.
    case javac = "/usr/bin/javac"
    case okhttp = "/usr/share/java/okhttp.jar"
    case okio = "/usr/share/java/okio.jar"
    case python = "/usr/bin/python3"
    case urllib3 = "/usr/lib/python3/dist-packages/urllib3"

    var isInstalled: Bool { FileManager.default.fileExists(atPath: rawValue) }

    /// One of the programs that stand in `Oracles`.
    static func source(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Oracles/\(name)").path
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests, and says so, where an oracle is not installed.
    static func asks(_ oracles: Oracle...) -> Self {
        let missing = oracles.filter { !$0.isInstalled }.map(\.rawValue).joined(separator: ", ")
        return .enabled(if: missing.isEmpty, "\(missing) is not installed: scripts/install-packages.sh does it")
    }
}

/// What an oracle is asked: fields of any bytes.
struct Question {
    var fields: [[UInt8]]

    init(_ kind: String, _ fields: [UInt8]...) { self.fields = [Array(kind.utf8)] + fields }

    /// The fields in Base64, so that neither tabs nor line ends can be mistaken.
    var line: String { fields.map { Data($0).base64EncodedString() }.joined(separator: "\t") + "\n" }
}

extension Folder {
    /// Asks a program everything at once, so that it starts once.
    ///
    /// - Parameters:
    ///   - program: Answers each line of its input with one line that begins with "= ".
    ///   - arguments: The words after its name.
    ///   - questions: What to ask.
    /// - Returns: The answers in the order of the questions.
    /// - Throws: If the program fails or leaves a question unanswered.
    func ask(_ program: Oracle, _ arguments: [String], _ questions: [Question]) throws -> [String] {
        try write("questions", Array(questions.map(\.line).joined().utf8))
        let run = try run(program, arguments, input: "questions")
        let answers = run.lines.filter { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)) }
        try #require(run.status == 0 && answers.count == questions.count, "\(run.output.suffix(2000))")
        return answers
    }
}
