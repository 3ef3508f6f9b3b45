import Testing
import Wire

/// What an observer follows although whoever answers it would be right to refuse it: both ends have agreed on it.
@Suite struct LenientHeadTests {
    /// The head that a side sends, with the length of all of it.
    private func head(_ sender: HTTPSender, _ text: String, pieces size: Int) throws -> ObservedHead {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        if sender == .origin { _ = watch.observe(.client, text: "GET / HTTP/1.1\r\n\r\n") }
        let found = watch.observe(sender, Array(text.utf8), pieces: size)
        #expect(watch.isWatching && !found.contains { if case .stopped = $0 { true } else { false } })
        guard case .head(let head) = found.first else { throw WireError.malformed(field: "head") }
        #expect(head.length == UInt64(text.utf8.count))
        return head
    }

    @Test(
        "Fields",
        arguments: [
            // Folded (RFC 9112 section 5.2): each line's end is a space.
            ("A: b\r\n  c\r\n\td \r\nE: f\r\n", [("A", "b c d"), ("E", "f")]),
            ("A:\r\n b\r\n \r\n", [("A", "b")]), ("  lost\r\nA: b\r\n", [("A", "b")]),
            ("Content-Length:\r\n 0\r\n", [("Content-Length", "0")]),
            // Whatever octets there are.
            ("A: \u{1B}[31m\u{0}\u{7F}\r\n", [("A", "\u{1B}[31m\u{0}\u{7F}")]), ("A: b\rc\r\n", [("A", "b\rc")]),
            // White space before the colon (section 5.1), names that are no tokens, and none at all.
            ("Content-Length : 0\r\n", [("Content-Length", "0")]), ("A B: c\r\n", [("A B", "c")]),
            ("no colon\r\nA: b\n", [("", "no colon"), ("A", "b")]), (": b\r\n", [("", "b")]),
        ] as [(String, [(String, String)])])
    func fields(_ lines: String, _ expected: [(String, String)]) throws {
        for size in [1, 3, 100_000] {
            let request = try head(.client, "GET / HTTP/1.1\r\n\(lines)\r\n", pieces: size)
            #expect(request.fields == expected.map { HTTPHeader(name: $0.0, value: $0.1) })
        }
        // A response without a length has content.
        let response = "HTTP/1.1 204 \u{1B}\u{0}\r\n\(lines)\r\n"
        #expect(try head(.origin, response, pieces: 5).fields == expected.map { HTTPHeader(name: $0.0, value: $0.1) })
    }

    @Test(
        "First lines",
        arguments: [
            ("\r\n\nGET /a b\tc HTTP/1.1", "GET", "/a b\tc"), ("GET /\u{1B} HTTP/1.0", "GET", "/\u{1B}"),
            ("PROPFIND  HTTP/1.1 HTTP/1.1", "PROPFIND", " HTTP/1.1"),
        ])
    func firstLines(_ line: String, _ method: String, _ target: String) throws {
        for size in [1, 100_000] {
            let head = try head(.client, line + "\r\n\r\n", pieces: size)
            #expect(head.method == method && head.target == target)
        }
    }

    @Test("A folded field that is a secret is one as a whole")
    func foldedSecret() throws {
        let head = try head(.client, "GET / HTTP/1.1\r\nAuthorization: Bearer\r\n abc\r\n\r\n", pieces: 1)
        #expect(head.fields == [HTTPHeader(name: "Authorization", value: "Bearer (redacted)")])
    }

    @Test("A head of 5,000 fields and one of 200 KB are followed")
    func largeHeads() throws {
        let many = (0..<5000).map { "X-\($0): \($0)\r\n" }.joined()
        #expect(try head(.origin, "HTTP/1.1 204 No Content\r\n\(many)\r\n", pieces: 1000).fields.count == 5000)
        let long = String(repeating: "v", count: 200_000)
        #expect(
            try head(.origin, "HTTP/1.1 204 No Content\r\nX: \(long)\r\n\r\n", pieces: 1000).fields
                == [HTTPHeader(name: "X", value: long)])
    }
}
