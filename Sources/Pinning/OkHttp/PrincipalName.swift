/// A distinguished name as Java's `X500Principal` compares it, which is how OkHttp tells issuers on a JVM (PS-4-5).
///
/// In printable and UTF-8 strings, neither case nor the number of blanks matters, nor which of the two they are; all else
/// is compared as it is encoded. Of Java's compatibility forms (NFKD) only the canonical ones are equal here.
struct PrincipalName: Hashable {
    private enum Value: Hashable {
        case text(String)
        case encoded(tag: UInt8, ArraySlice<UInt8>)
    }

    private struct Attribute: Hashable {
        let type: ArraySlice<UInt8>
        let value: Value
    }

    /// One set for each relative name, whose attributes have no order.
    private let parts: [Set<Attribute>]
    /// What is no name, and equal to nothing but itself.
    private let unreadable: [UInt8]

    /// Reads a name.
    ///
    /// - Parameter encoding: The DER of a Name.
    init(_ encoding: [UInt8]) {
        let parts = Self.parts(of: encoding)
        self.parts = parts ?? []
        unreadable = parts == nil ? encoding : []
    }

    private static func parts(of encoding: [UInt8]) -> [Set<Attribute>]? {
        guard let name = elements(encoding[...]), name.count == 1, name[0].tag == 0x30 else { return nil }
        var parts: [Set<Attribute>] = []
        for part in elements(name[0].content) ?? [(0, [])] {
            guard part.tag == 0x31, let attributes = elements(part.content) else { return nil }
            var set: Set<Attribute> = []
            for attribute in attributes {
                guard attribute.tag == 0x30, let pair = elements(attribute.content), pair.count == 2 else { return nil }
                set.insert(Attribute(type: pair[0].content, value: value(pair[1].tag, pair[1].content)))
            }
            parts.append(set)
        }
        return parts
    }

    private static func value(_ tag: UInt8, _ content: ArraySlice<UInt8>) -> Value {
        // UTF8String and PrintableString.
        guard tag == 0x0C || tag == 0x13 else { return .encoded(tag: tag, content) }
        return .text(String(decoding: content, as: UTF8.self).lowercased().split(separator: " ").joined(separator: " "))
    }

    /// The elements that stand side by side; nil if the bytes are none.
    private static func elements(_ bytes: ArraySlice<UInt8>) -> [(tag: UInt8, content: ArraySlice<UInt8>)]? {
        var rest = bytes
        var elements: [(tag: UInt8, content: ArraySlice<UInt8>)] = []
        while let tag = rest.popFirst() {
            guard let first = rest.popFirst() else { return nil }
            var length = Int(first)
            if first >= 0x80 {
                let count = Int(first & 0x7F)
                guard (1...3).contains(count), rest.count >= count else { return nil }
                length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(count)
            }
            guard length <= rest.count else { return nil }
            elements.append((tag, rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return elements
    }
}
