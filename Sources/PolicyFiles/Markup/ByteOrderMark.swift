/// The marks with which some programs begin text files.
enum ByteOrderMark {
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How to mend a file that begins with one.
    static let advice = "remove it: save the file as UTF-8 without a byte order mark"

    /// The encoding of a file that is UTF-16 or UTF-32: by its mark, or by the zeros that such text is full of; nil for
    /// other files.
    static func wideEncoding(of contents: [UInt8]) -> String? {
        let start = contents.prefix(4)
        if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) { return "UTF-16" }
        switch start.map({ $0 == 0 }) {
        case [false, true, true, true], [true, true, true, false]: return "UTF-32"
        case [false, true, false, true], [true, false, true, false], [false, true], [true, false]: return "UTF-16"
        default: return nil
        }
    }
}

extension LoadingContext {
    /// Throws if a text file is in an encoding of wider units than UTF-8's, or is no text at all.
    func expectUTF8(_ contents: [UInt8]) throws(PolicyFileError) {
        if let encoding = ByteOrderMark.wideEncoding(of: contents) {
            throw error("it is \(encoding), which is not read", mend: "save it as UTF-8")
        }
        if contents.prefix(4).contains(0) { throw error("it is no text") }
    }
}
