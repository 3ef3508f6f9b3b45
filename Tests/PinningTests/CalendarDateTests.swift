import Pinning
import Testing

@Suite struct CalendarDateTests {
    @Test(
        "PS-5-3: days as Java's date format reads them, strict about the calendar only (as a JDK answers)",
        arguments: [
            ("2024-01-05", 1_704_412_800), ("2024-1-5", 1_704_412_800), ("2024-001-05", 1_704_412_800),
            ("2024-01-05 10:00", 1_704_412_800), (" 2024-01- 05", 1_704_412_800),
            ("20240-01-05", 576_545_817_600), ("1970-01-01", 0), ("2000-02-29", 951_782_400),
            ("1969-12-31", -86_400), ("2024-12-31", 1_735_603_200), ("2024-02-30", nil), ("2023-02-29", nil),
            ("1900-02-29", nil), ("2024-04-31", nil), ("2024-13-01", nil), ("2024-00-01", nil), ("2024-01-00", nil),
            ("2024-01-32", nil), ("2024/01/05", nil), ("2024-01-", nil), ("2024-01", nil), ("-2024-01-05", nil),
            ("", nil),
            ("0000-01-05", nil), ("99999999999999999999-01-01", nil),
        ] as [(String, Int64?)])
    func days(text: String, start: Int64?) {
        #expect(CalendarDate(java: text)?.start(secondsAheadOfUTC: 0) == start)
    }

    @Test("PS-5-3: a day begins earlier where the clock is ahead")
    func zones() throws {
        let date = try #require(CalendarDate(year: 2024, month: 1, day: 5))
        #expect(date.start(secondsAheadOfUTC: 7200) == 1_704_405_600)
        #expect(date.start(secondsAheadOfUTC: -3600) == 1_704_416_400)
        #expect(date.description == "2024-01-05")
        #expect(CalendarDate(year: 0, month: 1, day: 1) == nil)
    }
}
