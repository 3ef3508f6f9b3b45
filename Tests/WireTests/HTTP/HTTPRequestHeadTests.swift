import Testing
import Wire

@Suite("HTTPRequestHead")
struct HTTPRequestHeadTests {
    private func parse(_ text: String, limit: Int = 65536) -> HTTPHeadProgress<HTTPRequestHead> {
        HTTPRequestHead.parse(bytes(of: text), limit: limit)
    }

    @Test("A CONNECT head as curl sends it")
    func curl() {
        let text = """
            CONNECT api.pinproof.test:443 HTTP/1.1\r
            Host: api.pinproof.test:443\r
            User-Agent: curl/7.88.1\r
            Proxy-Connection: Keep-Alive\r
            \r

            """
        let head = HTTPRequestHead(
            method: "CONNECT", target: "api.pinproof.test:443", minorVersion: 1,
            headers: [
                HTTPHeader(name: "Host", value: "api.pinproof.test:443"),
                HTTPHeader(name: "User-Agent", value: "curl/7.88.1"),
                HTTPHeader(name: "Proxy-Connection", value: "Keep-Alive"),
            ])
        #expect(parse(text) == .complete(head, length: 126))
        // Early TLS bytes behind the blank line are left alone.
        #expect(parse(text + "\u{16}\u{3}\u{1}") == .complete(head, length: 126))
    }

    @Test(
        "C69: CONNECT without port, HTTP/1.0, without Host, lower case, absolute form: all are heads; the target decides",
        arguments: [
            ("CONNECT example.test HTTP/1.1\r\n\r\n", "CONNECT", "example.test", 1),
            ("CONNECT example.test:443 HTTP/1.0\r\n\r\n", "CONNECT", "example.test:443", 0),
            ("CONNECT example.test:443 HTTP/1.1\r\nHost: proxy:8080\r\n\r\n", "CONNECT", "example.test:443", 1),
            ("connect example.test:443 HTTP/1.1\r\n\r\n", "connect", "example.test:443", 1),
            ("CONNECT https://h:443/ HTTP/1.1\r\n\r\n", "CONNECT", "https://h:443/", 1),
            ("GET http://example.test/ HTTP/1.1\r\n\r\n", "GET", "http://example.test/", 1),
            ("CONNECT [::1]:443 HTTP/1.1\r\n\r\n", "CONNECT", "[::1]:443", 1),
            ("OPTIONS * HTTP/1.9\r\n\r\n", "OPTIONS", "*", 9),
        ])
    func requestLines(text: String, method: String, target: String, minorVersion: Int) {
        guard case .complete(let head, let length) = parse(text) else {
            Issue.record("not complete: \(parse(text))")
            return
        }
        #expect(head.method == method)
        #expect(head.target == target)
        #expect(head.minorVersion == minorVersion)
        #expect(length == text.utf8.count)
    }

    @Test("Every cut before the blank line's end is incomplete, in LF and in CR LF")
    func incomplete() {
        for text in ["GET / HTTP/1.1\r\nA: b\r\n\r\n", "GET / HTTP/1.1\nA: b\n\n", "\r\n\nGET / HTTP/1.1\nA: b\r\n\n"] {
            for length in 0..<text.utf8.count {
                let cut = [UInt8](text.utf8.prefix(length))
                #expect(HTTPRequestHead.parse(cut) == .incomplete, "\(text.debugDescription) cut at \(length)")
            }
            let head = HTTPRequestHead(method: "GET", target: "/", headers: [HTTPHeader(name: "A", value: "b")])
            #expect(parse(text) == .complete(head, length: text.utf8.count))
        }
    }

