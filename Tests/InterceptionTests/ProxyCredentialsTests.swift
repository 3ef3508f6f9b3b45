import Interception
import Testing
import Transcript
import Wire

/// Who may use the proxy (RFC 7617), C70.
@Suite struct ProxyCredentialsTests {
    // "Aladdin:open sesame" is the example of RFC 7617 section 2.
    private let credentials = ProxyCredentials([Array("Aladdin:open sesame".utf8), Array("test:123£".utf8)])

    private func answer(_ fields: String) -> [ConnectionAction] {
        var machine = ConnectionMachine(rules: RuleBook(), credentials: credentials)
        return machine.handle(.bytes(Array("CONNECT api.example.com:443 HTTP/1.1\r\n\(fields)\r\n".utf8)))
    }

    @Test(
        "C70: who knows a name and its password is served",
        arguments: [
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n",
            "proxy-authorization: BASIC  QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n",
            // The example of section 2.1, in UTF-8.
            "Proxy-Authorization: Basic dGVzdDoxMjPCow==\r\n",
        ])
    func known(_ fields: String) {
        #expect(answer(fields).contains(.connect(Sample.endpoint)))
    }

    @Test(
        "C70: nobody else is, and is told what is wanted",
        arguments: [
            "", "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n",
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZR==\r\n",
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ\r\n",
            "Proxy-Authorization: Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n",
            "Proxy-Authorization: QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n", "Proxy-Authorization: Basic\r\n",
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== x\r\n",
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\nProxy-Authorization: Basic x\r\n",
        ])
    func unknown(_ fields: String) throws {
        let actions = answer(fields)
        #expect(!actions.contains(.connect(Sample.endpoint)))
        let reply = try #require(actions.compactMap { if case .reply(let bytes) = $0 { bytes } else { nil } }.first)
        let text = String(decoding: reply, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 407 Proxy Authentication Required\r\n"))
        #expect(text.contains("\r\nProxy-Authenticate: Basic realm=\"Pinproof\", charset=\"UTF-8\"\r\n\r\npinproof: "))
        #expect(actions.contains(.record(.answered(status: 407, reason: "credentialsNeeded"))))
    }

    @Test("C70: whichever octet is another, it is not known")
    func everyOctetCounts() {
        let token = Array("QWxhZGRpbjpvcGVuIHNlc2FtZQ==".utf8)
        for index in token.indices {
            for bit in 0..<7 as Range<UInt8> {
                var other = token
                other[index] ^= 1 << bit
                guard other[index] > 0x20, other[index] < 0x7F else { continue }
                let text = String(decoding: other, as: UTF8.self)
                let header = HTTPHeader(name: "Proxy-Authorization", value: "Basic \(text)")
                #expect(!credentials.accept([header]), "\(text)")
            }
        }
    }

    @Test("C70: what was sent is recorded nowhere")
    func unrecorded() {
        for fields in ["QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "c2VjcmV0OnNlY3JldA=="] {
            for action in answer("Proxy-Authorization: Basic \(fields)\r\n") {
                #expect(!"\(action)".contains(fields))
            }
        }
    }
}
