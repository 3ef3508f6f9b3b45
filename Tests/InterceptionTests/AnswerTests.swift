import Interception
import Testing
import Transcript
import Wire

/// A rule that has the proxy answer in the origin's place: nobody connects to the origin.
@Suite struct AnswerTests {
    private let rules = [Rule(HostPattern("api.example.com")!, .answer)]

    @Test func `the client gets a leaf and a page, and the origin is not asked`() {
        var book = Playbook(rules)
        book.expect(
            .bytes(Sample.connect), [.reply(Sample.established), .arm(.silence), .read(.client, true)])
        let hello = Sample.hello()
        let actions = book.feed(.bytes(hello))
        #expect(
            Array(actions.dropFirst()) == [
                .arm(.handshake), .read(.origin, false), .forge(Sample.endpoint, key: .p256),
            ])
        // The client offers both; HTTP/2 is what a page comes in if it can.
        book.expect(
            .forged,
            [.arm(.handshake), .secureClient(alpn: Sample.h2, received: hello), .read(.client, true)])
        let page = Page(inPlaceOf: "api.example.com")
        book.expect(.clientSecured, [.arm(.idle), .serve(page, .http2)])
        #expect(page.status == 200)
        #expect(page.reason == "answer")
        #expect(book.recorded.contains(.decided(.answer, rule: "--answer api.example.com")))
        #expect(book.failures.isEmpty)
    }

    @Test func `a hello that comes with the CONNECT is not lost`() {
        var book = Playbook(rules)
        let actions = book.feed(.bytes(Sample.connect + Sample.hello()))
        #expect(actions.contains(.forge(Sample.endpoint, key: .p256)))
    }

    @Test func `what is no TLS has nobody to go to, so it ends`() {
        var book = Playbook(rules)
        _ = book.feed(.bytes(Sample.connect))
        let actions = book.feed(.bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)))
        #expect(!actions.contains { if case .relay = $0 { true } else { false } })
        #expect(actions.contains(.finish(.client, .proxy)))
        #expect(book.recorded.contains(.notTLS(.otherProtocol)))
    }
}
