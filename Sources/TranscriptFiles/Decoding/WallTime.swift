internal import Wire

/// Wall-clock time as a transcript has it.
enum WallTime {
    /// Reads a time in UTC with microseconds (RFC 3339 section 5.6), `2026-03-01T14:02:07.123456Z`, and nothing else.
    ///
    /// - Returns: Microseconds since 1970; nil if the text is no such time.
    static func read(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count == form.utf8.count else { return nil }
        var numbers: [Int64] = []
        var number: Int64?
        for (character, place) in zip(text, form.utf8) {
            if place == UInt8(ascii: "0") {
                guard JSONText.digits.contains(character) else { return nil }
                number = (number ?? 0) * 10 + Int64(character - UInt8(ascii: "0"))
            } else {
                guard character == place, let found = number else { return nil }
                numbers.append(found)
                number = nil
            }
        }
        guard numbers.count == 7, (1...12).contains(numbers[1]) else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard day >= 1, day <= length(ofMonth: month, year: year) else { return nil }
        guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return nil }
        let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        return (daysSince1970(year: year, month: month, day: day) * 86_400 + seconds) * 1_000_000 + numbers[6]
    }

    private static let form = "0000-00-00T00:00:00.000000Z"

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of a day in the Gregorian calendar, counted from 1970-01-01.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        // Counted from March the leap day is a year's last, and the months have 31, 30, 31, 30, 31 days, again and again.
        let yearFromMarch = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        // The year 0 begins in one that is -1 from March; a whole era of 400 years keeps divisions positive.
        let shifted = yearFromMarch + 400
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        let daysFromEraToEpoch: Int64 = 719_468 + 146_097
        return shifted * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + (day - 1) - daysFromEraToEpoch
    }
}
