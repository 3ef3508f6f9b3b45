import Crypto
import Foundation
import TestSupport
import Testing
import Wire

/// What the origin answers, over HTTP/1.1 and HTTP/2.
@Suite struct OriginAnswerTests {
    @Test(arguments: [(0x0303, "TLS 1.2"), (0x0304, "TLS 1.3")] as [(UInt16, String)])
    func jsonSaysWhatWasSeen(_ version: UInt16, _ name: String) async throws {
        let origin = try OriginFixture()
        let answer = try await origin.ask("GET /some/path?x=1 HTTP/1.1\r\nX-Test: a \"b\" \\", version: version)
        #expect(answer.status == "200")
        #expect(answer.head.contains("Content-Type: application/json"))
        let json = try answer.json
        let suite = try #require(json["cipherSuite"] as? String)
        #expect(suite.hasPrefix(version == 0x0304 ? "TLS_AES_" : "TLS_ECDHE_ECDSA_WITH_"))
        #expect(
            json == [
                "serverName": originHost, "alpn": "http/1.1", "tlsVersion": name, "cipherSuite": suite,
                "method": "GET", "target": "/some/path?x=1", "authority": originHost, "httpVersion": "HTTP/1.1",
                "headers": [
                    ["name": "X-Test", "value": "a \"b\" \\"], ["name": "Host", "value": originHost],
                    ["name": "Connection", "value": "close"],
                ], "bodyBytes": 0,
            ])
    }

    /// Without ALPN it is HTTP/1.1; of several protocols HTTP/2 is chosen; others are not agreed on.
    @Test(arguments: [
        ([], nil), (["http/1.1", "h2"], "h2"), (["h2"], "h2"), (["http/1.1"], "http/1.1"), (["mqtt"], nil),
    ])
    func protocolIsChosen(_ offered: [String], _ chosen: String?) async throws {
        let origin = try OriginFixture()
        let client = try await origin.client(alpn: offered)
        #expect(client.seen.facts?.alpn == chosen.map { Array($0.utf8) })
    }

    @Test func jsonOverHTTP2() async throws {
        let origin = try OriginFixture()
        let client = try await origin.client(alpn: ["h2"])
        try await client.send(HTTP2Client.preface + HTTP2Client.headers(1, path: "/two").bytes)
        let view = try await client.wait("the answer") { view in
            HTTP2Frame.parse(view.received)?.contains { $0.kind == .data && $0.flags & 1 == 1 } == true
        }
        let body = (HTTP2Frame.parse(view.received) ?? []).filter { $0.kind == .data }.flatMap(\.payload)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
        #expect(json["httpVersion"] as? String == "HTTP/2")
        #expect(json["alpn"] as? String == "h2")
        #expect(json["target"] as? String == "/two")
        // The authority is the request's own, whatever the TLS session says.
        #expect(json["authority"] as? String == "h.test")
        #expect(json["serverName"] as? String == originHost)
    }

    @Test(arguments: [
        ("0", 0), ("1", 1), ("65521", 65_521), ("100000", 100_000), ("3k", 3072), ("1M", 1_048_576),
        ("10?cache=no", 10),
    ])
    func bodyHasTheSizeThatWasAskedFor(_ size: String, _ count: Int) async throws {
        let origin = try OriginFixture()
        let answer = try await origin.ask("GET /bytes/\(size) HTTP/1.1")
        #expect(answer.status == "200")
        #expect(answer.head.contains("Content-Length: \(count)"))
        #expect(answer.body.count == count)
        let isRight = answer.body == patternBody(count)
        #expect(isRight)
    }

    /// 2^40 octets are the most; more, and what does not fit into 64 bits, is refused.
    @Test(arguments: [
        ("1024G", "200"), ("1025G", "400"), ("1099511627777", "400"), ("999999999999G", "400"),
        ("99999999999999999999999", "400"),
    ])
    func bodyHasAnEnd(_ size: String, _ status: String) async throws {
        let origin = try OriginFixture()
        // A HEAD asks for the head alone.
        let answer = try await origin.ask("HEAD /bytes/\(size) HTTP/1.1")
        #expect(answer.status == status)
        #expect(answer.body == [])
        if status == "200" { #expect(answer.head.contains("Content-Length: 1099511627776")) }
    }

    /// FIPS 180-2, appendix B.1: the digest of "abc"; and of what comes in pieces.
    @Test(arguments: ["POST", "PUT"]) func uploadIsDigested(_ method: String) async throws {
        let origin = try OriginFixture()
        let whole = try await origin.ask(
            "\(method) /up HTTP/1.1\r\nContent-Length: 3", body: Array("abc".utf8)
        ).json
        let chunked = try await origin.ask(
            "\(method) /up HTTP/1.1\r\nTransfer-Encoding: chunked", body: Array("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n".utf8)
        ).json
        for json in [whole, chunked] {
            #expect(
                json["bodySHA256"] as? String == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(json["bodyBytes"] as? Int == 3)
        }
        let empty = try await origin.ask("\(method) /up HTTP/1.1\r\nContent-Length: 0").json
        #expect(empty["bodySHA256"] == nil)
    }

    /// Bodies of several streams at once are kept apart (HTTP/2).
    @Test func uploadsOfSeveralStreamsAreKeptApart() async throws {
        let origin = try OriginFixture()
        let client = try await origin.client(alpn: ["h2"])
        // `:method POST` is 0x83.
        try await client.send(
            HTTP2Client.preface + HTTP2Client.headers(1, method: [0x83], ends: false).bytes
                + HTTP2Client.headers(3, method: [0x83], ends: false).bytes
                + HTTP2Client.data(1, Array("a".utf8)).bytes + HTTP2Client.data(3, Array("xyz".utf8), ends: true).bytes
                + HTTP2Client.data(1, Array("bc".utf8), ends: true).bytes)
        let view = try await client.wait("both answers") { view in
            (HTTP2Frame.parse(view.received) ?? []).count { $0.kind == .data && $0.flags & 1 == 1 } == 2
        }
        let frames = HTTP2Frame.parse(view.received) ?? []
        let first = frames.filter { $0.kind == .data && $0.stream == 1 }.flatMap(\.payload)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(first)) as? NSDictionary)
        #expect(json["bodySHA256"] as? String == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func headHasNoBody() async throws {
        let origin = try OriginFixture()
        let answer = try await origin.ask("HEAD /bytes/1M HTTP/1.1")
        #expect(answer.status == "200")
        #expect(answer.head.contains("Content-Length: 1048576"))
        #expect(answer.body == [])
    }

    @Test(arguments: ["DELETE", "OPTIONS", "PATCH", "get"]) func otherMethodsAreNotAllowed(_ method: String)
        async throws
    {
        let origin = try OriginFixture()
        #expect(try await origin.ask("\(method) / HTTP/1.1").status == "405")
    }

    @Test func connectionIsKeptForTheNextRequest() async throws {
        let origin = try OriginFixture()
        let client = try await origin.client()
        for number in 0..<3 {
            try await client.send("GET /bytes/\(number) HTTP/1.1\r\nHost: \(originHost)\r\n\r\n")
            let head = try await client.receive(through: "\r\n\r\n")
            #expect(head.contains("Content-Length: \(number)\r\n"))
            if number > 0 { _ = try await client.receive(number) }
        }
    }
}
