import Crypto
import Foundation
import Report
import Testing
import Transcript
import Wire

@testable import pinproof

/// How far a transcript can be relied on, from files that were made by hand.
@Suite struct RecordedExperimentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let beginning = Event.Kind.runStarted(
        RunStarted(tool: "0.1.0", openssl: "", listeners: [], authorities: []))

    private static func command(_ phase: ExperimentPhase, _ run: Int = 1, _ ending: CommandEnded.Ending = .exit(0))
        -> [Event.Kind]
    {
        [
            .commandStarted(
                CommandStarted(
                    phase: phase, authority: nil, run: run, isControl: false, listener: "127.0.0.1:1", controlHosts: [])
            ),
            .commandEnded(CommandEnded(ending: ending, nanoseconds: 1)),
        ]
    }

    private static let threePhases = ExperimentPhase.allCases.flatMap { command($0) }
    private static let end = Event.Kind.runEnded(RunEnded(connections: 0, lost: 0))

    /// Reads a file with these events, and what else there is at its end; those of a connection come before that.
    private func read(
        _ kinds: [Event.Kind], _ rest: String = "", of connections: [UInt64] = []
    ) throws -> RecordedExperiment {
        var lines: [UInt8] = []
        func write(_ connection: UInt64?, _ kind: Event.Kind) {
            EventEncoder().encode(Event(connection: connection, monotonic: 0, wall: 0, kind: kind), into: &lines)
        }
        for kind in [Self.beginning] + kinds { write(nil, kind) }
        for connection in connections { write(connection, .opened(client: "127.0.0.1:1", listener: "127.0.0.1:2")) }
        let path = try folder.file("run.jsonl", lines + Array(rest.utf8)).path
        return try RecordedExperiment(reading: path, listsConnections: true)
    }

    @Test func `one that is whole is taken as it is`() throws {
        let experiment = try read(Self.threePhases + [Self.end])
        #expect(!experiment.isInterrupted)
        #expect(experiment.doubt == nil)
        #expect(experiment.warnings.isEmpty)
    }

    @Test func `one that goes on in a further file is read to its end`() throws {
        let lines = furtherFile(2)
        try folder.file("run.2.jsonl", lines)
        let experiment = try read([])
        #expect(!experiment.isInterrupted)
        #expect(experiment.doubt == nil)
        // The closing digest is that of the last file.
        let last = try #require(lines.dropLast().split(separator: UInt8(ascii: "\n")).last)
        #expect(experiment.seal?.digest == Hex.encode(Digest.sha256(Array(last))))
    }

    /// The rest of the run in a file of its own.
    private func furtherFile(_ number: Int) -> [UInt8] {
        let run = RunStarted(tool: "0.1.0", openssl: "", listeners: [], authorities: [])
        var lines: [UInt8] = []
        for kind in [.runContinued(RunContinued(run: run, file: number))] + Self.threePhases + [Self.end] {
            EventEncoder().encode(Event(connection: nil, monotonic: 0, wall: 0, kind: kind), into: &lines)
        }
        return lines
    }

    @Test func `one of which files are missing proves nothing`() throws {
        try folder.file("run.3.jsonl", furtherFile(3))
        #expect(try read([]).doubt == "files of the run are missing")
    }

    @Test func `one that breaks off says so, and how much is left out`() throws {
        let experiment = try read(Self.threePhases, #"{"t":1,"#)
        #expect(experiment.isInterrupted)
        #expect(
            experiment.warnings == [
                "the last line is broken: 7 octets are left out",
                "the run was not over when the transcript ends: what is here decides nothing",
            ])
    }

    @Test(
        "one that was interrupted decides nothing, wherever that was",
        arguments: [
            command(.baseline, 1, .interrupted), command(.baseline), command(.baseline) + command(.untrusted),
            threePhases + command(.baseline, 2), command(.baseline, 1, .exit(0)) + command(.baseline, 2, .exit(0)),
            Array(threePhases.dropLast()), Array(threePhases.dropFirst()), threePhases.filter { $0 != threePhases[1] },
        ])
    func interrupted(_ kinds: [Event.Kind]) throws {
        let experiment = try read(kinds + [Self.end])
        #expect(experiment.isInterrupted)
        #expect(experiment.warnings == ["the run was interrupted, or lines are missing: what is here decides nothing"])
    }

    @Test(
        "events that are missing leave everything open",
        arguments: [
            ([.gap(lost: 2), .gap(lost: 1)] + threePhases + [end], "3 events are missing in the transcript"),
            (
                threePhases + [.gap(lost: 2), .runEnded(RunEnded(connections: 0, lost: 4))],
                "4 events are missing in the transcript"
            ),
            (
                [.gap(lost: .max), .gap(lost: 1)] + threePhases + [end],
                "18446744073709551615 events are missing in the transcript"
            ),
        ] as [([Event.Kind], String)])
    func missing(_ kinds: [Event.Kind], _ doubt: String) throws {
        #expect(try read(kinds).doubt == doubt)
    }

    @Test func `connections that never closed are listed as far as they have come, in the order of their numbers`()
        throws
    {
        let list = try read(Self.threePhases, of: [3, 1, 2]).list.verdicts
        #expect(list.map(\.verdict.connection) == [1, 2, 3])
        #expect(list.map(\.phase) == [.trusted, .trusted, .trusted])
        #expect(
            list.map(\.verdict.verdict) == [.notTested(.unfinished), .notTested(.unfinished), .notTested(.unfinished)])
        #expect(try read([], of: [4]).list.verdicts.map(\.phase) == [nil])
    }

    @Test func `one without phases is no experiment`() throws {
        #expect(try read([Self.end]).doubt == "no experiment in the transcript: its connections have no phases")
    }

    @Test func `what a newer version recorded is counted`() throws {
        let line = #"{"t":1,"time":"2026-03-01T14:02:07.123456Z","connection":null,"event":"pushed"}"# + "\n"
        let experiment = try read(Self.threePhases + [Self.end], line + line)
        #expect(experiment.warnings == ["2 events of kinds that this version does not know are left out"])
        #expect(!experiment.isInterrupted)
    }

    @Test(arguments: [
        ("{}\n{}\n", "pinproof: broken transcript: PATH: line 2: t: it is missing"),
        ("{\n{}\n", "pinproof: broken transcript: PATH: line 2: it is cut off"),
    ])
    func `one that is broken before its end is not reported on`(_ rest: String, _ complaint: String) throws {
        let error = #expect(throws: CommandError.self) { try read([], rest) }
        #expect(error?.description == complaint.replacing("PATH", with: folder.path("run.jsonl")))
        #expect(error?.code == .usage)
    }
}
