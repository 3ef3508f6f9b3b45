/// Looks at the tags with which DER begins, without decoding anything.
struct DERPeek {
    enum Tag {
        case integer, objectIdentifier, sequence, other
    }

    private var rest: ArraySlice<UInt8>

    init(_ contents: [UInt8]) { rest = contents[...] }

    /// Steps into a sequence, and tells the tag of the first thing in it.
    mutating func contentOfSequence() -> Tag? {
        guard rest.popFirst() == 0x30, let length = rest.popFirst() else { return nil }
        if length > 0x80 { rest = rest.dropFirst(Int(length & 0x7F)) }
        switch rest.first {
        case 0x02?: return .integer
        case 0x06?: return .objectIdentifier
        case 0x30?: return .sequence
        case _?: return .other
        case nil: return nil
        }
    }

    /// Whether a file begins as a SubjectPublicKeyInfo does: a sequence in a sequence, and in it an algorithm.
    static func isPublicKey(_ contents: [UInt8]) -> Bool {
        var peek = DERPeek(contents)
        return peek.contentOfSequence() == .sequence && peek.contentOfSequence() == .objectIdentifier
    }
}
