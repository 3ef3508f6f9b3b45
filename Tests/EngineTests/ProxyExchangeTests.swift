import Crypto
import TestSupport
import Testing
import Transcript

/// What protocols above TLS say passes byte for byte, whatever a proxy that understood them might make of it.
@Suite struct ProxyExchangeTests {
    @Test("C71: trailers pass, with a body and without", arguments: trailers)
    func trailersPass(_ exchange: Exchange) async throws { try await exchange.play(on: Stage()) }

    @Test("C72: who expects 100 gets the origin's word, whatever it is", arguments: expectations)
    func expectationsPass(_ exchange: Exchange) async throws { try await exchange.play(on: Stage()) }

    @Test("C73: odd framing passes as it is, and the next response is intact", arguments: oddFraming)
    func oddFramingPasses(_ exchange: Exchange) async throws { try await exchange.play(on: Stage()) }

    @Test("C73: what is odd about framing is noted in the events, on the side that it came from")
    func oddFramingIsNoted() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair()
        let asked = Array("POST / HTTP/1.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".utf8)
        try await client.send(asked)
        expectSame(try await origin.receive(asked.count), asked)
        let answered = Array("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n".utf8)
        try await origin.send(answered)
        expectSame(try await client.receive(answered.count), answered)
        try await client.reset()
        #expect(try await origin.ended() == .reset)
        let lines = try await stage.log.story().lines.filter { $0.hasPrefix("framing") }
        #expect(lines == ["framing client lengthBesideCoding", "framing origin framedWithoutContent"])
    }

    @Test("C74: interim responses pass before the final one", arguments: interimResponses)
    func interimResponsesPass(_ exchange: Exchange) async throws { try await exchange.play(on: Stage()) }

    @Test("C77: frames that come with the request and with 101 are delivered")
    func webSocketFramesPassWithTheUpgrade() async throws {
        let stage = try await Stage()
        // An HTTP/2 session to the same host, before and beside it, decides nothing for this one.
        let (first, firstOrigin) = try await stage.interceptedPair(alpn: "h2", offering: ["h2", "http/1.1"])
        try await first.send(HTTP2Client.preface)
        #expect(try await firstOrigin.receive(HTTP2Client.preface.count) == HTTP2Client.preface)

        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["http/1.1"])
        #expect(client.seen.facts?.alpn == Array("http/1.1".utf8))
        // The masked text "Hello" of RFC 6455 section 5.7, pipelined behind the request.
        let asked = Array(webSocketRequest.utf8) + [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        try await client.send(asked)
        expectSame(try await origin.receive(asked.count), asked)
        // The unmasked "Hello", in one write with the answer; then an empty binary frame and a ping.
        let answered =
            Array(webSocketAnswer.utf8) + [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f] + [0x82, 0x00, 0x89, 0x00]
        try await origin.send(answered)
        expectSame(try await client.receive(answered.count), answered)

        try await first.send("still there")
        #expect(try await firstOrigin.receive(11) == Array("still there".utf8))
    }
}

// MARK: The exchanges

private let trailers: [Exchange] = [
    Exchange(
        "HTTP/2, trailers only", alpn: "h2", .client([grpcRequest], after: HTTP2Client.preface),
        .origin([
            HTTP2Origin.preface,
            HTTP2Origin.headers(
                1, status: 0x88, more: [("content-type", "application/grpc"), ("grpc-status", "5")], ends: true),
        ])),
    Exchange(
        "HTTP/2, head and trailers without DATA", alpn: "h2", .client([grpcRequest], after: HTTP2Client.preface),
        .origin([
            HTTP2Origin.preface,
            HTTP2Origin.headers(1, status: 0x88, more: [("content-type", "application/grpc")], ends: false),
            HTTP2Origin.trailers(1, [("grpc-status", "0")]),
        ])),
    Exchange(
        "HTTP/2, a message and trailers", alpn: "h2", .client([grpcRequest], after: HTTP2Client.preface),
        .client([HTTP2Client.data(1, [0, 0, 0, 0, 1, 7], ends: true)]),
        .origin([
            HTTP2Origin.preface,
            HTTP2Origin.headers(1, status: 0x88, more: [("content-type", "application/grpc")], ends: false),
            HTTP2Client.data(1, [0, 0, 0, 0, 2, 8, 9]),
            HTTP2Origin.trailers(1, [("grpc-status", "13"), ("grpc-message", "a%20reason")]),
        ])),
    Exchange(
        "HTTP/1.1, chunked with Trailer", .client("GET / HTTP/1.1\r\nHost: h.test\r\nTE: trailers\r\n\r\n"),
        .origin(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Checksum\r\n\r\n"
                + "5;name=value\r\nhello\r\n0\r\nChecksum: 2cf24dba\r\n\r\n")),
    Exchange(
        "HTTP/1.1, an upload with Trailer",
        .client(
            "PUT / HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\nTrailer: Checksum\r\n\r\n"
                + "5\r\nhello\r\n0\r\nChecksum: 2cf24dba\r\n\r\n"),
        .origin("HTTP/1.1 204 No Content\r\n\r\n")),
]

