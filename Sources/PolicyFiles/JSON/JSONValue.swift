internal import Wire

/// A JSON value as it is written: members in their order, and none twice.
indirect enum JSONValue {
    case null
    case boolean(Bool)
    /// A number, as its text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A member of an object.
    struct Member {
        var name: String
        var value: JSONValue
    }
}

extension JSONValue {
    /// How many values a file may hold.
    static let valueLimit = 100_000

    /// Reads a file that holds one value.
    ///
    /// - Parameters:
    ///   - contents: What is in it.
    ///   - context: For errors.
    /// - Throws: What is no JSON, or there twice.
    init(_ contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) {
        try context.expectUTF8(contents)
        if contents.starts(with: ByteOrderMark.utf8) {
            throw context.error("it begins with a byte order mark", at: .line(1), mend: ByteOrderMark.advice)
        }
        var reader = JSONReader(contents: contents, context: context)
        self = try reader.read()
    }

    /// What kind of value it is, for messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Builds values of what the scanner finds.
private struct JSONReader {
    let contents: [UInt8]
    let context: LoadingContext
    private var count = 0

    init(contents: [UInt8], context: LoadingContext) {
        self.contents = contents
        self.context = context
    }

    mutating func read() throws(PolicyFileError) -> JSONValue {
        var scanner = JSONScanner(contents, contents.indices)
        let range: Range<Int>
        do throws(JSONFault) {
            range = try scanner.value()
            try scanner.expectEnd()
        } catch {
            let line = contents.prefix(error.position).count { $0 == 0x0A } + 1
            throw context.error("it is no JSON: \(error.reason)", at: .line(line))
        }
        return try value(range, at: [])
    }

    private mutating func value(_ range: Range<Int>, at path: [String]) throws(PolicyFileError) -> JSONValue {
        count += 1
        guard count <= JSONValue.valueLimit else {
            throw context.error("it holds more than \(JSONValue.valueLimit) values")
        }
        let code = contents[range]
        switch code.first {
        case UInt8(ascii: "{"): return .object(try members(range, at: path))
        case UInt8(ascii: "["): return .array(try elements(range, at: path))
        case UInt8(ascii: "\""):
            guard let text = JSONText.string(code) else {
                throw context.error("the text is no valid Unicode", at: .key(path))
            }
            return .string(text)
        case UInt8(ascii: "t"): return .boolean(true)
        case UInt8(ascii: "f"): return .boolean(false)
        case UInt8(ascii: "n"): return .null
        default: return .number(String(decoding: code, as: UTF8.self))
        }
    }

    private mutating func members(
        _ range: Range<Int>, at path: [String]
    ) throws(PolicyFileError) -> [JSONValue.Member] {
        var found: [(key: Range<Int>, value: Range<Int>)] = []
        var scanner = JSONScanner(contents, range)
        try walk { () throws(JSONFault) in
            try scanner.object { (key, value) throws(JSONFault) in found.append((key, value)) }
        }
        var names: Set<String> = []
        var members: [JSONValue.Member] = []
        for (key, value) in found {
            guard let name = JSONText.string(contents[key]) else {
                throw context.error("a member's name is no valid Unicode", at: .key(path))
            }
            guard names.insert(name).inserted else {
                throw context.error(
                    "it is there twice, and readers would take one or the other", at: .key(path + [name]),
                    mend: "write each name once")
            }
            members.append(.init(name: name, value: try self.value(value, at: path + [name])))
        }
        return members
    }

    private mutating func elements(_ range: Range<Int>, at path: [String]) throws(PolicyFileError) -> [JSONValue] {
        var found: [Range<Int>] = []
        var scanner = JSONScanner(contents, range)
        try walk { () throws(JSONFault) in
            try scanner.array { (value) throws(JSONFault) in found.append(value) }
        }
        var elements: [JSONValue] = []
        for (index, range) in found.enumerated() {
            elements.append(try value(range, at: path + [String(index)]))
        }
        return elements
    }

    /// Walks over what was found to be JSON before.
    private func walk(_ body: () throws(JSONFault) -> Void) throws(PolicyFileError) {
        do throws(JSONFault) {
            try body()
        } catch {
            throw context.error("it is no JSON: \(error.reason)")
        }
    }
}
