import Testing

@testable import Wire

/// What is really sent of an answer.
@Suite struct AnswerMessageTests {
    private func header(_ name: String, _ value: String) -> HTTPHeader { HTTPHeader(name: name, value: value) }

    @Test func theSessionAloneFramesTheBody() {
        let answer = Answer(
            status: 200,
            headers: [
                header("content-LENGTH", "7"), header("Transfer-Encoding", "chunked"), header("Connection", "close"),
                header("Keep-Alive", "1"), header("Upgrade", "x"), header("Proxy-Connection", "x"), header("A", "b"),
            ], body: .bytes([1, 2, 3]))
        let message = AnswerMessage(answer, toMethod: "GET")
        #expect(message.fields == [header("A", "b"), header("Content-Length", "3")])
        #expect(message.body == .bytes([1, 2, 3]))
    }

    @Test func aValueCannotEndItsField() {
        let answer = Answer(
            status: 200,
            headers: [
                header("Location", "/a\r\nSet-Cookie: x=y\0"), header("B\r\nC", "d"), header("", "e"),
                header("F g", "h"),
            ])
        #expect(
            AnswerMessage(answer, toMethod: "GET").fields == [
                header("Location", "/a  Set-Cookie: x=y "), header("Content-Length", "0"),
            ])
    }

    @Test(arguments: [204, 304])
    func someStatusesHaveNoBody(status: Int) {
        let message = AnswerMessage(Answer(status: status, body: .bytes([1])), toMethod: "GET")
        #expect(message.fields.isEmpty)
        #expect(message.body == .empty)
    }

    @Test(arguments: [(100, 500), (199, 500), (600, 500), (-1, 500), (200, 200), (599, 599)])
    func onlyFinalStatusesAreSent(status: Int, sent: Int) {
        #expect(AnswerMessage(Answer(status: status), toMethod: "GET").status == sent)
    }

    @Test func aPageIsPlainText() {
        let page = Answer.page(status: 502, title: "No <origin>", text: ["It refused.", "Try --origin-ca."])
        #expect(page.status == 502)
        #expect(page.body == .bytes([UInt8]("No <origin>\n\nIt refused.\nTry --origin-ca.\n".utf8)))
        #expect(page.headers.values(named: "content-type") == ["text/plain; charset=utf-8"])
    }

    @Test func jsonIsSentAsItIs() {
        let answer = Answer.json(status: 200, "{\"a\":1}")
        #expect(answer.body == .bytes([UInt8]("{\"a\":1}".utf8)))
        #expect(answer.headers.values(named: "content-type") == ["application/json"])
    }

    @Test func bodiesSayTheirLength() {
        #expect(Answer.Body.empty.length == 0)
        #expect(Answer.Body.bytes([1, 2]).length == 2)
        #expect(Answer.Body.pattern(length: .max).length == .max)
    }
}
