/// Amounts and times as people read them.
///
/// Figures are cut, not rounded: never more than there was.
enum Quantity {
    /// An amount of bytes in decimal units: `999 B`, `1.2 kB`, `3.4 MB`.
    static func bytes(_ count: UInt64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var unit: UInt64 = 1000
        var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        while count / unit >= 1000, names.count > 1 {
            unit *= 1000
            names.removeFirst()
        }
        let tenths = count / (unit / 10)
        return "\(tenths / 10).\(tenths % 10) \(names[names.startIndex])"
    }

    /// A length of time: `43 ms`, `0.21 s`, `2 min 3 s`, `1 h 2 min`.
    static func duration(nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let seconds = milliseconds / 1000
        switch seconds {
        case 0 where milliseconds < 100: return "\(milliseconds) ms"
        case 0..<60: return "\(seconds).\(twoDigits(milliseconds / 10 % 100)) s"
        case 60..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }

    /// The time of day of a wall-clock time, given in microseconds since 1970: `14:02:07.123`.
    static func timeOfDay(wall microseconds: Int64, secondsFromUTC: Int) -> String {
        let day: Int64 = 86_400_000_000
        let offset = Int64(secondsFromUTC) % 86_400 * 1_000_000
        let remainder = (microseconds % day + offset) % day
        let milliseconds = UInt64(remainder < 0 ? remainder + day : remainder) / 1000
        let seconds = milliseconds / 1000
        let thousandths = milliseconds % 1000
        return twoDigits(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60) + "."
            + (thousandths < 100 ? "0" : "") + twoDigits(thousandths)
    }

    private static func twoDigits(_ number: UInt64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
