import Interception
import Testing
import Transcript
import Wire

/// How connections end before the relay: who is said to have ended them, where and how.
@Suite struct ConnectionEndTests {
    private static let gone: [End] = [.fin, .reset, .closeNotify, .alert(48), .error(110)]

    @Test(arguments: gone) func clientThatGoesInTheGreetingIsClosedAtOnce(_ end: End) {
        var book = Playbook.at(.greeting)
        book.expect(
            .ended(.client, end), [.close(ConnectionEnd(by: .client, phase: .greeting, client: end, origin: nil))])
    }

    @Test func silentAndSlowGreetingsEndByTheirLimit() {
        var silent = Playbook.at(.greeting)
        silent.expect(.timedOut, Sample.politeEnd)
        var slow = Playbook.at(.greeting)
        _ = slow.feed(.bytes(Array("CONNECT api".utf8)))
        let actions = slow.feed(.timedOut)
        guard case .reply(let bytes)? = actions.first else {
            Issue.record("no answer")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(Array(actions.dropFirst()) == Sample.politeEnd)
        for failures in [silent.failures, slow.failures] { #expect(failures == [.timeout]) }
    }

    @Test(arguments: gone) func clientThatGoesWhileConnectingIsClosedAtOnce(_ end: End) {
        var book = Playbook.at(.connecting)
        book.expect(
            .ended(.client, end), [.close(ConnectionEnd(by: .client, phase: .connecting, client: end, origin: nil))])
    }

    /// The bytes of a hello that never became a session are evidence too.
    @Test func partialHelloIsRecordedWhenTheClientGoes() {
        var book = Playbook.at(.hello)
        let part = Array(Sample.hello().prefix(20))
        _ = book.feed(.bytes(part))
        book.expect(.ended(.client, .fin), Sample.politeEnd)
        let (wire, ends) = (book.wire, book.ends)
        #expect(wire == [.wire(.client, .received, part)])
        #expect(ends == [.ended(.client, .fin, .hello)])
        book.expect(.finished(.origin), [])
        book.expect(
            .finished(.client),
            [.close(ConnectionEnd(by: .client, phase: .hello, client: .fin, origin: nil))])
    }

    @Test func resetInTheHelloNeedsNoAnswer() {
        var book = Playbook.at(.hello)
        book.expect(.ended(.client, .reset), [.arm(.drain), .read(.origin, false), .finish(.origin, .proxy)])
        book.expect(
            .finished(.origin), [.close(ConnectionEnd(by: .client, phase: .hello, client: .reset, origin: nil))])
        let wire = book.wire
        #expect(wire == [])
    }

    /// A record whose handshake message is a hello with a length that does not fit: decode_error (50).
    @Test func malformedHelloGetsAnAlert() {
        var book = Playbook.at(.hello)
        let hello: [UInt8] = [0x16, 0x03, 0x01, 0x00, 0x06, 0x01, 0x00, 0x00, 0x02, 0x03, 0x03]
        let alert: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x32]
        book.expect(.bytes(hello), [.reply(alert)] + Sample.politeEnd)
        let (failures, recorded) = (book.failures, book.recorded)
        #expect(failures == [.helloMalformed])
        #expect(
            recorded.suffix(4).filter { if case .failed = $0 { false } else { true } } == [
                .wire(.client, .received, hello), .alert(.client, .sent, level: 2, code: 50),
                .wire(.client, .sent, alert),
            ])
    }

    @Test func helloLargerThanItsLimitIsRefused() {
        var book = Playbook.at(.hello)
        // A message of 2^24 - 1 octets is announced.
        let start: [UInt8] = [0x16, 0x03, 0x01, 0x40, 0x00, 0x01, 0xFF, 0xFF, 0xFF]
        _ = book.feed(.bytes(start + [UInt8](repeating: 0, count: 0x4000 - 4)))
        for _ in 0..<5 {
            _ = book.feed(.bytes([0x16, 0x03, 0x01, 0x40, 0x00] + [UInt8](repeating: 0, count: 0x4000)))
        }
        let failures = book.failures
        #expect(failures == [.helloTooLarge])
    }

    // MARK: Between the hello and the certificate

