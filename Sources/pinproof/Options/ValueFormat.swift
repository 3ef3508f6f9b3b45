/// How one kind of option value is written: what help calls it, how it is read, how a default is shown.
struct ValueFormat<Value: Sendable>: Sendable {
    /// What stands for the value in help, in capitals.
    let placeholder: String
    /// Reads a value from the command line or the configuration file.
    let parse: @Sendable (String) throws(ValueError) -> Value
    /// Writes a value as `parse` reads it.
    let describe: @Sendable (Value) -> String

    init(
        placeholder: String, parse: @escaping @Sendable (String) throws(ValueError) -> Value,
        describe: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.placeholder = placeholder
        self.parse = parse
        self.describe = describe
    }

    /// The same text, wrapped into another value.
    func map<Other>(_ wrap: @escaping @Sendable (Value) -> Other) -> ValueFormat<Other> {
        ValueFormat<Other>(
            placeholder: placeholder, parse: { (text) throws(ValueError) in wrap(try parse(text)) })
    }
}

/// Why a text is not a value of the kind asked for.
struct ValueError: Error, Equatable {
    /// What is wrong, without quoting the text.
    let what: String
    /// What would be right.
    let remedy: String
}

extension ValueFormat<String> {
    /// The path of a file or folder.
    static func path(_ placeholder: String) -> ValueFormat {
        ValueFormat(
            placeholder: placeholder,
            parse: { (text) throws(ValueError) in
                guard !text.isEmpty else { throw ValueError(what: "empty path", remedy: "name a file or folder") }
                return text
            })
    }
}

extension ValueFormat<Int> {
    /// A whole number within `range`.
    static func number(_ placeholder: String, in range: ClosedRange<Int>) -> ValueFormat {
        ValueFormat(
            placeholder: placeholder,
            parse: { (text) throws(ValueError) in
                guard text.isDigits, let number = Int(text), range.contains(number) else {
                    throw ValueError(
                        what: "not a number in range",
                        remedy: "use a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                return number
            })
    }
}

extension ValueFormat<Int> {
    /// A number of octets, with K for 1024 or M for 1024 times that.
    static func size(in range: ClosedRange<Int>) -> ValueFormat {
        ValueFormat(
            placeholder: "SIZE",
            parse: { (text) throws(ValueError) in
                let unit = text.last.flatMap { ["K": 1024, "M": 1 << 20][$0.uppercased()] }
                let digits = unit == nil ? text[...] : text.dropLast()
                guard digits.isDigits, let number = Int(digits),
                    case let (size, overflow) = number.multipliedReportingOverflow(by: unit ?? 1), !overflow,
                    range.contains(size)
                else {
                    throw ValueError(
                        what: "not a size in range",
                        remedy: "use octets from \(describe(range.lowerBound)) to \(describe(range.upperBound))")
                }
                return size
            },
            describe: describe)
    }

    private static func describe(_ size: Int) -> String {
        for (unit, name) in [(1 << 20, "M"), (1024, "K")] where size > 0 && size.isMultiple(of: unit) {
            return "\(size / unit)\(name)"
        }
        return String(size)
    }
}

extension ValueFormat<UInt16> {
    /// A TCP port to listen on; 0 lets the system choose.
    static var listeningPort: ValueFormat {
        ValueFormat(
            placeholder: "N",
            parse: { (text) throws(ValueError) in
                guard text.isDigits, let port = UInt16(text) else {
                    throw ValueError(what: "not a port", remedy: "use a number from 0 (any free port) to 65535")
                }
                return port
            })
    }
}

extension ValueFormat<Duration> {
    /// A time limit in seconds, with decimals down to a millisecond, at most a day.
    static var seconds: ValueFormat {
        ValueFormat(
            placeholder: "SECONDS",
            parse: { (text) throws(ValueError) in
                let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                let fraction = parts.count == 2 ? parts[1] : "0"
                guard parts[0].isDigits, fraction.isDigits, fraction.count <= 3,
                    let whole = Int64(parts[0]), whole <= 86400,
                    let thousandths = Int64(fraction + String(repeating: "0", count: 3 - fraction.count)),
                    case let limit = Duration.milliseconds(whole * 1000 + thousandths),
                    limit > .zero, limit <= .seconds(86400)
                else {
                    throw ValueError(
                        what: "not a time limit", remedy: "use seconds from 0.001 to 86400, such as 2.5")
                }
                return limit
            },
            describe: { limit in
                let milliseconds = limit / .milliseconds(1)
                return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
                    ? String(Int(milliseconds / 1000)) : String(milliseconds / 1000)
            })
    }
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable {
    /// One of a fixed set of words.
    static var word: ValueFormat {
        let words = Value.allCases.map(\.rawValue)
        return ValueFormat(
            placeholder: words.joined(separator: "|"),
            parse: { (text) throws(ValueError) in
                guard let value = Value(rawValue: text) else {
                    throw ValueError(what: "not one of the choices", remedy: "use \(words.joined(separator: ", "))")
                }
                return value
            },
            describe: { $0.rawValue })
    }
}

extension StringProtocol {
    /// Whether this is a non-empty run of ASCII digits: no sign, no blank.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}