    @Test("RFC 9112 section 5: white space around a value goes, inside it stays; names keep their case")
    func fields() {
        let text = "GET / HTTP/1.1\r\na:b\r\nX-Empty:\r\nX-Blank: \t \r\nX-Inner: \t a \tb: c \t\r\nX-Utf8: ü\r\n\r\n"
        guard case .complete(let head, _) = parse(text) else {
            Issue.record("not complete")
            return
        }
        #expect(
            head.headers == [
                HTTPHeader(name: "a", value: "b"),
                HTTPHeader(name: "X-Empty", value: ""),
                HTTPHeader(name: "X-Blank", value: ""),
                HTTPHeader(name: "X-Inner", value: "a \tb: c"),
                HTTPHeader(name: "X-Utf8", value: "ü"),
            ])
    }

    @Test(
        "What breaks a rule is malformed",
        arguments: [
            ("GET /\r\n\r\n", "request line is not method, target, version"),
            ("GET\r\n\r\n", "request line is not method, target, version"),
            ("GET /a b HTTP/1.1\r\n\r\n", "request line is not method, target, version"),
            ("GET  / HTTP/1.1\r\n\r\n", "request line is not method, target, version"),
            ("GET  HTTP/1.1\r\n\r\n", "bad request target"),
            ("GET a\tb HTTP/1.1\r\n\r\n", "bad request target"),
            (" GET / HTTP/1.1\r\n\r\n", "bad method"),
            ("G(T / HTTP/1.1\r\n\r\n", "bad method"),
            ("GÉT / HTTP/1.1\r\n\r\n", "bad method"),
            ("GET / HTTP/2.0\r\n\r\n", "not HTTP/1"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "not HTTP/1"),
            ("GET / http/1.1\r\n\r\n", "no HTTP version"),
            ("GET / HTTP/1.12\r\n\r\n", "no HTTP version"),
            ("GET / HTTP/1.x\r\n\r\n", "no HTTP version"),
            ("GET / HTTP/1.1 \r\n\r\n", "request line is not method, target, version"),
            ("GET / HTTP/1.1\r\n folded: b\r\n\r\n", "folded header line"),
            ("GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", "folded header line"),
            ("GET / HTTP/1.1\r\nA : b\r\n\r\n", "bad header name"),
            ("GET / HTTP/1.1\r\n: b\r\n\r\n", "bad header name"),
            ("GET / HTTP/1.1\r\nA b: c\r\n\r\n", "bad header name"),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "header line without colon"),
            ("GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n", "control character"),
            ("GET / HTTP/1.1\r\nA: b\0\r\n\r\n", "control character"),
            ("GET /\u{7f} HTTP/1.1\r\n\r\n", "control character"),
            ("GET / HTTP/1.1\r\r\n\r\n", "control character"),
        ])
    func malformed(text: String, reason: String) {
        #expect(parse(text) == .malformed(reason))
    }

    @Test("Another protocol is told before any line ends")
    func otherProtocols() {
        #expect(HTTPRequestHead.parse(CapturedHello.curl.flight) == .malformed("control character"))
        #expect(HTTPRequestHead.parse([5, 1, 0]) == .malformed("control character"))
    }

    @Test("The limit counts every octet up to the blank line's end")
    func limit() {
        let text = "GET / HTTP/1.1\r\nA: b\r\n\r\n"
        let length = text.utf8.count
        let head = HTTPRequestHead(method: "GET", target: "/", headers: [HTTPHeader(name: "A", value: "b")])
        #expect(parse(text, limit: length) == .complete(head, length: length))
        #expect(parse(text, limit: length - 1) == .tooLarge)
        #expect(HTTPRequestHead.parse([UInt8](text.utf8.dropLast()), limit: length - 1) == .tooLarge)
        #expect(parse("GET /aaaaaaaaaaaaaaaaaaaa", limit: 20) == .tooLarge)
        #expect(HTTPRequestHead.parse([UInt8](repeating: 65, count: 65535)) == .incomplete)
        #expect(HTTPRequestHead.parse([UInt8](repeating: 65, count: 65536)) == .tooLarge)
        #expect(HTTPRequestHead.parse([UInt8](repeating: 10, count: 65536)) == .tooLarge)
    }
}
