import Interception
import Testing
import Transcript
import Wire

/// From the answer to CONNECT to the first bytes of either side, and what they turn out to be.
@Suite struct HelloWaitTests {
    private static let plain = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    private static let banner = Array("SSH-2.0-example\r\n".utf8)

    /// What was recorded of the tunnel's content.
    private func contents(_ book: borrowing Playbook) -> [TunnelContent] {
        book.recorded.compactMap { if case .notTLS(let content) = $0 { content } else { nil } }
    }

    private func expect(
        _ book: borrowing Playbook, _ expected: [TunnelContent], failures: [Failure.Code] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (found, failed) = (contents(book), book.failures)
        #expect(found == expected, sourceLocation: sourceLocation)
        #expect(failed == failures, sourceLocation: sourceLocation)
    }

    @Test("C34: what is not TLS is relayed as it is, and said")
    func plainText() {
        var book = Playbook.at(.hello)
        book.expect(
            .bytes(Self.plain),
            [.arm(.idle), .relay(secured: false, received: Self.plain), .read(.client, true), .read(.origin, true)])
        expect(book, [.otherProtocol])
    }

    @Test("C34: an origin that speaks first is passed on, behind what the client said")
    func originFirst() {
        for part in [[], Array(Sample.hello().prefix(10))] {
            var book = Playbook.at(.hello)
            _ = book.feed(.bytes(part))
            book.expect(
                .originSpoke(Self.banner),
                [
                    .arm(.idle), .relay(secured: false, received: part), .deliver(Self.banner), .read(.client, true),
                    .read(.origin, true),
                ])
            expect(book, [.originFirst])
        }
    }

    @Test("C34: a silent tunnel is listed, and who speaks first still decides")
    func silence() {
        var book = Playbook.at(.hello)
        book.expect(.timedOut, [.arm(.idle)])
        expect(book, [.silence])
        let actions = book.feed(.bytes(Sample.hello()))
        #expect(actions.contains(.secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])))

        var other = Playbook.at(.hello)
        _ = other.feed(.timedOut)
        #expect(other.feed(.originSpoke(Self.banner)).contains(.deliver(Self.banner)))
        expect(other, [.silence, .originFirst])
    }

    @Test("C34: a tunnel that stays silent ends by the idle limit")
    func silenceEnds() {
        var book = Playbook.at(.hello)
        _ = book.feed(.timedOut)
        book.expect(.timedOut, Sample.politeEnd)
        expect(book, [.silence])
    }

    @Test("C68: a stalled hello ends by its limit and says how far it came")
    func stalledHello() {
        var book = Playbook.at(.hello)
        book.expect(.bytes(Array(Sample.hello().prefix(10))), [.arm(.hello)])
        book.expect(.bytes(Array(Sample.hello()[10..<20])), [])
        book.expect(.timedOut, Sample.politeEnd)
        let failure = book.recorded.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first
        #expect(failure?.code == .timeout)
        #expect(failure?.party == .client)
        #expect(failure?.detail == "the ClientHello stayed incomplete (20 octets)")
    }

    @Test("A hello above the limit is refused with decode_error")
    func largeHello() {
        let hello = Sample.hello()
        for (limit, isTaken) in [(hello.count, true), (hello.count - 1, false)] {
            var limits = SizeLimits()
            limits.hello = limit
            var machine = ConnectionMachine(rules: RuleBook(), limits: limits)
            _ = machine.handle(.bytes(Sample.connect))
            _ = machine.handle(.connected(address: "192.0.2.1:443", nanoseconds: 5))
            let actions = machine.handle(.bytes(hello))
            #expect(actions.contains(.reply([0x15, 3, 3, 0, 2, 2, 50])) != isTaken)
            #expect(actions.contains(.secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])) == isTaken)
        }
    }

    @Test("An origin that ends before the hello is told to the client inside TLS")
    func originEndsFirst() {
        for end in [End.fin, .reset] {
            var book = Playbook.at(.hello)
            book.expect(.ended(.origin, end), [])
            let actions = book.feed(.bytes(Sample.hello()))
            #expect(actions.contains(.forge(Sample.endpoint, key: .p256)))
            #expect(!actions.contains(.secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])))
            expect(book, [], failures: [.originHandshake])
            #expect(book.ends == [.ended(.origin, end, .hello)])
        }
    }

    @Test("An origin's end that came before plain text is passed on with it")
    func originEndsBeforePlainText() {
        var book = Playbook.at(.hello)
        _ = book.feed(.ended(.origin, .fin))
        let actions = book.feed(.bytes(Self.plain))
        #expect(actions.contains(.relay(secured: false, received: Self.plain)))
        #expect(actions.last == .finish(.client, .fin))
        #expect(book.ends == [.ended(.origin, .fin, .hello)])
    }

    @Test("A silent client is told soon that its origin has gone", arguments: [(End.fin, End.fin), (.reset, .reset)])
    func originEndsAndTheClientIsSilent(_ end: End, _ passedOn: End) {
        var book = Playbook.at(.hello)
        _ = book.feed(.ended(.origin, end))
        #expect(book.feed(.timedOut).contains(.finish(.client, passedOn)))
        expect(book, [.silence])
    }
}
