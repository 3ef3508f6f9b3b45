internal import Crypto
internal import Glibc

/// How long certificates live, in seconds.
enum Lifetime {
    static let day: Int64 = 86_400
    /// How far the start lies in the past, for devices whose clock is behind.
    static let backdating = 2 * day
    /// What browsers and Apple's systems accept of a leaf, less a day for different ways to count.
    static let longest = 397 * day

    /// The window of a leaf that is minted now: back-dated, at most 397 days in all, and inside its CA's own.
    static func leaf(at now: Int64, within authority: Certificate) -> ClosedRange<Int64>? {
        let start = now - backdating
        // The last second counts too (RFC 5280, 4.1.2.5).
        let end = start + longest - 1
        let lower = max(start, authority.notBefore)
        let upper = min(end, authority.notAfter)
        return lower <= upper ? lower...upper : nil
    }
}

/// A time in seconds since 1970 as people read it: "2026-11-30 08:12:56 UTC".
func utc(_ time: Int64) -> String {
    var seconds = time_t(time)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "\(time) s after 1970" }
    var text = [CChar](repeating: 0, count: 64)
    let length = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts)
    return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
