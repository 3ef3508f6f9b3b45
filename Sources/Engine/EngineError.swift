internal import Glibc

/// Why the engine cannot start: what, and how to mend it.
public struct EngineError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in one line.
    public let message: String
    /// How to mend it, in one line.
    public let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    /// Message and hint in one line.
    public var description: String { "\(message); \(hint)" }

    /// The text of an errno.
    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
