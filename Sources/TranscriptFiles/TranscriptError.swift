internal import Wire

/// Why a file cannot be read as a transcript, and where.
public struct TranscriptError: Error, Sendable, Equatable {
    /// What kind of fault it is.
    public enum Code: Sendable, Equatable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        /// It does not begin as a transcript does.
        case notATranscript
        /// It is compressed.
        case compressed
        /// It is one in a version of the format that is not known here.
        case unknownVersion
        /// A line is longer than any that is written.
        case lineTooLong
        /// A line before the last one is no JSON object.
        case brokenLine
        /// A line is JSON, and something in it is not what `docs/events.md` says.
        case wrongValue
    }

    /// What kind of fault it is.
    public var code: Code
    /// The line, counted from 1; nil if it is the file as a whole.
    public var line: Int?
    /// The event and the field, such as `hello.extensions[2].body`; nil if it is the line as a whole.
    public var path: String?
    /// What is wrong, in a few words.
    public var reason: String

    /// Joins what is wrong with where.
    public init(_ code: Code, line: Int? = nil, path: String? = nil, reason: String) {
        self.code = code
        self.line = line
        self.path = path
        self.reason = reason
    }
}

extension TranscriptError: CustomStringConvertible {
    /// One line: `line 17: hello.ja4: a string is expected`.
    public var description: String {
        [line.map { "line \($0)" }, path, reason].compactMap { $0 }.joined(separator: ": ")
    }
}

/// What is wrong with a single line, which does not know its number.
struct LineFault: Error, Equatable {
    enum Kind: Equatable {
        /// It is no JSON: cut off, overwritten, or of another format.
        case syntax
        /// It is JSON and says something that no event says.
        case value
        /// It begins a transcript in another version of the format.
        case version
    }

    let kind: Kind
    let path: String?
    let reason: String

    static func syntax(_ reason: String) -> LineFault { LineFault(kind: .syntax, path: nil, reason: reason) }

    static func value(_ path: String?, _ reason: String) -> LineFault {
        LineFault(kind: .value, path: path, reason: reason)
    }
}

extension LineFault {
    /// What the scanner found, at a place that it does not know.
    init(_ fault: JSONFault, path: String?) {
        self =
            switch fault.kind {
            case .syntax: .syntax(fault.reason)
            case .value: .value(path, fault.reason)
            }
    }
}
