import Testing
import Wire

/// What an HTTP/1 client gets that breaks the rules: a status that says so, and the end of the connection.
@Suite struct AnswerHTTP1FaultTests {
    /// A request that must be refused.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let status: String
        let fault: WireError

        init(_ name: String, _ request: String, _ status: String, _ fault: WireError) {
            (testDescription, self.request, self.status, self.fault) = (name, request, status, fault)
        }
    }

    static let start = "POST / HTTP/1.1\r\nHost: h\r\n"
    static let length = WireError.malformed(field: "Content-Length field")
    static let chunk = WireError.malformed(field: "chunk")

    static let cases: [Case] = [
        Case(
            "not HTTP", "\u{16}\u{3}\u{1}", "400 Bad Request",
            .malformed(field: "request head: control character")),
        Case(
            "an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 Bad Request",
            .malformed(field: "request head: not HTTP/1")),
        Case("no Host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request", .malformed(field: "Host field")),
        Case(
            "two Hosts", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "400 Bad Request",
            .malformed(field: "Host field")),
        Case("duplicate length", start + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", "400 Bad Request", length),
        Case("a list of lengths", start + "Content-Length: 1, 1\r\n\r\nx", "400 Bad Request", length),
        Case("negative length", start + "Content-Length: -1\r\n\r\n", "400 Bad Request", length),
        Case("signed length", start + "Content-Length: +1\r\n\r\nx", "400 Bad Request", length),
        Case("no length in the field", start + "Content-Length:\r\n\r\n", "400 Bad Request", length),
        Case("length of 2^64", start + "Content-Length: 18446744073709551616\r\n\r\n", "400 Bad Request", length),
        Case(
            "length beside chunks", start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "400 Bad Request", .malformed(field: "Transfer-Encoding beside Content-Length")),
        Case(
            "chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request",
            .malformed(field: "Transfer-Encoding in HTTP/1.0")),
        Case(
            "gzip", start + "Transfer-Encoding: gzip, chunked\r\n\r\n", "501 Not Implemented",
            .unsupported("a transfer coding other than chunked")),
        Case(
            "two codings", start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            "501 Not Implemented", .unsupported("a transfer coding other than chunked")),
        Case(
            "large head", start + "X: " + String(repeating: "a", count: 65_536), "431 Request Header Fields Too Large",
            .unsupported("a request head over 64 KiB")),
        Case(
            "endless empty lines", String(repeating: "\r\n", count: 32_768), "431 Request Header Fields Too Large",
            .unsupported("a request head over 64 KiB")),
        Case("a chunk without size", start + "Transfer-Encoding: chunked\r\n\r\n\r\n", "400 Bad Request", chunk),
    ]

    @Test(arguments: cases)
    func isRefused(_ refused: Case) throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        let (fault, output) = bench.provoke([UInt8](refused.request.utf8))
        #expect(fault == refused.fault)
        #expect(bench.session.fault == refused.fault)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 \(refused.status)\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nThe request was refused.\n\n\(refused.fault)\n"))
        #expect(source.requests.isEmpty)
        #expect(bench.session.wantsToClose)
        // The fault is thrown once; what follows is dropped without a word.
        #expect(try bench.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n") == "")
        #expect(bench.input.isEmpty)
    }

    @Test func aFaultBehindAGoodRequestComesAfterItsAnswer() throws {
        let bench = AnswerBench(.http1, AnswerRecorder())
        let (fault, output) = bench.provoke([UInt8]("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n".utf8))
        #expect(fault == nil)
        let text = String(decoding: output, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/1HTTP/1.1 400 Bad Request\r\n"))
        // It was found while output was produced, so the next delivery throws it.
        let expected = WireError.malformed(field: "request head: request line is not method, target, version")
        #expect(bench.session.fault == expected)
        #expect(throws: expected) { try bench.session.receive(from: bench.input) }
        #expect(throws: Never.self) { try bench.session.receive(from: bench.input) }
    }

    @Test func aHeadOf64KiBIsTaken() throws {
        let head = "GET /h HTTP/1.1\r\nHost: h\r\nX: "
        let filling = String(repeating: "a", count: 65_536 - head.utf8.count - 4)
        #expect(
            try AnswerBench(.http1, AnswerRecorder()).exchange(head + filling + "\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/h")
    }
}
