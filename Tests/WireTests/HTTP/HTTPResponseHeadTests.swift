import Testing
import Wire

@Suite("HTTPResponseHead")
struct HTTPResponseHeadTests {
    private func parse(_ text: String, limit: Int = 65536) -> HTTPHeadProgress<HTTPResponseHead> {
        HTTPResponseHead.parse(bytes(of: text), limit: limit)
    }

    @Test(
        "RFC 9112 section 4: status lines; the reason may be missing, with its space or without",
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n", 200, "OK", 1),
            ("HTTP/1.0 404 Not Found\r\n\r\n", 404, "Not Found", 0),
            ("HTTP/1.1 502 \r\n\r\n", 502, "", 1),
            ("HTTP/1.1 100\r\n\r\n", 100, "", 1),
            ("HTTP/1.1 999 a b\tc\n\n", 999, "a b\tc", 1),
        ])
    func statusLines(text: String, status: Int, reason: String, minorVersion: Int) {
        let head = HTTPResponseHead(status: status, reason: reason, minorVersion: minorVersion)
        #expect(parse(text) == .complete(head, length: text.utf8.count))
    }

    @Test("Fields follow; the body is left alone")
    func fields() {
        let text = "HTTP/1.1 200 Connection established\r\nVia: 1.1 p\r\nServer:\r\n\r\n"
        let head = HTTPResponseHead(
            status: 200, reason: "Connection established",
            headers: [HTTPHeader(name: "Via", value: "1.1 p"), HTTPHeader(name: "Server", value: "")])
        #expect(parse(text + "body") == .complete(head, length: 60))
        #expect(HTTPResponseHead.parse([UInt8](text.utf8.dropLast())) == .incomplete)
    }

    @Test(
        "What breaks a rule is malformed",
        arguments: [
            ("HTTP/1.1 20 OK\r\n\r\n", "bad status code"),
            ("HTTP/1.1 2000 OK\r\n\r\n", "bad status code"),
            ("HTTP/1.1 099 OK\r\n\r\n", "bad status code"),
            ("HTTP/1.1 2x0 OK\r\n\r\n", "bad status code"),
            ("HTTP/1.1  200 OK\r\n\r\n", "bad status code"),
            ("HTTP/1.1\r\n\r\n", "bad status code"),
            ("HTTP/2 200\r\n\r\n", "no HTTP version"),
            ("HTTP/2.0 200 OK\r\n\r\n", "not HTTP/1"),
            ("ICY 200 OK\r\n\r\n", "no HTTP version"),
            ("\u{15}\u{3}\u{3}", "control character"),
        ])
    func malformed(text: String, reason: String) {
        #expect(parse(text) == .malformed(reason))
    }

    @Test("A head above the limit is refused")
    func limit() {
        #expect(parse("HTTP/1.1 200 OK\r\n\r\n", limit: 18) == .tooLarge)
        #expect(parse("HTTP/1.1 200 OK", limit: 15) == .tooLarge)
        #expect(parse("HTTP/1.1 200 OK", limit: 16) == .incomplete)
    }
}
