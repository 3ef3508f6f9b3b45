/// DER as X.690 section 10 has it, and nothing that is only BER: what strict verifiers accept.
struct DERReader {
    struct Malformed: Error {
        let reason: String
    }

    /// One value: its tag and what is in it.
    struct Value: Equatable {
        let tag: UInt8
        let content: ArraySlice<UInt8>

        /// What is inside a constructed value, in order.
        func children() throws -> [Value] {
            var reader = DERReader(content)
            var values: [Value] = []
            while !reader.rest.isEmpty { values.append(try reader.next()) }
            return values
        }

        /// The value as the only one in its octets, as an OCTET STRING holds an extension.
        func only() throws -> Value {
            let values = try children()
            guard values.count == 1 else { throw Malformed(reason: "\(values.count) values in place of one") }
            return values[0]
        }
    }

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Takes the next value.
    mutating func next() throws -> Value {
        let tag = try octet()
        guard tag & 0x1F != 0x1F else { throw Malformed(reason: "a tag of several octets") }
        var length = Int(try octet())
        if length >= 0x80 {
            guard (0x81...0x82).contains(length) else { throw Malformed(reason: "length \(length)") }
            let count = length - 0x80
            length = 0
            for _ in 0..<count { length = length << 8 | Int(try octet()) }
            // As few octets as possible (section 10.1).
            guard length >= (count == 1 ? 0x80 : 0x100) else { throw Malformed(reason: "a length that is not minimal") }
        }
        guard rest.count >= length else { throw Malformed(reason: "cut short") }
        defer { rest = rest.dropFirst(length) }
        let value = Value(tag: tag, content: rest.prefix(length))
        switch tag {
        case 0x01 where length != 1 || ![0x00, 0xFF].contains(value.content.first):
            throw Malformed(reason: "a BOOLEAN that is neither 00 nor FF")
        case 0x02 where !Self.isMinimal(value.content):
            throw Malformed(reason: "an INTEGER that is not minimal")
        default: return value
        }
    }

    private static func isMinimal(_ integer: ArraySlice<UInt8>) -> Bool {
        guard let first = integer.first else { return false }
        guard let second = integer.dropFirst().first else { return true }
        return !(first == 0x00 && second < 0x80) && !(first == 0xFF && second >= 0x80)
    }

    private mutating func octet() throws -> UInt8 {
        guard let octet = rest.popFirst() else { throw Malformed(reason: "cut short") }
        return octet
    }
}
