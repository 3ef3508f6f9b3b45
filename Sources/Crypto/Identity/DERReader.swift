/// Walks over the elements of DER: the few forms that an AlgorithmIdentifier is made of.
struct DERReader {
    /// One element.
    struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>

        /// A reader of what a SEQUENCE holds; nil for other elements.
        var sequence: DERReader? { tag == 0x30 ? DERReader(content) : nil }

        /// A non-negative INTEGER; a larger one than fits counts as the largest.
        var unsigned: UInt64? {
            guard tag == 0x02, let first = content.first, first < 0x80 else { return nil }
            let digits = content.drop { $0 == 0 }
            return digits.count > 8 ? .max : digits.reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// An OBJECT IDENTIFIER in dotted notation.
        var objectIdentifier: String? {
            guard tag == 0x06, let last = content.last, last < 0x80 else { return nil }
            var arcs: [UInt64] = []
            var arc: UInt64 = 0
            for byte in content {
                guard arc < 1 << 56 else { return nil }
                arc = arc << 7 | UInt64(byte & 0x7F)
                if byte < 0x80 {
                    arcs.append(arc)
                    arc = 0
                }
            }
            let top = min(arcs[0] / 40, 2)
            return ([top, arcs[0] - top * 40] + arcs.dropFirst()).map(String.init).joined(separator: ".")
        }
    }

    private var rest: ArraySlice<UInt8>

    /// Reads `bytes` from their beginning.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Takes the next element; nil at the end, and where none begins.
    mutating func next() -> Element? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Element(tag: tag, content: rest.prefix(length))
    }
}
