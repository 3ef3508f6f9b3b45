/// A value of a property list, as an app's Info.plist has them.
///
/// What a library makes of a value of an unexpected type is part of its rules, so those rules read this and not the file.
public indirect enum PropertyValue: Hashable, Sendable {
    /// `true` or `false`, which is no number.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Another number.
    case real(Double)
    /// Text.
    case string(String)
    /// Octets.
    case data([UInt8])
    /// A date, in seconds since 1970-01-01 UTC.
    case date(Double)
    /// Values in order.
    case array([PropertyValue])
    /// Values by key.
    case dictionary([String: PropertyValue])
}

extension PropertyValue {
    /// The text; nil if it is none.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements; nil if it is no array.
    public var elements: [PropertyValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The entries; nil if it is no dictionary.
    public var entries: [String: PropertyValue]? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries
    }

    /// Whether a number or a boolean is not zero; nil if it is neither.
    public var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        case .real(let number): number != 0
        case .string, .data, .date, .array, .dictionary: nil
        }
    }
}
