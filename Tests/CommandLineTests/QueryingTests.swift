import Foundation
import Testing

/// docs/QUERYING.md: its statements run, and answer what `ManyConnections` decides.
@Suite struct QueryingTests {
    @Test(.needsDuckDB, .timeLimit(.minutes(3))) func `each question has its answer`() async throws {
        let folder = try TemporaryFolder()
        try ManyConnections.write(to: folder.path("run.jsonl"))
        let answers = try await DuckDB.answers(in: folder.path)
        #expect(answers.count == 6)
        func rows(_ heading: String) throws -> [String] {
            try #require(answers[heading], "\(heading)").map { $0.map { "\($0)" }.joined(separator: " ") }
        }

        // Each host has 2,000 connections, and each of its five stacks 400 of them.
        #expect(
            try rows("Which hosts are not pinned?")
                == (10...18).map { "host\($0).test 2000 5 1024000" } + ["host19.test 1600 4 819200"])

        // Thirty hosts send alerts: 30 * 400.
        let stack = "t13d0107h2_0123456789ab_00000000000"
        #expect(
            try rows("Which alerts does each client stack send?") == [
                "\(stack)0 certificate_unknown 12000", "\(stack)1 certificate_unknown 12000",
                "\(stack)2 unknown_ca 12000", "\(stack)3 bad_certificate 12000",
            ])

        // Host 49 takes 50 ms, and each tenth time 500.
        #expect(
            try rows("Which origins are slowest?") == [
                "host49.test 192.0.2.50:443 2000 50.0 500.0", "host48.test 192.0.2.49:443 2000 49.0 490.0",
                "host47.test 192.0.2.48:443 2000 48.0 480.0", "host46.test 192.0.2.47:443 2000 47.0 470.0",
                "host45.test 192.0.2.46:443 2000 46.0 460.0",
            ])

        let tunnelled = (0...9).map { "host0\($0).test 0 0 0 2000 0" }
        let open = (10...18).map { "host\($0).test 2000 0 0 0 0" } + ["host19.test 1600 0 400 0 0"]
        #expect(
            try rows("What did each host's connections show?")
                == tunnelled + open + (20...49).map { "host\($0).test 0 1600 400 0 0" })

        #expect(
            try rows("Do the client stacks agree on a host?")
                == (0...3).map { "host19.test \(stack)\($0) accepted 400" }
                + ["host19.test \(stack)4 rejectedSilently 400"])

        // Seven events in a gap, one line that is cut off, and no good end.
        #expect(try rows("Is anything missing?") == ["7 1 0"])
    }
}
