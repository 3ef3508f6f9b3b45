internal import Foundation
internal import Pinning
internal import Synchronization

/// Reads property lists, XML and binary, within bounds.
enum PropertyListReader {
    /// How deep arrays and dictionaries may be nested.
    static let depthLimit = 32
    /// How many values there may be: a binary list can name one value any number of times.
    static let valueLimit = 20_000

    private static let binaryMark = Array("bplist".utf8)

    /// Whether a file begins as a property list does.
    static func recognises(_ contents: [UInt8]) -> Bool {
        contents.starts(with: binaryMark) || MarkupProlog(contents)?.rootName == "plist"
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - contents: What is in it.
    ///   - context: For errors.
    /// - Returns: The value that it holds.
    /// - Throws: What is wrong with it.
    static func read(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) -> PropertyValue {
        let isBinary = contents.starts(with: binaryMark)
        if isBinary {
            guard contents.starts(with: "bplist00".utf8) else {
                throw context.error(
                    "it is a binary property list of a version that is not known", mend: xmlAdvice)
            }
        } else {
            try context.expectUTF8(contents)
            guard recognises(contents) || MarkupProlog(contents)?.hasInternalSubset == true else {
                throw context.error(
                    "it is no property list, which begins with bplist00, <?xml or <plist", mend: xmlAdvice)
            }
            // The decoder says little of what is wrong, and nothing of lines.
            try checkKeys(of: try MarkupReader.read(contents, context, allowsDocumentType: true), context)
        }
        let decoder = PropertyListDecoder()
        let budget = ValueBudget()
        decoder.userInfo[.budget] = budget
        do {
            return try decoder.decode(DecodedValue.self, from: Data(contents)).value
        } catch {
            if budget.isExceeded {
                throw context.error("its values are nested too deeply, or there are more than \(valueLimit)")
            }
            throw context.error(
                isBinary ? "it begins as a binary property list and is damaged" : "it is XML and no property list",
                mend: "check it with plutil -lint")
        }
    }

    private static let xmlAdvice = "convert it with plutil -convert xml1"

    /// Throws if a dictionary has a key twice, of which readers take one or the other without a word.
    private static func checkKeys(of element: MarkupElement, _ context: LoadingContext) throws(PolicyFileError) {
        if element.name == "dict" {
            var lines: [String: Int] = [:]
            for child in element.children where child.name == "key" {
                guard let line = lines.updateValue(child.line, forKey: child.text) else { continue }
                throw context.error("the key \(child.text.quoted) is there twice: in line \(line) too", at: child.place)
            }
        }
        for child in element.children { try checkKeys(of: child, context) }
    }
}

/// How many values a file may still hold; what a decoder carries along has to be Sendable, so it is locked.
private final class ValueBudget: Sendable {
    private let count = Mutex(0)

    /// Whether the file holds too much.
    var isExceeded: Bool { count.withLock { $0 > PropertyListReader.valueLimit } }

    /// Takes one value.
    func take(depth: Int) throws(Excess) {
        let isLeft = count.withLock { count in
            // What is nested too deeply, or within itself, is as good as endless.
            count += depth > PropertyListReader.depthLimit ? PropertyListReader.valueLimit + 1 : 1
            return count <= PropertyListReader.valueLimit
        }
        if !isLeft { throw Excess() }
    }

    struct Excess: Error {}
}

extension CodingUserInfoKey {
    // The text is no empty one, which is all that the initializer asks.
    fileprivate static let budget = CodingUserInfoKey(rawValue: "budget")!
}

/// A value of any kind, as the decoder finds it.
private struct DecodedValue: Decodable {
    let value: PropertyValue

    init(from decoder: any Decoder) throws {
        let budget = decoder.userInfo[.budget] as? ValueBudget
        try budget?.take(depth: decoder.codingPath.count)
        if let container = try? decoder.container(keyedBy: Key.self) {
            var entries: [String: PropertyValue] = [:]
            for key in container.allKeys {
                entries[key.stringValue] = try container.decode(DecodedValue.self, forKey: key).value
            }
            value = .dictionary(entries)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [PropertyValue] = []
            while !container.isAtEnd { elements.append(try container.decode(DecodedValue.self).value) }
            value = .array(elements)
        } else {
            value = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> PropertyValue {
        if let flag = try? container.decode(Bool.self) { return .boolean(flag) }
        if let number = try? container.decode(Int.self) { return .integer(number) }
        if let number = try? container.decode(Double.self) { return .real(number) }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let date = try? container.decode(Date.self) { return .date(date.timeIntervalSince1970) }
        return .data([UInt8](try container.decode(Data.self)))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