    /// A client that gives up before it is shown a certificate has refused nothing: its own phase says so.
    @Test(arguments: [(Playbook.Stop.originHandshake, Phase.originHandshake), (.forging, .forging)])
    func clientThatGoesBeforeTheCertificateIsNotedThere(_ stop: Playbook.Stop, _ phase: Phase) {
        var book = Playbook.at(stop)
        book.expect(.ended(.client, .fin), Sample.politeEnd)
        let (wire, ends) = (book.wire, book.ends)
        #expect(wire == [.wire(.client, .received, Sample.hello())])
        #expect(ends == [.ended(.client, .fin, phase)])
        var gone = Playbook.at(stop)
        gone.expect(.ended(.client, .reset), [.arm(.drain), .read(.origin, false), .finish(.origin, .proxy)])
        gone.expect(
            .finished(.origin), [.close(ConnectionEnd(by: .client, phase: phase, client: .reset, origin: nil))])
    }

    @Test func whatTheClientSendsAheadGoesToItsSession() {
        var book = Playbook.at(.originHandshake)
        book.expect(.bytes([1, 2]), [])
        _ = book.feed(.originSecured(alpn: nil))
        book.expect(.bytes([3]), [])
        book.expect(
            .forged,
            [.arm(.handshake), .secureClient(alpn: nil, received: Sample.hello() + [1, 2, 3]), .read(.client, true)])
    }

    @Test(arguments: [Playbook.Stop.originHandshake, .forging])
    func whatTheClientSendsAheadIsBounded(_ stop: Playbook.Stop) {
        var book = Playbook.at(stop)
        let chunk = [UInt8](repeating: 0, count: 16_384)
        var sent = Sample.hello().count
        while sent + chunk.count < 128 * 1024 {
            book.expect(.bytes(chunk), [])
            sent += chunk.count
        }
        book.expect(.bytes(chunk), [.read(.client, false)])
    }

    @Test(arguments: [
        (End.fin, "it closed the connection"), (.reset, "it reset the connection"),
        (.alert(40), "it sent the alert handshake_failure (40)"), (.closeNotify, "it sent close_notify"),
    ])
    func originThatEndsTheHandshakeIsExplained(_ end: End, _ words: String) {
        var book = Playbook.at(.originHandshake)
        book.expect(.originAnswered, [])
        book.expect(
            .ended(.origin, end),
            [.read(.origin, false), .finish(.origin, .proxy), .forge(Sample.endpoint, key: .p256)])
        let (failures, recorded) = (book.failures, book.recorded)
        #expect(failures == [.originHandshake])
        #expect(recorded.contains(.ended(.origin, end, .originHandshake)))
        let details = recorded.compactMap { if case .failed(let failure) = $0 { failure.detail } else { nil } }
        #expect(details == ["the origin ended the handshake: \(words)"])
    }

    @Test func originThatStallsGives504() {
        var book = Playbook.at(.originHandshake)
        _ = book.feed(.timedOut)
        _ = book.feed(.forged)
        guard case .serve(let page, .http2)? = book.feed(.clientSecured).last else {
            Issue.record("no page")
            return
        }
        #expect(page.status == 504)
        let failures = book.failures
        #expect(failures == [.timeout])
    }

    /// Without HTTP among the client's protocols, a page is HTTP/1 without ALPN.
    @Test(
        arguments: [
            (["http/1.1"], "http/1.1", PageProtocol.http1), (["mqtt"], nil, .http1), ([], nil, .http1),
            (["http/1.1", "h2"], "h2", .http2),
        ] as [([String], String?, PageProtocol)])
    func pageIsInAProtocolThatTheClientOffered(_ offered: [String], _ alpn: String?, _ version: PageProtocol) {
        let hello = Sample.hello(alpn: offered)
        var book = Playbook.at(.originHandshake, hello: hello)
        _ = book.feed(.originFailed(Sample.failure))
        book.expect(
            .forged,
            [
                .arm(.handshake), .secureClient(alpn: alpn.map { Array($0.utf8) }, received: hello),
                .read(.client, true),
            ])
        let actions = book.feed(.clientSecured)
        #expect(actions == [.arm(.idle), .serve(Page(Sample.failure, host: "api.example.com"), version)])
    }

    @Test func leafThatCannotBeMadeIsOurFault() {
        let failure = Failure(party: .proxy, code: .forgeFailed, phase: .forging, detail: "no memory")
        var failed = Playbook.at(.forging)
        let actions = failed.feed(.forgeFailed(failure))
        // A record of its own: alert (21), TLS 1.2 as all records have it, two bytes: fatal, internal_error (80).
        #expect(actions.contains(.reply([21, 3, 3, 0, 2, 2, 80])))
        #expect(actions.suffix(5) == Sample.politeEnd[...])
        var late = Playbook.at(.forging)
        late.expect(.timedOut, Sample.politeEnd)
        let (one, two) = (failed.failures, late.failures)
        #expect(one == [.forgeFailed])
        #expect(two == [.timeout])
    }

