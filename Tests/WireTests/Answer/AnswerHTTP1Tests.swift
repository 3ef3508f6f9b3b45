import Testing
import Wire

/// What a well-behaved HTTP/1 client gets, byte for byte.
@Suite struct AnswerHTTP1Tests {
    @Test func answersARequest() throws {
        let source = AnswerRecorder { _ in
            Answer(
                status: 404, headers: [HTTPHeader(name: "Content-Type", value: "text/plain")],
                body: .bytes([UInt8]("gone".utf8)))
        }
        let bench = AnswerBench(.http1, source)
        #expect(!bench.session.hasOutput)
        let output = try bench.exchange("GET /a?b HTTP/1.1\r\nHost: example.com:8443\r\nX-Two: 2\r\n\r\n")
        #expect(
            output == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n"
                + "Connection: keep-alive\r\n\r\ngone")
        #expect(
            source.requests == [
                HTTPRequest(
                    method: "GET", target: "/a?b", authority: "example.com:8443",
                    headers: [
                        HTTPHeader(name: "Host", value: "example.com:8443"), HTTPHeader(name: "X-Two", value: "2"),
                    ], httpVersion: "HTTP/1.1", streamID: 0)
            ])
        #expect(source.bodyLengths == [0])
        #expect(!bench.session.wantsToClose)
    }

    @Test func keepsTheConnectionUntilToldOtherwise() throws {
        let bench = AnswerBench(.http1, AnswerRecorder())
        #expect(
            try bench.exchange("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/1")
        #expect(
            try bench.exchange("GET /2 HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\nGET /3 HTTP/1.1\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n/2")
        #expect(bench.session.wantsToClose)
        // What comes after the last request is taken and dropped.
        #expect(try bench.exchange("Host: h\r\n\r\n") == "")
        #expect(bench.input.isEmpty)
    }

    @Test func answersPipelinedRequestsInOrder() throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        let output = try bench.exchange(
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                + "\r\nHEAD /3 HTTP/1.1\r\nHost: h\r\n\r\nGET /4 HTTP/1.1\nHost: h\n\n")
        #expect(
            output == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/1"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/2"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/4")
        #expect(source.requests.map(\.method) == ["GET", "POST", "HEAD", "GET"])
        #expect(source.bodyLengths == [0, 3, 0, 0])
        #expect(source.bodies == [0: [UInt8]("abc".utf8)])
    }

    @Test func takesRequestsOctetByOctet() throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        let text =
            "POST /1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nworld"
        var output: [UInt8] = []
        for octet in text.utf8 { output += try bench.exchange([octet]) }
        #expect(
            String(decoding: output, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/1"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/2")
        #expect(source.bodies == [0: [UInt8]("helloworld".utf8)])
        #expect(source.bodyLengths == [5, 5])
    }

    @Test func headHasTheLengthButNoBody() throws {
        let bench = AnswerBench(
            .http1, AnswerRecorder { _ in Answer(status: 200, body: .pattern(length: 1 << 40)) })
        #expect(
            try bench.exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test(arguments: [
        ("GET /0 HTTP/1.0\r\n\r\n", "close", true, "HTTP/1.0"),
        ("GET /0 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "keep-alive", false, "HTTP/1.0"),
        ("GET /0 HTTP/1.9\r\nHost: h\r\n\r\n", "keep-alive", false, "HTTP/1.1"),
    ])
    func eachMinorVersionHasItsDefault(request: String, connection: String, closes: Bool, version: String) throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        #expect(
            try bench.exchange(request)
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: \(connection)\r\n\r\n/0")
        #expect(bench.session.wantsToClose == closes)
        #expect(source.requests.map(\.httpVersion) == [version])
    }

    @Test(arguments: ["100-continue", "100-Continue", "100-CONTINUE"])
    func tellsAWaitingClientToGoOn(expectation: String) throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        #expect(
            try bench.exchange("PUT /p HTTP/1.1\r\nHost: h\r\nExpect: \(expectation)\r\nContent-Length: 2\r\n\r\n")
                == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(source.requests.isEmpty)
        #expect(
            try bench.exchange("ok") == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/p")
    }

    @Test(arguments: [
        "GET /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
        "PUT /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "PUT /p HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
    ])
    func saysContinueOnlyWhereAClientCanWait(request: String) throws {
        #expect(
            try AnswerBench(.http1, AnswerRecorder()).exchange(request)
                == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/p")
    }

    @Test(arguments: [
        ("http://example.com/x?y", "/x?y", "example.com"), ("HTTPS://Example.com:8443", "/", "Example.com:8443"),
        ("http://example.com?y", "/?y", "example.com"), ("*", "*", "h"), ("example.com:443", "example.com:443", "h"),
        ("/http://example.com/", "/http://example.com/", "h"),
    ])
    func understandsEveryFormOfTarget(target: String, path: String, authority: String) throws {
        let source = AnswerRecorder()
        _ = try AnswerBench(.http1, source).exchange("OPTIONS \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(source.requests.map(\.target) == [path])
        #expect(source.requests.map(\.authority) == [authority])
    }

    @Test func producesNoMoreThanTheLimit() throws {
        let source = AnswerRecorder { _ in Answer(status: 200, body: .pattern(length: 300_000)) }
        let bench = AnswerBench(.http1, source)
        bench.input.append([UInt8]("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        try bench.session.receive(from: bench.input)
        var pieces: [[UInt8]] = []
        while bench.session.hasOutput {
            bench.session.produce(into: bench.output, limit: 70_001)
            // A second call finds the queue full.
            bench.session.produce(into: bench.output, limit: 70_001)
            pieces.append(bench.output.takeAll())
        }
        let head = [UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nConnection: keep-alive\r\n\r\n".utf8)
        #expect(pieces.map(\.count) == [70_001, 70_001, 70_001, 70_001, 300_000 + head.count - 4 * 70_001])
        var pattern = [UInt8](repeating: 0, count: 300_000)
        pattern.withUnsafeMutableBytes { BodyPattern.fill(into: $0, offset: 0) }
        let isAsExpected = pieces.flatMap(\.self) == head + pattern
        #expect(isAsExpected)
    }

    @Test func takesABoundedPartOfWhatIsPipelined() throws {
        let source = AnswerRecorder()
        let bench = AnswerBench(.http1, source)
        let request = [UInt8]("GET /n HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        for _ in 0..<10_000 { bench.input.append(request) }
        try bench.session.receive(from: bench.input)
        // One request is answered, 64 KiB wait inside, the rest waits outside: this client does not read.
        #expect(source.requests.count == 1)
        #expect(bench.input.count == 9_999 * request.count - 65_536)
        #expect(!bench.session.acceptsInput)
        try bench.session.receive(from: bench.input)
        #expect(bench.input.count == 9_999 * request.count - 65_536)

        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/n"
        let isAnswered = try bench.exchange([]) == [UInt8](String(repeating: answer, count: 10_000).utf8)
        #expect(isAnswered)
        #expect(source.requests.count == 10_000)
    }

    @Test func anAnswerThatFillsTheQueueExactlyLetsTheNextOneFollow() throws {
        let bench = AnswerBench(.http1, AnswerRecorder())
        bench.input.append([UInt8]("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        try bench.session.receive(from: bench.input)
        let length = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/1".utf8.count
        bench.session.produce(into: bench.output, limit: length)
        #expect(bench.output.count == length)
        #expect(bench.session.hasOutput)
    }
}
