internal import Wire

/// The members of an object, found but not read: each is read when it is asked for, as what it has to be.
///
/// The counterpart of `JSONWriter`. Everything is copied from the line at the latest when it is returned.
struct JSONFields {
    /// Where the object stands, for errors: nil for the line, `closed.client` within it.
    let path: String?
    private let line: [UInt8]
    private let members: [String: Range<Int>]

    /// More members than any event has, newer versions included.
    private static let memberLimit = 256

    /// Finds the members of a whole line.
    init(line: [UInt8]) throws(LineFault) {
        try self.init(line, line.indices, path: nil)
    }

    private init(_ line: [UInt8], _ range: Range<Int>, path: String?) throws(LineFault) {
        self.line = line
        self.path = path
        var scanner = JSONScanner(line, range)
        var members: [String: Range<Int>] = [:]
        do throws(JSONFault) {
            try scanner.object { (key, value) throws(JSONFault) in
                func refuse(_ reason: String) -> JSONFault { JSONFault(.value, at: key.lowerBound, reason) }
                guard let name = JSONText.string(line[key]) else { throw refuse("a name is no Unicode") }
                guard members.updateValue(value, forKey: name) == nil else { throw refuse("a name is there twice") }
                guard members.count <= Self.memberLimit else { throw refuse("there are too many names") }
            }
            try scanner.expectEnd()
        } catch {
            throw LineFault(error, path: path)
        }
        self.members = members
    }

    /// The same members, whose errors say that they are those of this event.
    func named(_ event: String) -> JSONFields { JSONFields(path: event, line: line, members: members) }

    private init(path: String?, line: [UInt8], members: [String: Range<Int>]) {
        self.path = path
        self.line = line
        self.members = members
    }

    // MARK: Members

    /// Whether there is a member of this name.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A fault of a member.
    func fault(_ name: String, _ reason: String) -> LineFault {
        .value(path.map { "\($0).\(name)" } ?? name, reason)
    }

    /// The text of a member, whatever it is.
    func code(_ name: String) throws(LineFault) -> ArraySlice<UInt8> { line[try range(name)] }

    private func range(_ name: String) throws(LineFault) -> Range<Int> {
        guard let range = members[name] else { throw fault(name, "it is missing") }
        return range
    }

    /// Reads a member.
    func member<Value>(
        _ name: String, _ what: StaticString, _ read: (ArraySlice<UInt8>) -> Value?
    ) throws(LineFault) -> Value {
        guard let value = read(try code(name)) else { throw fault(name, "\(what) is expected") }
        return value
    }

    /// Reads a member that may be null.
    func optional<Value>(
        _ name: String, _ what: StaticString, _ read: (ArraySlice<UInt8>) -> Value?
    ) throws(LineFault) -> Value? {
        try isNull(name) ? nil : try member(name, what, read)
    }

    /// Whether a member is null; it must be there.
    func isNull(_ name: String) throws(LineFault) -> Bool {
        try code(name).elementsEqual("null".utf8)
    }

    /// Reads the values of an array.
    func list<Value>(
        _ name: String, of what: StaticString, _ read: (ArraySlice<UInt8>) -> Value?
    ) throws(LineFault) -> [Value] {
        var values: [Value] = []
        try each(name) { (index, range) throws(LineFault) in
            guard let value = read(line[range]) else { throw fault("\(name)[\(index)]", "\(what) is expected") }
            values.append(value)
        }
        return values
    }

    /// Reads the objects of an array.
    func objects<Value>(
        _ name: String, _ read: (JSONFields) throws(LineFault) -> Value
    ) throws(LineFault) -> [Value] {
        var values: [Value] = []
        try each(name) { (index, range) throws(LineFault) in
            values.append(try read(try object("\(name)[\(index)]", range)))
        }
        return values
    }

    /// Finds the members of an object.
    func object(_ name: String) throws(LineFault) -> JSONFields {
        try object(name, try range(name))
    }

    private func object(_ name: String, _ range: Range<Int>) throws(LineFault) -> JSONFields {
        guard line[range].first == UInt8(ascii: "{") else { throw fault(name, "an object is expected") }
        return try JSONFields(line, range, path: path.map { "\($0).\(name)" } ?? name)
    }

    private func each(_ name: String, _ body: (Int, Range<Int>) throws(LineFault) -> Void) throws(LineFault) {
        let range = try range(name)
        guard line[range].first == UInt8(ascii: "[") else { throw fault(name, "an array is expected") }
        var scanner = JSONScanner(line, range)
        var values: [Range<Int>] = []
        do throws(JSONFault) {
            try scanner.array { (value) throws(JSONFault) in values.append(value) }
        } catch {
            throw LineFault(error, path: path)
        }
        for (index, value) in values.enumerated() { try body(index, value) }
    }
}