    // MARK: The client's handshake

    @Test(arguments: [End.fin, .closeNotify]) func clientThatClosesInItsHandshakeIsNotedThere(_ end: End) {
        var book = Playbook.at(.clientHandshake)
        book.expect(.ended(.client, end), Sample.politeEnd)
        book.expect(.finished(.client), [])
        book.expect(
            .finished(.origin),
            [.close(ConnectionEnd(by: .client, phase: .clientHandshake, client: end, origin: nil))])
    }

    @Test(arguments: [End.reset, .alert(42), .alert(46), .error(110)])
    func clientThatBreaksItsHandshakeOffIsNotedThere(_ end: End) {
        var book = Playbook.at(.clientHandshake)
        book.expect(.ended(.client, end), [.arm(.drain), .read(.origin, false), .finish(.origin, .proxy)])
        book.expect(
            .finished(.origin),
            [.close(ConnectionEnd(by: .client, phase: .clientHandshake, client: end, origin: nil))])
    }

    @Test func clientHandshakeThatFailsHereOrStallsEndsPolitely() {
        let failure = Failure(party: .client, code: .clientHandshake, phase: .clientHandshake, detail: "no suite")
        var failed = Playbook.at(.clientHandshake)
        failed.expect(.clientFailed(failure), Sample.politeEnd)
        var stalled = Playbook.at(.clientHandshake)
        stalled.expect(.timedOut, Sample.politeEnd)
        let (one, two) = (failed.failures, stalled.failures)
        #expect(one == [.clientHandshake])
        #expect(two == [.timeout])
    }

    /// The origin has nothing to say while the client shakes hands; what its socket does then is not the client's end.
    @Test(arguments: [End.reset, .fin, .error(5)]) func originDoesNotEndTheClientsHandshake(_ end: End) {
        var book = Playbook.at(.clientHandshake)
        book.expect(.ended(.origin, end), [])
        book.expect(
            .clientSecured,
            [.arm(.idle), .relay(secured: true, received: []), .read(.client, true), .read(.origin, true)])
    }

    // MARK: A page of ours

    @Test func pageEndsWithTheClientOrWithItsLimit() {
        var ended = Playbook.serving()
        ended.expect(.ended(.client, .closeNotify), Sample.politeEnd)
        var reset = Playbook.serving()
        reset.expect(.ended(.client, .reset), [.arm(.drain), .read(.origin, false), .finish(.origin, .proxy)])
        var idle = Playbook.serving()
        idle.expect(.timedOut, Sample.politeEnd)
        _ = idle.feed(.finished(.client))
        _ = idle.feed(.finished(.origin))
        idle.expect(
            .ended(.client, .fin),
            [.close(ConnectionEnd(by: .origin, phase: .originHandshake, client: .fin, origin: nil))])
    }

    // MARK: The proxy stops

    @Test(arguments: [Playbook.Stop.greeting, .hello]) func idleConnectionEndsPolitelyOnDrain(_ stop: Playbook.Stop) {
        var book = Playbook.at(stop)
        book.expect(.drain(idle: true), Sample.politeEnd)
    }

    @Test func idleRelayIsCutOnDrain() {
        var book = Playbook.at(.relaying)
        book.expect(.drain(idle: true), Sample.cut)
    }

    @Test(arguments: [Playbook.Stop.connecting, .originHandshake, .forging, .clientHandshake])
    func connectionInTheMiddleOfSomethingGoesOnOnDrain(_ stop: Playbook.Stop) {
        var book = Playbook.at(stop)
        book.expect(.drain(idle: true), [])
        let isClosed = book.isClosed
        #expect(!isClosed)
    }

    @Test(arguments: Playbook.Stop.allCases) func busyConnectionGoesOnOnDrain(_ stop: Playbook.Stop) {
        var book = Playbook.at(stop)
        book.expect(.drain(idle: false), [])
    }

    @Test(
        arguments: zip(
            Playbook.Stop.allCases,
            [Phase.greeting, .connecting, .hello, .originHandshake, .forging, .clientHandshake, .relay]))
    func abortClosesAtOnce(_ stop: Playbook.Stop, _ phase: Phase) {
        var book = Playbook.at(stop)
        book.expect(.abort, [.close(ConnectionEnd(by: .proxy, phase: phase, client: nil, origin: nil))])
        book.expect(.abort, [])
        book.expect(.ended(.client, .fin), [])
    }
}
