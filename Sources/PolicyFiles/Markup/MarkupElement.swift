/// An XML element with all that is in it.
struct MarkupElement {
    /// The name as it is written, with its prefix.
    var name: String
    /// The attributes, by their names as they are written.
    var attributes: [String: String]
    /// The line in which the start tag ends.
    var line: Int
    /// The text in the element itself, without that of its children.
    var text = ""
    /// The elements in it, in their order.
    var children: [MarkupElement] = []
}

extension MarkupElement {
    /// Where it stands.
    var place: PolicyFileError.Place { .line(line) }
    /// Its text without blanks around it, as Java's `trim` has it.
    var trimmedText: String {
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        return String(
            decoding: text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }

    /// Whether an element of this name is anywhere in it, or it is one.
    func contains(_ name: String) -> Bool {
        self.name == name || children.contains { $0.contains(name) }
    }
}
