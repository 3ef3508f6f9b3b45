internal import Glibc
internal import Interception

/// The file of `--proxy-auth-file`: a line NAME:PASSWORD for everybody who may use the proxy, in UTF-8.
enum CredentialsFile {
    /// Reads the file.
    ///
    /// - Parameter path: The file; others than its owner must not have access.
    /// - Returns: Who may use the proxy.
    /// - Throws: `CommandError` with the line, never with what stands there.
    static func read(_ path: String) throws(CommandError) -> ProxyCredentials {
        let credentials = try parse(Files.read(path, limit: 1 << 20), path)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw CommandError(
                "others than its owner have access to the passwords", at: path, mend: "run `chmod 600 \(path)`")
        }
        return credentials
    }

    /// Reads the lines: empty ones and those that begin with `#` count for nothing.
    static func parse(_ bytes: [UInt8], _ path: String) throws(CommandError) -> ProxyCredentials {
        var pairs: [[UInt8]] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
                String(validating: text, as: UTF8.self) != nil, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else {
                throw CommandError(
                    "not NAME:PASSWORD", at: "\(path), line \(index + 1)",
                    mend: "write a name, a colon and a password, in UTF-8")
            }
            pairs.append(Array(text))
        }
        guard !pairs.isEmpty else {
            throw CommandError("nobody is in the file", at: path, mend: "write a line NAME:PASSWORD")
        }
        return ProxyCredentials(pairs)
    }
}
