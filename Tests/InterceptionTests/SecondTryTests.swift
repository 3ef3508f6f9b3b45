import Interception
import Testing
import Transcript
import Wire

/// C52: an origin that drops a hello with HTTP/2 in it is asked once more, without that.
@Suite struct SecondTryTests {
    private static let ends: [End] = [
        .fin, .reset, .closeNotify, .alert(10), .alert(40), .alert(47), .alert(50), .alert(80), .alert(110),
        .alert(120),
    ]

    @Test("C52: an origin that drops an h2 offer is asked again without it", arguments: ends)
    func secondTry(_ end: End) {
        var book = Playbook.at(.originHandshake)
        book.expect(.ended(.origin, end), [.arm(.connect), .reconnect(Sample.endpoint)])
        book.expect(
            .connected(address: "192.0.2.1:443", nanoseconds: 6),
            [.arm(.handshake), .secureOrigin(Sample.secured, alpn: [Sample.http1])])
        book.expect(.originAnswered, [])
        book.expect(
            .originSecured(alpn: Sample.http1),
            [.rememberRefusal(Sample.endpoint), .read(.origin, false), .forge(Sample.endpoint, key: .p256)])
        book.expect(
            .forged,
            [.arm(.handshake), .secureClient(alpn: Sample.http1, received: Sample.hello()), .read(.client, true)])
        let (recorded, ends) = (book.recorded, book.ends)
        #expect(recorded.contains(.withheldHTTP2(after: end, offered: ["http/1.1"])))
        #expect(recorded.contains(.connected(origin: "192.0.2.1:443", nanoseconds: 6)))
        // The first end is not one of the connection's.
        #expect(ends.isEmpty)
    }

    @Test("C52: the second try is the last, and its failure is the one that is told")
    func secondTryFails() {
        var book = Playbook.at(.originHandshake)
        _ = book.feed(.ended(.origin, .fin))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 6))
        book.expect(
            .ended(.origin, .alert(40)),
            [.read(.origin, false), .finish(.origin, .proxy), .forge(Sample.endpoint, key: .p256)])
        let (failures, ends) = (book.failures, book.ends)
        #expect(failures == [.originHandshake])
        #expect(ends == [.ended(.origin, .alert(40), .originHandshake)])
        // The client's own offer still decides in what the page is sent.
        #expect(book.feed(.forged).contains(.secureClient(alpn: Sample.h2, received: Sample.hello())))
    }

    @Test(
        "C52: a second connection that fails is told",
        arguments: [
            (ConnectionEvent.connectFailed(.failed("refused")), Failure.Code.connectionFailed),
            (.connectFailed(.ownListener), .ownListener), (.timedOut, .timeout),
        ])
    func reconnectionFails(_ event: ConnectionEvent, _ code: Failure.Code) {
        var book = Playbook.at(.originHandshake)
        _ = book.feed(.ended(.origin, .reset))
        book.expect(
            event, [.read(.origin, false), .finish(.origin, .proxy), .forge(Sample.endpoint, key: .p256)])
        let failures = book.failures
        #expect(failures == [code])
    }

    @Test(
        "C52: no second try where it could not help",
        arguments: [
            // Nothing but HTTP/2, no HTTP/2, and no HTTP/1.1 beside it.
            (["h2"], End.fin), (["http/1.1"], .fin), ([], .reset), (["h2", "http/1.0"], .fin),
            // Other causes: protocol_version, insufficient_security, unrecognized_name; and silence.
            (["h2", "http/1.1"], .alert(70)), (["h2", "http/1.1"], .alert(71)), (["h2", "http/1.1"], .alert(112)),
            (["h2", "http/1.1"], .timeout), (["h2", "http/1.1"], .error(5)),
        ] as [([String], End)])
    func noSecondTry(_ alpn: [String], _ end: End) {
        var book = Playbook.at(.originHandshake, hello: Sample.hello(alpn: alpn))
        book.expect(
            .ended(.origin, end),
            [.read(.origin, false), .finish(.origin, .proxy), .forge(Sample.endpoint, key: .p256)])
        let failures = book.failures
        #expect(failures == [end == .alert(70) ? .originOutdated : .originHandshake])
    }

    @Test("C52: an origin that took the hello is not asked again")
    func answeredHello() {
        var book = Playbook.at(.originHandshake)
        book.expect(.originAnswered, [])
        #expect(!book.feed(.ended(.origin, .reset)).contains(.reconnect(Sample.endpoint)))
    }

    @Test("C52: an origin that is known for it is offered http/1.1 at once, and has no second try")
    func remembered() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5, refusesHTTP2: true))
        #expect(
            book.feed(.bytes(Sample.hello())).last == .secureOrigin(Sample.secured, alpn: [Sample.http1]))
        let recorded = book.recorded
        #expect(recorded.contains(.withheldHTTP2(after: nil, offered: ["http/1.1"])))
        #expect(book.feed(.ended(.origin, .fin)).contains(.finish(.origin, .proxy)))
    }

    @Test("C52: a client that speaks HTTP/2 only gets it offered, whatever is known of the origin")
    func rememberedForAnotherClient() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5, refusesHTTP2: true))
        #expect(
            book.feed(.bytes(Sample.hello(alpn: ["h2"]))).last == .secureOrigin(Sample.secured, alpn: [Sample.h2]))
        let recorded = book.recorded
        #expect(!recorded.contains { if case .withheldHTTP2 = $0 { true } else { false } })
    }

    @Test("C52: what the client sends meanwhile is kept, and its end ends it all")
    func clientMeanwhile() {
        var book = Playbook.at(.originHandshake)
        _ = book.feed(.ended(.origin, .fin))
        book.expect(.bytes([1, 2, 3]), [])
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 6))
        _ = book.feed(.originSecured(alpn: nil))
        #expect(book.feed(.forged).contains(.secureClient(alpn: nil, received: Sample.hello() + [1, 2, 3])))

        var left = Playbook.at(.originHandshake)
        _ = left.feed(.ended(.origin, .fin))
        left.expect(.ended(.client, .fin), Sample.politeEnd)
    }
}
