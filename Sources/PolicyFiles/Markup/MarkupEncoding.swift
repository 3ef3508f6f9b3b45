internal import Foundation

/// The encoding that an XML declaration names (XML 1.0 section 4.3.3).
///
/// Only UTF-8 is read, and the parser underneath is not told of others: it changes over to whatever encoding it knows the
/// name of, and at some of them (UTF-7) it crashes.
enum MarkupEncoding {
    /// Those that are UTF-8, or a part of it.
    private static let known: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii"]

    /// What a file declares that is not read; nil if it declares nothing, or UTF-8.
    static func foreign(in contents: [UInt8]) -> String? {
        let text = contents.starts(with: ByteOrderMark.utf8) ? contents.dropFirst(3) : contents[...]
        guard text.starts(with: "<?xml".utf8) else { return nil }
        let declaration = String(decoding: text.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let name = declaration.range(of: "encoding") else { return nil }
        let value = declaration[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return String(value.prefix(40)) }
        let encoding = value.dropFirst().prefix { $0 != quote }
        return known.contains(encoding.lowercased()) ? nil : String(encoding.prefix(40))
    }
}
