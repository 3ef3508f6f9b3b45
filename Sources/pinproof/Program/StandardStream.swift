internal import Glibc

/// One of the process's own output streams.
///
/// Writes go straight to the descriptor: nothing waits in a buffer when the process ends, and a full disk is an error
/// of the command instead of silence.
struct StandardStream: Sendable {
    /// Where data goes.
    static let output = StandardStream(descriptor: STDOUT_FILENO, name: "standard output")
    /// Where messages go.
    static let error = StandardStream(descriptor: STDERR_FILENO, name: "standard error")

    fileprivate let descriptor: Int32
    private let name: String

    /// Whether a person reads this stream.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether it shows colours, and nobody wants it not to: `NO_COLOR` (https://no-color.org) is set, or the terminal is
    /// one without abilities.
    var takesColour: Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        guard SystemCall.writeAll(bytes, to: descriptor) else {
            throw CommandError("cannot write to \(name)", at: SystemCall.failure)
        }
    }

    /// Writes `text` as it is.
    func write(_ text: String) throws(CommandError) { try write([UInt8](text.utf8)) }
}

extension StandardStream {
    /// The width of the terminal that this stream is; nil if it is none.
    var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    /// The height of that terminal.
    var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var size: winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
}
