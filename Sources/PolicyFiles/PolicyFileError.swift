/// Why a policy's file cannot be loaded: what is wrong, where, and how to mend it.
public struct PolicyFileError: Error, Hashable, Sendable {
    /// A place in a file.
    public enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// A line, counted from 1.
        case line(Int)
        /// A value of a JSON document or property list, by the keys and indices that lead to it.
        case key([String])
    }

    /// The file's name.
    public let file: String
    /// Where in it.
    public let place: Place
    /// What is wrong.
    public let reason: String
    /// How to mend it; nil if that goes without saying.
    public let mend: String?

    /// Joins what is wrong with where; texts are shortened and put into one line.
    public init(_ reason: String, in file: String, at place: Place = .file, mend: String? = nil) {
        self.file = file
        self.place = place
        self.reason = reason.oneLine
        self.mend = mend?.oneLine
    }
}

extension PolicyFileError.Place: CustomStringConvertible {
    /// Such as `line 7` or `/library/version`; empty for a whole file.
    public var description: String {
        switch self {
        case .file: ""
        case .line(let number): "line \(number)"
        case .key(let keys): keys.map { "/\($0.oneLine)" }.joined()
        }
    }
}

extension PolicyFileError: CustomStringConvertible {
    /// What, where and how to mend it, in one line.
    public var description: String {
        let place = place.description
        let source = file.oneLine + (place.isEmpty ? "" : ", \(place)")
        return "\(source): \(reason)" + (mend.map { "; \($0)" } ?? "")
    }
}
