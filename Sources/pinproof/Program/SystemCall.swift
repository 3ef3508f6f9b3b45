internal import Glibc

/// What every use of a system call here needs.
enum SystemCall {
    /// The system's words for `errno`; ask directly after the call that failed.
    static var failure: String { String(cString: strerror(errno)) }

    /// Writes all of `bytes`, in as many calls as it takes.
    ///
    /// - Returns: Whether all was written; if not, `errno` says why.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