/// `te: trailers` is what gRPC asks with.
private let grpcRequest = HTTP2Client.headers(
    1, method: [0x83], path: "/service/Method", more: [("te", "trailers"), ("content-type", "application/grpc")],
    ends: false)

private let upload = pattern(2 << 20)
private let expectant = "PUT / HTTP/1.1\r\nHost: h.test\r\nContent-Length: 2097152\r\nexpect: 100-CONTINUE\r\n\r\n"
private let stored = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstored"

private let expectations: [Exchange] = [
    Exchange("100", .client(expectant), .origin("HTTP/1.1 100 Continue\r\n\r\n"), .client(upload), .origin(stored)),
    Exchange(
        "417, then without", .client(expectant),
        .origin("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"),
        .client("PUT / HTTP/1.1\r\nHost: h.test\r\nContent-Length: 2097152\r\n\r\n"), .client(upload), .origin(stored)),
    Exchange(
        "401", .client(expectant),
        .origin("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")),
    Exchange("no word", .client(expectant), .client(upload), .origin(stored)),
]

private let request = "GET / HTTP/1.1\r\nHost: h.test\r\n\r\n"

private let oddFraming: [Exchange] = [
    Exchange(
        "a request with both framings",
        .client(
            "POST / HTTP/1.1\r\nHost: h.test\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX"),
        .origin("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
    Exchange(
        "a response with both framings", .client(request),
        .origin(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n")),
    Exchange(
        "Transfer-Encoding twice", .client(request),
        .origin(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n0\r\n\r\n")),
    Exchange(
        "Transfer-Encoding: chunked, chunked", .client(request),
        .origin("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n")),
    Exchange(
        "Content-Length twice", .client(request),
        .origin("HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\nhello")),
    Exchange(
        "304 with framing", .client(request),
        .origin("HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\nTransfer-Encoding: chunked\r\n\r\n")),
    Exchange(
        "204 with framing", .client(request),
        .origin("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
    Exchange(
        "an empty chunked 301", .client(request),
        .origin("HTTP/1.1 301 Moved\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
    Exchange(
        "bare LF, folded fields and octets that are no text", .client("GET / HTTP/1.1\nHost: h.test\n\n"),
        .origin(Array("HTTP/1.1 200 OK\nX: a\n b\nContent-Length: 2\nY: ".utf8) + [0xFF, 0x00, 0x0A, 0x0A, 0x68, 0x69])),
    Exchange(
        "two requests in one write, two answers in another", .client(request + request),
        .origin(stored + stored)),
]

private let interimResponses: [Exchange] = [
    Exchange(
        "two 103, then 200 with 12 octets, in one write", .client(request),
        .origin(earlyHints + earlyHints + "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\ntwelve bytes")),
    Exchange(
        "one at a time", .client(request), .origin(earlyHints), .origin("HTTP/1.1 102 Processing\r\n\r\n"),
        .origin(earlyHints), .origin("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"), .origin("twelve bytes")),
]

private let earlyHints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"

// The handshake of RFC 6455 section 1.3.
private let webSocketRequest =
    "GET /chat HTTP/1.1\r\nHost: h.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
private let webSocketAnswer =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
