import Report
import Testing
import Transcript

/// Amounts and times as the live view prints them.
struct QuantityTests {
    @Test(
        arguments: [
            (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (999_999, "999.9 kB"),
            (1_000_000, "1.0 MB"), (1_073_741_824, "1.0 GB"), (2_500_000_000_000, "2.5 TB"), (.max, "18.4 EB"),
        ] as [(UInt64, String)])
    func bytes(_ count: UInt64, _ text: String) {
        var line = ConnectionLine.intercepted
        line.closed.originBytes = count
        #expect(LiveView().line(for: line).contains(" up, \(text) down, "))
    }

    @Test(
        arguments: [
            (0, "0 ms"), (99_999_999, "99 ms"), (100_000_000, "0.10 s"), (5_019_999_999, "5.01 s"),
            (59_999_999_999, "59.99 s"), (60_000_000_000, "1 min 0 s"), (3_599_000_000_000, "59 min 59 s"),
            (3_600_000_000_000, "1 h 0 min"), (90_061_000_000_000, "25 h 1 min"), (.max, "5124095 h 34 min"),
        ] as [(UInt64, String)])
    func durations(_ nanoseconds: UInt64, _ text: String) {
        var line = ConnectionLine.intercepted
        line.closed.nanoseconds = nanoseconds
        #expect(LiveView().line(for: line).hasSuffix(" down, " + text))
    }

    @Test(arguments: [(Int64.min, "19:59:05.224"), (-1, "23:59:59.999"), (Int64.max, "04:00:54.775")])
    func everyClockHasATimeOfDay(_ wall: Int64, _ time: String) {
        var line = ConnectionLine.intercepted
        line.wall = wall
        #expect(LiveView().line(for: line).hasPrefix(time + "  #12"))
    }
}
