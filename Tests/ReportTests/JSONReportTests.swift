import Foundation
import Report
import Testing
import Transcript
import Wire

struct JSONReportTests {
    /// Also the example in `docs/events.md`.
    private static let failedLine =
        #"{"record":"connection","time":"2026-03-01T14:02:07.123456Z","connection":12,"#
        + #""client":"127.0.0.1:50312","target":"api.example.com:443","host":"api.example.com","port":443,"#
        + #""decision":"intercept","rule":null,"serverName":null,"withheldHTTP2":false,"notTLS":null,"clientSession":{"version":"TLS 1.2","alpn":null},"#
        + #""originSession":{"version":"TLS 1.3","alpn":"h2"},"originProof":"mirrored","#
        + #""mirroredFaults":["expired"],"answered":502,"phase":"untrusted","verdict":"rejected","verdictText":"rejected: unknown_ca (48) in the handshake","failure":{"party":"origin","#
        + #""code":"originExpired","phase":"originHandshake","detail":"the certificate expired on 2026-02-28","#
        + #""hint":null},"closed":{"by":"client","phase":"relay","#
        + #""client":{"how":"alert","code":48,"name":"unknown_ca"},"origin":{"how":"error","errno":104},"#
        + #""clientBytes":0,"originBytes":3456789,"nanoseconds":210000000}}"#

    /// Also the example in `docs/events.md`.
    private static let hostLine =
        #"{"record":"host","host":"api.example.com","connections":3,"intercepted":2,"tunnelled":1,"refused":0,"answeredByRule":0,"#
        + #""answered":1,"clientHandshakes":1,"originHandshakes":2,"#
        + #""mirrored":1,"mirroredFaults":["notYetValid","untrusted"],"#
        + #""identityRequests":2,"identitiesGiven":1,"identitiesTaken":1,"#
        + #""withheldHTTP2":0,"notTLS":[{"content":"silence","count":1}],"#
        + #""clientAlerts":[{"code":46,"name":"certificate_unknown","count":1}],"failures":["#
        + #"{"code":"originExpired","count":1,"#
        + #""lastDetail":"the certificate of api.example.com expired on 2026-02-28, three weeks ago"},"#
        + #"{"code":"clientHandshake","count":2,"lastDetail":"the client refused the certificate"}],"#
        + #""clientBytes":1234,"originBytes":3456789}"#

    private static let runLine = #"{"record":"run","connections":5,"open":1,"hosts":2,"lost":3}"#

    @Test func aConnectionThatFailed() {
        var line = ConnectionLine.intercepted
        line.originProof = .mirrored
        line.mirroredFaults = [.expired]
        line.clientSession = ConnectionLine.Session(version: 0x0303, alpn: nil)
        line.answered = 502
        line.failure = Failure(
            party: .origin, code: .originExpired, phase: .originHandshake,
            detail: "the certificate expired on 2026-02-28")
        line.closed = Closed(
            by: .client, phase: .relay, client: .alert(48), origin: .error(104), clientBytes: 0,
            originBytes: 3_456_789, nanoseconds: 210_000_000)
        line.phase = .untrusted
        line.verdict = .rejected(alert: 48, .beforeFinished)
        #expect(JSONReport().line(for: line) == Self.failedLine)
    }

    @Test func aConnectionOfWhichOnlyTheEndIsKnown() {
        let closed = Closed(
            by: .proxy, phase: .greeting, client: nil, origin: nil, clientBytes: 0, originBytes: 0, nanoseconds: 0)
        #expect(
            JSONReport().line(for: ConnectionLine(connection: 3, wall: 0, closed: closed))
                == #"{"record":"connection","time":"1970-01-01T00:00:00.000000Z","connection":3,"client":null,"#
                + #""target":null,"host":null,"port":null,"decision":null,"rule":null,"serverName":null,"withheldHTTP2":false,"notTLS":null,"clientSession":null,"#
                + #""originSession":null,"originProof":null,"mirroredFaults":[],"answered":null,"phase":null,"verdict":null,"verdictText":null,"failure":null,"closed":{"by":"proxy","#
                + #""phase":"greeting","client":null,"origin":null,"clientBytes":0,"originBytes":0,"#
                + #""nanoseconds":0}}"#)
    }

    @Test func aSummaryIsALineForEveryHostAndOneForTheRun() {
        #expect(
            JSONReport().lines(for: .sample) == [
                Self.hostLine,
                #"{"record":"host","host":"cdn.example.com","connections":1,"intercepted":0,"tunnelled":0,"#
                    + #""refused":1,"answeredByRule":0,"answered":0,"clientHandshakes":0,"originHandshakes":0,"mirrored":0,"mirroredFaults":[],"#
                    + #""identityRequests":0,"identitiesGiven":0,"identitiesTaken":0,"withheldHTTP2":0,"notTLS":[],"clientAlerts":[],"#
                    + #""failures":[],"clientBytes":0,"originBytes":0}"#,
                #"{"record":"host","host":"(no host)","connections":1,"intercepted":0,"tunnelled":0,"refused":0,"answeredByRule":0,"#
                    + #""answered":0,"clientHandshakes":0,"originHandshakes":0,"mirrored":0,"mirroredFaults":[],"#
                    + #""identityRequests":0,"identitiesGiven":0,"identitiesTaken":0,"withheldHTTP2":0,"notTLS":[],"clientAlerts":[],"#
                    + #""failures":[{"code":"greetingMalformed","count":1,"lastDetail":"\u001b[2J"}],"#
                    + #""clientBytes":4,"originBytes":0}"#,
                Self.runLine,
            ])
    }

    /// Also the example in `docs/events.md`.
    private static let acceptingLine =
        #"{"record":"accepting","time":"2026-03-01T14:02:07.123456Z","paused":true,"reason":"system","#
        + #""connections":null,"errno":24}"#

    @Test func aPauseAndItsEnd() {
        func event(_ kind: Event.Kind) -> Event {
            Event(connection: nil, monotonic: 0, wall: 1_772_373_727_123_456, kind: kind)
        }
        #expect(JSONReport().line(for: event(.acceptingPaused(.system(errno: 24)))) == Self.acceptingLine)
        #expect(
            JSONReport().line(for: event(.acceptingResumed(nanoseconds: 5)))
                == #"{"record":"accepting","time":"2026-03-01T14:02:07.123456Z","paused":false,"nanoseconds":5}"#)
        #expect(JSONReport().line(for: event(.gap(lost: 1))) == nil)
    }

    @Test(arguments: [failedLine, hostLine, runLine, acceptingLine])
    func theDocumentShowsTheLineAndNamesItsFields(_ line: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let document = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let record = try #require(object["record"] as? String)
        let start = try #require(document.range(of: "\n### \(record)\n"))
        let section = document[start.upperBound...]
        let end = section.range(of: "\n#")?.lowerBound ?? section.endIndex
        for path in paths(object) { #expect(section[..<end].contains("\n| `\(path)` | ")) }
        #expect(section[..<end].contains("```json\n\(line)\n```\n"))
    }

    /// The paths of all values of a line: `failures[].code`.
    private func paths(_ value: Any, at path: String = "") -> [String] {
        if let object = value as? [String: Any] {
            return object.flatMap { paths($1, at: path.isEmpty ? $0 : path + "." + $0) }
        }
        if let array = value as? [Any] { return array.first.map { paths($0, at: path + "[]") } ?? [] }
        return [path]
    }
}
