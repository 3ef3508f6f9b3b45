/// What PEM blocks begin with.
enum PEMMarks {
    /// The beginning of any block.
    static let begin = Array("-----BEGIN ".utf8)

    /// The line that begins a block of a kind.
    static func begin(_ label: StaticString) -> [UInt8] { begin + Array("\(label)-----".utf8) }
}

extension [UInt8] {
    /// Whether some bytes are anywhere in these.
    func contains(_ bytes: [UInt8]) -> Bool { firstIndex(of: bytes) != nil }

    /// Where some bytes first are in these; nil if they are not.
    func firstIndex(of bytes: [UInt8]) -> Int? {
        guard !bytes.isEmpty, count >= bytes.count else { return nil }
        return (0...(count - bytes.count)).first { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
    }
}
