/// Why a text is not a distinguished name.
public struct DistinguishedNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the part concerned.
    public let description: String
}

extension DistinguishedName {
    /// Reads a name as people write it: "CN=app,O=Example,C=DE" (RFC 4514), or "/C=DE/O=Example/CN=app" as OpenSSL's
    /// commands do.
    ///
    /// Both examples are the same name: RFC 4514 begins with the most specific part, OpenSSL with the least. "+" joins
    /// attributes to one part. A backslash takes the special meaning from the character after it, or stands before two
    /// hexadecimal digits for an octet of UTF-8. Types are known by their short names in any case, by OpenSSL's long
    /// names and as object identifiers. Blanks around a part do not count unless a backslash precedes them.
    ///
    /// - Parameter text: The name; not empty.
    /// - Throws: `DistinguishedNameError`.
    public init(text: String) throws(DistinguishedNameError) {
        let isSlashed = text.hasPrefix("/")
        var scanner = Scanner(rest: Array(text.utf8)[(isSlashed ? 1 : 0)...])
        var parts: [[Attribute]] = [[]]
        repeat {
            let attribute = try scanner.attribute(separator: isSlashed ? UInt8(ascii: "/") : UInt8(ascii: ","))
            parts[parts.count - 1].append(attribute)
            if scanner.endedPart { parts.append([]) }
        } while !scanner.isAtEnd
        if !isSlashed { parts.reverse() }
        self.init(
            parts.flatMap { part in
                part.enumerated().map { index, attribute in
                    Attribute(type: attribute.type, value: attribute.value, joinsPrevious: index > 0)
                }
            })
    }
}

/// Takes attributes from the front of a name.
private struct Scanner {
    var rest: ArraySlice<UInt8>
    /// Whether the attribute that was read last ended in a separator, so that another part must follow.
    private(set) var endedPart = false
    /// Whether nothing follows.
    private(set) var isAtEnd = false

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    /// Reads "TYPE=VALUE" up to the separator, a plus sign or the end.
    mutating func attribute(separator: UInt8) throws(DistinguishedNameError) -> DistinguishedName.Attribute {
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
            throw DistinguishedNameError(description: "\"\(text(rest))\" is not TYPE=VALUE")
        }
        let written = trimmed(rest[..<equals])
        rest = rest[(equals + 1)...]
        let value = try value(separator: separator)
        let attribute = DistinguishedName.Attribute(type: canonical(text(written)), value: value)
        guard attribute.isKnown else {
            throw DistinguishedNameError(
                description: "there is no attribute \"\(text(written))\"; usual are CN, O, OU, L, ST, C, emailAddress")
        }
        guard !value.isEmpty, attribute.isEncodable else {
            throw DistinguishedNameError(
                description: "\"\(value)\" is no \(attribute.type): "
                    + "a country has two letters, an e-mail address is ASCII, a common name has 1 to 64 characters")
        }
        return attribute
    }

    private mutating func value(separator: UInt8) throws(DistinguishedNameError) -> String {
        var octets: [UInt8] = []
        // How many octets count even if they are blanks.
        var kept = 0
        guard trimmed(rest).first != UInt8(ascii: "#") else {
            throw DistinguishedNameError(description: "values in hexadecimal (#...) are not read; write text")
        }
        (endedPart, isAtEnd) = (false, true)
        while let octet = rest.popFirst() {
            if octet == separator || octet == UInt8(ascii: "+") {
                (endedPart, isAtEnd) = (octet == separator, false)
                break
            }
            if octet == UInt8(ascii: "\\") {
                octets.append(try escaped())
                kept = octets.count
            } else if octet != UInt8(ascii: " ") {
                octets.append(octet)
                kept = octets.count
            } else if kept > 0 {
                octets.append(octet)
            }
        }
        guard let value = String(validating: octets[..<kept], as: UTF8.self),
            !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw DistinguishedNameError(description: "a value holds control characters, or is not UTF-8")
        }
        return value
    }

    /// Reads what follows a backslash.
    private mutating func escaped() throws(DistinguishedNameError) -> UInt8 {
        guard let first = rest.popFirst() else {
            throw DistinguishedNameError(description: "nothing follows the backslash at its end")
        }
        guard let second = rest.first, let octet = UInt8(text([first, second]), radix: 16),
            first != UInt8(ascii: "+")
        else { return first }
        rest = rest.dropFirst()
        return octet
    }

    /// A type as OpenSSL calls it, whose names distinguish upper case from lower.
    private func canonical(_ type: String) -> String {
        let names = [
            "CN", "O", "OU", "L", "ST", "C", "DC", "UID", "street", "SN", "GN", "serialNumber", "emailAddress",
        ]
        return names.first { $0.lowercased() == type.lowercased() } ?? type
    }

    private func text(_ octets: ArraySlice<UInt8>) -> String { String(decoding: octets, as: UTF8.self) }

    private func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var octets = octets.drop { $0 == UInt8(ascii: " ") }
        while octets.last == UInt8(ascii: " ") { octets = octets.dropLast() }
        return octets
    }
}
