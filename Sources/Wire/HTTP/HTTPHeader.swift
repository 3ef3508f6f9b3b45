/// One field of an HTTP head, as sent.
public struct HTTPHeader: Sendable, Hashable {
    /// The field's name, in the case in which it was sent.
    public var name: String
    /// The field's value without the white space around it.
    public var value: String

    /// Joins a name and a value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has this name, in any case (RFC 9110 section 5.1).
    public func isNamed(_ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension [HTTPHeader] {
    /// The values of all fields with this name, in any case, in the order sent.
    public func values(named name: String) -> [String] {
        filter { $0.isNamed(name) }.map(\.value)
    }
}
