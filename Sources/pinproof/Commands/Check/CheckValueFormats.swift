internal import Foundation
internal import Pinning
internal import Wire

extension ValueFormat<TrustSource> {
    /// A file of trust anchors, or the word for the system's.
    static var trust: ValueFormat {
        let path = ValueFormat<String>.path("FILE|system")
        return ValueFormat(
            placeholder: path.placeholder,
            parse: { (text) throws(ValueError) in text == "system" ? .system : .file(try path.parse(text)) },
            describe: { source in
                switch source {
                case .system: "system"
                case .file(let path): path
                }
            })
    }
}

extension ValueFormat<Tutorial> {
    /// The name of a tutorial's policy.
    static var tutorial: ValueFormat {
        ValueFormat(
            placeholder: "POLICY",
            parse: { (text) throws(ValueError) in
                guard let tutorial = Tutorial.named(text) else {
                    let nearest = NearestName.of(text, among: Tutorial.all.map(\.name))
                    throw ValueError(
                        what: "not a policy",
                        remedy: nearest.map { "did you mean \($0)?" } ?? "'pinproof check --list-policies' lists them")
                }
                return tutorial
            },
            describe: { $0.name })
    }
}

extension ValueFormat<LibraryVersion> {
    /// A release of a library.
    static var libraryVersion: ValueFormat {
        ValueFormat(
            placeholder: "V",
            parse: { (text) throws(ValueError) in
                guard let version = LibraryVersion(text) else {
                    throw ValueError(what: "not a release", remedy: "write one to three numbers, such as 3.2.1")
                }
                return version
            })
    }
}

extension ValueFormat<String> {
    /// A host letter for letter: some libraries mind case and a dot at the end.
    static var spelledHost: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            parse: { (text) throws(ValueError) in
                guard HostName(text) != nil else {
                    throw ValueError(
                        what: "not a host",
                        remedy: "write a name (in punycode) or an address, without scheme, port and path")
                }
                return text
            })
    }
}

extension ValueFormat<Int64> {
    /// A moment: a day, a day with its time, or seconds since 1970; all of them in UTC.
    static var time: ValueFormat {
        ValueFormat(
            placeholder: "T",
            parse: { (text) throws(ValueError) in
                if text.isDigits, let seconds = Int64(text) { return seconds }
                // Without a zone it is not said when; a day alone begins at midnight.
                let isDay = text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
                let isMoment = text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)/) != nil
                guard isDay || isMoment,
                    let date = try? Date(isDay ? "\(text)T00:00:00Z" : text, strategy: .iso8601),
                    Self.isInCalendar(text)
                else {
                    throw ValueError(
                        what: "not a moment",
                        remedy: "write it as 2026-12-01, 2026-12-01T12:00:00Z, or seconds since 1970")
                }
                return Int64(date.timeIntervalSince1970.rounded(.down))
            })
    }

    /// Whether the day is one: Foundation takes the 30th of February for the 2nd of March, and 24 hours for the next day.
    private static func isInCalendar(_ text: String) -> Bool {
        let numbers = text.prefix(13).split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 3, numbers.count < 4 || numbers[3] < 24 else { return false }
        return CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) != nil
    }
}
