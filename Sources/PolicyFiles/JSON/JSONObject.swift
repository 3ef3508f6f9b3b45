internal import Wire

/// An object of a JSON document, whose members are read as what they have to be.
///
/// Each member that is read is known; `finish` complains of the others.
struct JSONObject {
    let context: LoadingContext
    /// The keys that lead to it.
    let path: [String]
    let members: [JSONValue.Member]
    private var known: [String] = []

    /// Takes a value that has to be an object.
    init(_ value: JSONValue, at path: [String], _ context: LoadingContext, what: String) throws(PolicyFileError) {
        guard case .object(let members) = value else {
            throw context.error("\(value.kindName) where \(what) is expected", at: .key(path))
        }
        self.context = context
        self.path = path
        self.members = members
    }

    /// Where a member stands.
    func place(_ name: String) -> PolicyFileError.Place { .key(path + [name]) }

    /// A member of any kind; nil if it is absent.
    mutating func value(_ name: String) -> JSONValue? {
        known.append(name)
        return members.first { $0.name == name }?.value
    }

    /// A text; nil if it is absent.
    mutating func text(_ name: String, what: String = "a text") throws(PolicyFileError) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else { throw wrongKind(value, name, what) }
        return text
    }

    /// A boolean; nil if it is absent.
    mutating func flag(_ name: String) throws(PolicyFileError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .boolean(let flag) = value else { throw wrongKind(value, name, "true or false") }
        return flag
    }

    /// An array of texts; nil if it is absent.
    mutating func texts(_ name: String, of what: String) throws(PolicyFileError) -> [String]? {
        guard let value = value(name) else { return nil }
        return try Self.texts(value, at: path + [name], of: what, context)
    }

    /// Reads an array of texts.
    static func texts(
        _ value: JSONValue, at path: [String], of what: String, _ context: LoadingContext
    ) throws(PolicyFileError) -> [String] {
        guard case .array(let elements) = value else {
            throw context.error(
                "\(value.kindName) where an array of \(what) is expected", at: .key(path), mend: "put it into [ ]")
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element else {
                throw context.error(
                    "\(element.kindName) where \(what) are expected", at: .key(path + [String(index)]))
            }
            texts.append(text)
        }
        return texts
    }

    /// Throws if there is a member that nobody has asked for.
    func finish() throws(PolicyFileError) {
        guard let unknown = members.first(where: { !known.contains($0.name) }) else { return }
        let near = NearestName.of(unknown.name, among: known)
        throw context.error(
            "there is no such field", at: place(unknown.name),
            mend: near.map { "did you mean \($0)?" } ?? "known are " + known.joined(separator: ", "))
    }

    /// An error of a member of the wrong kind.
    func wrongKind(_ value: JSONValue, _ name: String, _ expected: String) -> PolicyFileError {
        context.error("\(value.kindName) where \(expected) is expected", at: place(name))
    }
}
