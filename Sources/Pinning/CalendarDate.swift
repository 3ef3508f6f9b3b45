/// A day of the Gregorian calendar, as pin sets name the day on which they expire.
public struct CalendarDate: Hashable, Sendable {
    /// The year, from 1.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Names a day; nil if there is none such in the calendar.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...999_999).contains(year), (1...12).contains(month) else { return nil }
        guard (1...Self.length(of: month, in: year)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads a day as Java's `SimpleDateFormat("yyyy-MM-dd")` does when it is not lenient (PS-5-3).
    ///
    /// Not lenient is about the calendar: there is no 30 February. Digits may be fewer or more than the pattern has,
    /// blanks may stand before each number, and what follows the day is not looked at (run on a JDK).
    public init?(java text: String) {
        var rest = Substring(text).utf8
        guard let year = Self.number(&rest), Self.hyphen(&rest), let month = Self.number(&rest), Self.hyphen(&rest),
            let day = Self.number(&rest)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// When the day begins, in seconds since 1970-01-01 UTC.
    ///
    /// - Parameter offset: How far the clock on the wall is ahead of UTC on that day, in seconds.
    /// - Returns: The first second of the day.
    public func start(secondsAheadOfUTC offset: Int) -> Int64 {
        // Years are counted from March, so that the day that some lack is the last; eras of 400 years are all alike.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468) * 86_400 - Int64(offset)
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(_ rest: inout Substring.UTF8View) -> Int? {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return Int(Substring(digits))
    }

    private static func hyphen(_ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: "-") else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension CalendarDate: CustomStringConvertible {
    /// The day as ISO 8601 writes it.
    public var description: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
