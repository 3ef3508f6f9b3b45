internal import Glibc

/// Where a password is read: never the command line itself, which every process can see.
enum PasswordSource: Hashable, Sendable {
    /// The first line of a file.
    case file(String)
    /// A variable of the environment.
    case environment(String)

    /// Reads the password; the answer holds no octet of zero and is UTF-8.
    ///
    /// - Parameter variable: Reads an environment variable.
    /// - Returns: The password.
    /// - Throws: `CommandError` without the password.
    func read(
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) throws(CommandError) -> [UInt8] {
        switch self {
        case .environment(let name):
            guard let value = variable(name) else {
                throw CommandError(
                    "no such environment variable", at: name, mend: "export it, or use file:PATH for the password")
            }
            return [UInt8](value.utf8)
        case .file(let path):
            var line = try Files.read(path, limit: 1 << 16).prefix { $0 != UInt8(ascii: "\n") }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
                throw CommandError(
                    "not a password", at: path, mend: "write it as UTF-8 text in the first line of the file")
            }
            return [UInt8](line)
        }
    }
}

extension PasswordSource {
    /// Warns of a password of a PKCS#12 file that some programs cannot use.
    static func warn(about password: [UInt8]) throws(CommandError) {
        guard !password.allSatisfy({ $0 < 0x80 }) else { return }
        try StandardStream.error.write(
            "pinproof: warning: the password is not ASCII: Java does not open the PKCS#12 file; openssl, curl, Node do\n"
        )
    }
}

extension ValueFormat<PasswordSource> {
    /// Where a password is read.
    static var passwordSource: ValueFormat {
        ValueFormat(
            placeholder: "file:PATH|env:NAME",
            parse: { (text) throws(ValueError) in
                for (prefix, make) in [("file:", PasswordSource.file), ("env:", PasswordSource.environment)]
                where text.hasPrefix(prefix) && text.count > prefix.count {
                    return make(String(text.dropFirst(prefix.count)))
                }
                // What was written may be the password itself.
                throw ValueError(
                    what: "not where a password is read", remedy: "write file:PATH, or env:NAME for a variable")
            })
    }
}
