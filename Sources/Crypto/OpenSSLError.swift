internal import COpenSSL

/// What OpenSSL's error queue of this thread held after a failed call.
///
/// Errors are told apart by `library` and `reason`, never by text: texts change between releases.
public struct OpenSSLError: Error, Hashable, Sendable {
    /// One entry of the queue.
    public struct Entry: Hashable, Sendable {
        /// The number of the OpenSSL library (`ERR_LIB_SSL`, ...).
        public let library: Int32
        /// The reason within that library.
        public let reason: Int32
        /// OpenSSL's own words, for display only.
        public let text: String

        /// Entries are equal when library and reason are.
        public static func == (left: Entry, right: Entry) -> Bool {
            left.library == right.library && left.reason == right.reason
        }

        /// Hashes what equality looks at.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(library)
            hasher.combine(reason)
        }
    }

    /// The C function that failed.
    public let function: String
    /// The queue, oldest entry first.
    public let entries: [Entry]

    /// Drains this thread's error queue.
    ///
    /// Call it right after `function` failed, on the same thread.
    public static func drain(_ function: String) -> OpenSSLError {
        var entries: [Entry] = []
        while case let code = ERR_get_error(), code != 0 {
            var buffer = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(code, &buffer, buffer.count)
            let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            entries.append(Entry(library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code), text: text))
        }
        return OpenSSLError(function: function, entries: entries)
    }
}

extension OpenSSLError {
    /// The deepest reason in OpenSSL's words, without its number, library and function.
    var reason: String {
        let text = entries.first?.text ?? "\(function) failed"
        return text.split(separator: ":").last.map(String.init) ?? text
    }

    /// The number of the deepest entry as OpenSSL writes it, such as "0A00018A": the same in every release.
    var number: String {
        guard let first = entries.first else { return "no number" }
        // Eight bits of library, 23 of reason; a reason may carry flags above its number.
        let packed =
            UInt32(truncatingIfNeeded: first.library) << 23 | UInt32(truncatingIfNeeded: first.reason) & 0x7F_FFFF
        let digits = String(packed, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension OpenSSLError: CustomStringConvertible {
    /// The failed function and the deepest reason, in OpenSSL's words.
    public var description: String {
        guard let first = entries.first else { return "\(function) failed" }
        return "\(function): \(first.text)"
    }
}
