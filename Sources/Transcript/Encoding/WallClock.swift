/// Wall-clock time as text.
extension [UInt8] {
    /// Appends a time, given in microseconds since 1970, in UTC (RFC 3339 section 5.6): `2026-03-01T14:02:07.123456Z`.
    ///
    /// RFC 3339 knows the years 0 to 9999; a clock that is beyond them reads as their first or last microsecond.
    mutating func append(wall microseconds: Int64) {
        let clamped = Swift.min(Swift.max(microseconds, earliest), latest)
        let (day, inDay) = clamped.dividedDown(by: 86_400_000_000)
        let (year, month, dayOfMonth) = civilDate(day: day)
        let seconds = inDay / 1_000_000
        append(decimal: UInt64(year), width: 4)
        append(UInt8(ascii: "-"))
        append(decimal: UInt64(month), width: 2)
        append(UInt8(ascii: "-"))
        append(decimal: UInt64(dayOfMonth), width: 2)
        append(UInt8(ascii: "T"))
        append(decimal: UInt64(seconds / 3600), width: 2)
        append(UInt8(ascii: ":"))
        append(decimal: UInt64(seconds / 60 % 60), width: 2)
        append(UInt8(ascii: ":"))
        append(decimal: UInt64(seconds % 60), width: 2)
        append(UInt8(ascii: "."))
        append(decimal: UInt64(inDay % 1_000_000), width: 6)
        append(UInt8(ascii: "Z"))
    }
}

/// 0000-01-01T00:00:00Z.
private let earliest: Int64 = -62_167_219_200_000_000
/// 9999-12-31T23:59:59.999999Z.
private let latest: Int64 = 253_402_300_799_999_999

/// The date in the Gregorian calendar of a day, counted from 1970-01-01.
///
/// Years are counted from March here, so that the leap day is the last of its year, and in eras of 400 years, which
/// all have 146,097 days.
private func civilDate(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let daysFromYearZeroMarchToEpoch: Int64 = 719_468
    let (era, dayOfEra) = (day + daysFromYearZeroMarchToEpoch).dividedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // Months from March have 31, 30, 31, 30, 31 days, again and again: 153 in five.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
        year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
        month: month,
        day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
}

extension Int64 {
    /// Divides so that the remainder is never negative.
    fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
