import Foundation
import Testing
import Transcript
import Wire

@testable import Transcript

/// Archives are read back with another program's JSON.
struct HARExportTests {
    @Test func anExchangeIsAnEntry() throws {
        var story = Story()
        story.intercept(1)
        story.tell(1, .secured(.origin, .modern(alpn: "http/1.1")))
        story.tell(
            1,
            .head(.request(1, "POST", "/v1/items?a=1&b&c=%20=", [HTTPHeader(name: "X-A", value: "\"q\"")])),
            .contentEnded(.client, exchange: 1, bytes: 7), .head(.response(1, 100)),
            .head(
                .response(
                    1, 302,
                    [HTTPHeader(name: "Content-Type", value: "text/html"), HTTPHeader(name: "location", value: "/b")])),
            .contentEnded(.origin, exchange: 1, bytes: 5120),
            .verdict(RecordedVerdict(name: "accepted", text: "accepted: 61 bytes")),
            .closed(.inOrder(client: 61, origin: 9)))
        let (entries, export) = try entries(story)
        let entry = try #require(entries.first)
        #expect(entries.count == 1 && export.remarks.isEmpty)
        // The seventh event: six microseconds after the first.
        #expect(entry["startedDateTime"] as? String == "2026-03-01T14:02:07.000005Z")
        let request = try #require(entry["request"] as? [String: Any])
        #expect(request["url"] as? String == "https://api.example.com/v1/items?a=1&b&c=%20=")
        #expect(request["method"] as? String == "POST" && request["httpVersion"] as? String == "HTTP/1.1")
        #expect(request["bodySize"] as? Int == 7 && request["headersSize"] as? Int == 61)
        #expect(request["headers"] as? [[String: String]] == [["name": "X-A", "value": "\"q\""]])
        #expect(
            request["queryString"] as? [[String: String]] == [
                ["name": "a", "value": "1"], ["name": "b", "value": ""], ["name": "c", "value": "%20="],
            ])
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["status"] as? Int == 302 && response["redirectURL"] as? String == "/b")
        let content = try #require(response["content"] as? [String: Any])
        #expect(content["size"] as? Int == 5120 && content["mimeType"] as? String == "text/html")
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(timings["send"] == 0.001 && timings["wait"] == 0.002 && timings["receive"] == 0.001)
        #expect(timings["ssl"] == 0.001 && timings["connect"] == 0.001 && timings["dns"] == -1)
        #expect(entry["time"] as? Double == 0.005)
        #expect(entry["serverIPAddress"] as? String == "192.0.2.10" && entry["connection"] as? String == "1")
        let own = try #require(entry["_pinproof"] as? [String: Any])
        #expect(own["verdict"] as? String == "accepted" && own["exchange"] as? Int == 1)
    }

    @Test func everyRequestIsThereOnce() throws {
        var story = Story()
        story.intercept(1)
        story.tell(
            1, .head(.request(1, "GET", "/a", version: "h2", authority: "b.example.com:8443")),
            .head(.request(3, "GET", "https://c.example.com/x?y")), .head(.request(5, "OPTIONS", "*")),
            .head(.response(3, 200)), .contentEnded(.client, exchange: 3, bytes: 0),
            .contentEnded(.origin, exchange: 3, bytes: 1), .head(.response(3, 500)), .head(.request(3, "GET", "/again"))
        )
        let (entries, export) = try entries(story)
        let urls = entries.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
        #expect(
            urls == [
                "https://b.example.com:8443/a", "https://c.example.com/x?y", "https://api.example.com/*",
                "https://api.example.com/again",
            ])
        #expect(entries.compactMap { ($0["response"] as? [String: Any])?["status"] as? Int } == [0, 200, 0, 0])
        #expect(
            export.remarks == [
                "3 requests without a response: status 0",
                "1 response whose request is not in the transcript left out",
            ])
    }

    @Test func completeExchangesDoNotWaitForEver() throws {
        var story = Story()
        story.intercept(1)
        for number in 1...UInt64(1500) {
            story.tell(
                1, .head(.request(number, "GET", "/\(number)")), .contentEnded(.client, exchange: number, bytes: 0),
                .head(.response(number, 200)), .contentEnded(.origin, exchange: number, bytes: 0))
        }
        var export = HARExport(tool: "1")
        var bytes: [UInt8] = []
        export.begin(into: &bytes)
        for event in story.events { export.add(event, into: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self).contains("/999\""))
        #expect(try entries(story).entries.count == 1500)
        #expect(export.remarks.isEmpty)
    }

    /// As many as are followed at once, all of them before the first response.
    @Test func pipelinedRequestsWaitForTheirResponses() throws {
        var story = Story()
        story.intercept(1)
        for number in 1...UInt64(4096) { story.tell(1, .head(.request(number, "GET", "/\(number)"))) }
        for number in 1...UInt64(4096) { story.tell(1, .head(.response(number, 200))) }
        let (entries, export) = try entries(story)
        #expect(statuses(entries) == [Int](repeating: 200, count: 4096))
        #expect(export.remarks.isEmpty)
    }

    @Test func requestsOverTheLimitAreNotCalledUnanswered() throws {
        var story = Story()
        story.intercept(1)
        for number in 1...UInt64(4098) { story.tell(1, .head(.request(number, "GET", "/\(number)"))) }
        story.tell(1, .head(.response(1, 200)), .head(.request(5000, "GET", "/last")))
        let (entries, export) = try entries(story)
        #expect(statuses(entries) == [Int](repeating: 0, count: 4099))
        #expect(
            export.remarks == [
                "1 request without a response: status 0",
                "4098 requests written before the response came, for too many waited: status 0, and a comment",
            ])
    }

    @Test func headsThatWaitAreBoundedInSize() throws {
        var story = Story()
        story.intercept(1)
        let large = [HTTPHeader(name: "X", value: String(repeating: "x", count: 1 << 20))]
        var export = HARExport(tool: "1")
        var bytes: [UInt8] = []
        for number in 1...UInt64(70) { story.tell(1, .head(.request(number, "GET", "/\(number)", large))) }
        for event in story.events { export.add(event, into: &bytes) }
        // 64 of more than a mebibyte are more than 64 MiB.
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("/64\"") && !text.contains("/65\""))
    }

    @Test func whatWasNotFollowedIsNotCalledUnanswered() throws {
        var story = Story()
        for connection in UInt64(1)...3 { story.intercept(connection) }
        for connection in UInt64(1)...3 { story.tell(connection, .head(.request(1, "GET", "/\(connection)"))) }
        story.tell(1, .headsStopped(.origin, .headTooLarge))
        // Its requests are not followed; that the one that was has no response is still true.
        story.tell(2, .headsStopped(.client, .malformed))
        let (entries, export) = try entries(story)
        #expect(statuses(entries) == [0, 0, 0])
        let comments = entries.map { ($0["response"] as? [String: Any])?["comment"] as? String }
        #expect(comments == ["Pinproof did not follow the responses of this connection to the end", nil, nil])
        #expect(
            export.remarks == [
                "2 requests without a response: status 0",
                "1 request whose response was not followed: status 0, and a comment",
                "heads of 2 connections were not followed to the end (headTooLarge, malformed): requests may be missing",
            ])
    }

    private func statuses(_ entries: [[String: Any]]) -> [Int] {
        entries.compactMap { ($0["response"] as? [String: Any])?["status"] as? Int }
    }

    @Test func withoutRequestsThereIsNothing() throws {
        var story = Story()
        story.intercept(1)
        let (entries, export) = try entries(story)
        #expect(entries.isEmpty && export.isEmpty)
    }

    /// The answer has a head of 20 octets; the upload's has 61.
    @Test(
        arguments: [
            ("content-length", "100", 29, 9), ("content-length", "100", 20, 0), ("content-length", "9", 29, -1),
            ("transfer-encoding", "chunked", 29, -1), ("x-a", "b", 29, 9), ("content-length", "100", 19, -1),
        ] as [(String, String, UInt64, Int)])
    func whatCameOfAContentThatWasCutOffIsTold(
        _ name: String, _ value: String, _ total: UInt64, _ octets: Int
    ) throws {
        func exchange(_ gap: Bool, status: Int = 200) throws -> (request: Int?, response: Int?, content: Int?) {
            var story = Story()
            story.intercept(1)
            if gap { story.tell(nil, .gap(lost: 1)) }
            story.tell(
                1, .head(.request(1, "PUT", "/", [HTTPHeader(name: "Content-Length", value: "50")])),
                .head(.response(1, status, [HTTPHeader(name: name, value: value)])),
                .closed(.inOrder(client: 61 + 30, origin: total)))
            let entry = try #require(try entries(story).entries.first)
            let (request, response) = (entry["request"] as? [String: Any], entry["response"] as? [String: Any])
            let content = response?["content"] as? [String: Any]
            return (request?["bodySize"] as? Int, response?["bodySize"] as? Int, content?["size"] as? Int)
        }
        #expect(try exchange(false) == (30, octets, octets))
        #expect(try exchange(true) == (-1, -1, -1))
        // What follows 101 is no content.
        #expect(try exchange(false, status: 101) == (30, -1, -1))
    }

    @Test func theMessagesBeforeOneThatWasCutOffAreTakenOff() throws {
        var story = Story()
        story.intercept(1)
        story.tell(
            1, .head(.request(1, "GET", "/a")), .contentEnded(.client, exchange: 1, bytes: 0), .head(.response(1, 100)),
            .head(.response(1, 200)), .contentEnded(.origin, exchange: 1, bytes: 1000), .head(.request(2, "GET", "/b")),
            .contentEnded(.client, exchange: 2, bytes: 0), .head(.response(2, 200)),
            .closed(.inOrder(client: 122, origin: 20 + 20 + 1000 + 20 + 9)))
        let sizes = try entries(story).entries.compactMap { ($0["response"] as? [String: Any])?["bodySize"] as? Int }
        #expect(sizes == [1000, 9])
    }

    private func entries(_ story: Story) throws -> (entries: [[String: Any]], export: HARExport) {
        let (bytes, export) = story.export(HARExport(tool: "0.1.0"))
        let archive = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let log = try #require(archive["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        #expect(log["creator"] as? [String: String] == ["name": "Pinproof", "version": "0.1.0"])
        return (try #require(log["entries"] as? [[String: Any]]), export)
    }
}

extension ObservedHead {
    fileprivate static func request(
        _ exchange: UInt64, _ method: String, _ target: String, _ fields: [HTTPHeader] = [],
        version: String = "http/1.1", authority: String? = nil
    ) -> ObservedHead {
        ObservedHead(
            sender: .client, exchange: exchange, version: version, method: method, authority: authority, target: target,
            fields: fields, length: 61)
    }

    fileprivate static func response(_ exchange: UInt64, _ status: Int, _ fields: [HTTPHeader] = []) -> ObservedHead {
        ObservedHead(
            sender: .origin, exchange: exchange, version: "http/1.1", status: status, fields: fields, length: 20)
    }
}
