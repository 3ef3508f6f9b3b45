internal import Glibc

/// Asks whoever sits at the terminal for a password.
enum PasswordPrompt {
    /// Asks, without showing what is typed.
    ///
    /// - Parameter what: What the password opens.
    /// - Returns: The password; nil if there is no terminal.
    static func ask(for what: String) -> [UInt8]? {
        // The terminal itself: standard input and output may be files.
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &before)
            _ = SystemCall.writeAll([UInt8(ascii: "\n")], to: terminal)
        }
        guard SystemCall.writeAll(Array("Password for \(what.printable): ".utf8), to: terminal) else { return nil }
        return line(from: terminal)
    }

    private static func line(from terminal: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < longest {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return line.isEmpty ? nil : line }
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        return line
    }

    private static let longest = 4096
}
