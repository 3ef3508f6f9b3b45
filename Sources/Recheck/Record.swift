/// A TLS record (RFC 8446 section 5.1).
struct Record {
    /// The content types that are told apart.
    enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let alert: UInt8 = 21
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
    }

    /// The five octets before the fragment.
    let header: [UInt8]
    let fragment: ArraySlice<UInt8>

    var type: UInt8 { header[0] }
}

/// Cuts the octets of one direction into records, however they come.
struct RecordReader {
    private var bytes: [UInt8] = []
    private var position = 0

    /// Takes the octets that follow.
    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(position)
        position = 0
        bytes += more
    }

    /// The next record; nil if no whole one is here.
    mutating func next() -> Record? {
        let start = position + Self.headerLength
        guard start <= bytes.count else { return nil }
        let end = start + Int(bytes[start - 2]) << 8 + Int(bytes[start - 1])
        guard end <= bytes.count else { return nil }
        defer { position = end }
        return Record(header: Array(bytes[position..<start]), fragment: bytes[start..<end])
    }

    private static let headerLength = 5
}
