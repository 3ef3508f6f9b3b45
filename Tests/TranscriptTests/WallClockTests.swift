import Testing
import Transcript

/// The seconds were taken from the calendar (`date -u -d DATE +%s`).
struct WallClockTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (951_868_800_000_001, "2000-03-01T00:00:00.000001Z"),
            (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
            (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
        ] as [(Int64, String)])
    func writesTheDate(_ microseconds: Int64, _ text: String) {
        #expect(time(microseconds) == text)
    }

    /// RFC 3339 has no years beyond four digits.
    @Test(arguments: [
        (Int64.max, "9999-12-31T23:59:59.999999Z"),
        (Int64.min, "0000-01-01T00:00:00.000000Z"),
    ])
    func keepsWhatHasNoDateInsideTheForm(_ microseconds: Int64, _ text: String) {
        #expect(time(microseconds) == text)
    }

    private func time(_ microseconds: Int64) -> String {
        var buffer: [UInt8] = []
        EventEncoder().encode(
            Event(connection: nil, monotonic: 0, wall: microseconds, kind: .gap(lost: 0)), into: &buffer)
        let parts = String(decoding: buffer, as: UTF8.self).split(separator: #"""#)
        // {"t":0,"time":"…": the fifth piece between quotation marks.
        return parts.count > 5 ? String(parts[5]) : ""
    }
}
