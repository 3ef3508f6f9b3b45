internal import Wire

/// Takes PEM text apart.
///
/// Text around the blocks, a byte order mark, any line ends and blanks at the ends of lines are tolerated. What looks
/// like a block but is none is an error that names the line: passing over it could drop an intermediate certificate.
struct PEMText {
    /// One block (RFC 7468, with the header fields of RFC 1421 that old keys have).
    struct Block {
        /// What stands between BEGIN and the dashes.
        let label: String
        /// The header fields by name.
        let fields: [String: String]
        /// What the text encodes.
        let contents: SecretBytes
        /// The number of the line that it begins at, the first being 1.
        let line: Int
    }

    private let lines: [ArraySlice<UInt8>]
    /// The index of the line that is next.
    private var next = 0

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    /// Takes text apart into lines.
    init(_ text: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
        // A CR LF would count as two lines otherwise; a CR alone ends lines of very old files.
        let lineEnd: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
        lines = text.split(separator: lineEnd, omittingEmptySubsequences: false).map { line in
            let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
            return line.prefix(upTo: line.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? line.startIndex)
        }
    }

    /// Says whether `bytes` may be PEM text.
    static func isLikely(_ bytes: [UInt8]) -> Bool { bytes[...].contains(begin) }

    /// Takes the next block.
    ///
    /// - Returns: The block; nil at the end.
    /// - Throws: `IdentityError.damaged` with the line.
    mutating func nextBlock() throws(IdentityError) -> Block? {
        while next < lines.count {
            let line = lines[next]
            next += 1
            // PEM that is quoted within other text, as in a configuration file, is not meant.
            guard line.starts(with: Self.begin) else { continue }
            guard let label = Self.label(of: line, after: Self.begin) else { throw malformed(at: next) }
            return try block(label)
        }
        return nil
    }

    /// Reads the block with this label after its first line.
    private mutating func block(_ label: String) throws(IdentityError) -> Block {
        let first = next
        let fields = headerFields()
        var text: [UInt8] = []
        defer { cleanse(&text) }
        while next < lines.count {
            let line = lines[next]
            next += 1
            guard line.starts(with: Self.dashes) || line.contains(Self.dashes) else {
                text += line
                continue
            }
            guard Self.label(of: line, after: Self.end) == label else { throw malformed(at: next) }
            guard let contents = Base64Text.decode(text) else {
                throw .damaged("malformed PEM at line \(first): the block is not base64")
            }
            return Block(label: label, fields: fields, contents: contents, line: first)
        }
        throw .damaged("malformed PEM at line \(first): the block does not end")
    }

    /// Reads header fields, which a blank line ends.
    private mutating func headerFields() -> [String: String] {
        var fields: [String: String] = [:]
        var name: String?
        while next < lines.count, lines[next].contains(UInt8(ascii: ":")) || name != nil {
            let line = lines[next]
            next += 1
            guard !line.isEmpty else { break }
            if line.first == 0x20 || line.first == 0x09 {
                // The line before goes on.
                if let name { fields[name, default: ""] += Self.trimmed(line) }
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let key = String(decoding: line[..<colon], as: UTF8.self)
                fields[key] = Self.trimmed(line[(colon + 1)...])
                name = key
            } else {
                // No blank line: the contents begin here.
                next -= 1
                break
            }
        }
        return fields
    }

    private func malformed(at line: Int) -> IdentityError { .damaged("malformed PEM at line \(line)") }

    /// The label of a line such as "-----BEGIN CERTIFICATE-----"; nil if it is not formed like this.
    private static func label(of line: ArraySlice<UInt8>, after start: [UInt8]) -> String? {
        guard line.starts(with: start), line.count >= start.count + dashes.count,
            line.suffix(dashes.count).elementsEqual(dashes)
        else { return nil }
        let label = line.dropFirst(start.count).dropLast(dashes.count)
        // Two marks on one line, as `cat` makes of files without a last line end.
        guard !label.contains(dashes) else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }
}

/// Base64 (RFC 4648, section 4) as it stands in PEM.
enum Base64Text {
    /// Decodes `text`, in which blanks are passed over.
    ///
    /// - Returns: The bytes; nil if it is not base64.
    static func decode(_ text: [UInt8]) -> SecretBytes? {
        SecretBytes(capacity: text.count) { bytes in
            var count = 0
            var group: UInt32 = 0
            var digits = 0
            var padding = 0
            for character in text where character != 0x20 && character != 0x09 && character != 0x0D {
                if character == UInt8(ascii: "=") {
                    padding += 1
                    continue
                }
                guard padding == 0, let digit = Base64.sextet(of: character) else { return nil }
                // Eight bits are complete after every digit but the first of four.
                group = group << 6 | UInt32(digit)
                digits += 1
                let place = UInt32(digits % 4)
                if place != 1 {
                    bytes[count] = UInt8(truncatingIfNeeded: group >> [0, 0, 4, 2][Int(place)])
                    count += 1
                }
            }
            switch (digits % 4, padding) {
            case (0, 0), (2, 2), (3, 1): return count
            default: return nil
            }
        }
    }
}
