import Testing

@testable import Wire

/// How much of the input is taken for a head.
///
/// What a head means is the parser's business.
@Suite struct AnswerHTTP1HeadReaderTests {
    private func taken(_ reader: inout HTTP1HeadReader<HTTPRequestHead>, _ text: String) -> Int {
        [UInt8](text.utf8).withUnsafeBytes { reader.read($0).taken }
    }

    @Test func stopsBehindTheEmptyLine() {
        var reader = HTTP1HeadReader<HTTPRequestHead>()
        #expect(taken(&reader, "GET / HTTP/1.1\r\nA: b\r") == 21)
        #expect(taken(&reader, "\n") == 1)
        #expect(taken(&reader, "\r\nGET") == 2)
    }

    @Test func takesEmptyLinesBeforeTheHeadInOneGo() {
        // Were each of them taken for an end, each would cost a look at all that came before it.
        var reader = HTTP1HeadReader<HTTPRequestHead>()
        #expect(taken(&reader, "\r\n\n\r\n\r\nGET /") == 12)
    }

    @Test func takesNoMoreThanTheLimit() {
        var reader = HTTP1HeadReader<HTTPRequestHead>()
        let filling = String(repeating: "a", count: 65_000)
        #expect(taken(&reader, filling) == 65_000)
        #expect(taken(&reader, filling) == 536)
    }
}
