import Interception
import Testing
import Transcript
import Wire

@Suite struct ConnectionMachineTests {
    @Test func interceptionGoesThroughItsPhasesInOrder() {
        var book = Playbook()
        book.expect(
            .bytes(Sample.connect), [.read(.client, false), .arm(.connect), .connect(Sample.endpoint)])
        book.expect(
            .connected(address: "192.0.2.1:443", nanoseconds: 5),
            [.reply(Sample.established), .arm(.silence), .read(.client, true), .read(.origin, true)])
        let hello = Sample.hello()
        let actions = book.feed(.bytes(hello))
        #expect(actions.count == 4)
        guard case .recordHello = actions[0] else { return #expect(Bool(false), "the hello is recorded first") }
        #expect(
            Array(actions.dropFirst()) == [
                .arm(.handshake), .read(.origin, false),
                .secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1]),
            ])
        book.expect(
            .originSecured(alpn: Sample.h2), [.read(.origin, false), .forge(Sample.endpoint, key: .p256)])
        book.expect(
            .forged,
            [.arm(.handshake), .secureClient(alpn: Sample.h2, received: hello), .read(.client, true)])
        book.expect(
            .clientSecured,
            [.arm(.idle), .relay(secured: true, received: []), .read(.client, true), .read(.origin, true)])
        expectFailures(book, [])
    }

    @Test func bytesAfterTheBlankLineBelongToTheHello() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect + Sample.hello().prefix(20)))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        let actions = book.feed(.bytes(Array(Sample.hello().dropFirst(20))))
        #expect(actions.contains(.secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])))
    }

    @Test func helloMayComeByteByByte() {
        var book = Playbook()
        for byte in Sample.connect { _ = book.feed(.bytes([byte])) }
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        var actions: [ConnectionAction] = []
        for byte in Sample.hello() { actions += book.feed(.bytes([byte])) }
        #expect(actions.contains(.secureOrigin(Sample.secured, alpn: [Sample.h2, Sample.http1])))
    }

    @Test func originWithoutALPNMeansClientWithoutALPN() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        _ = book.feed(.bytes(Sample.hello()))
        _ = book.feed(.originSecured(alpn: nil))
        #expect(book.feed(.forged).contains(.secureClient(alpn: nil, received: Sample.hello())))
    }

    @Test(arguments: [
        (nil, "api.example.com"), ("other.example.net", "other.example.net"), ("192.0.2.7", "api.example.com"),
        ("not a name", "api.example.com"), ("API.Example.com.", "api.example.com"),
    ])
    func leafIsForTheServerNameOrElseTheConnectHost(_ server: String?, _ expected: String) {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        _ = book.feed(.bytes(Sample.hello(server: server)))
        let actions = book.feed(.originSecured(alpn: nil))
        #expect(actions.contains(.forge(Endpoint(host: HostName(expected)!, port: 443), key: .p256)))
    }

    @Test func clientWithoutECDSAGetsAnRSALeaf() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        _ = book.feed(.bytes(Sample.hello(ecdsa: false)))
        #expect(book.feed(.originSecured(alpn: nil)).contains(.forge(Sample.endpoint, key: .rsa2048)))
    }

    @Test func tunnelRelaysWithoutTouchingTLS() {
        var book = Playbook([Rule(HostPattern("api.example.com")!, .tunnel)])
        _ = book.feed(.bytes(Sample.connect + [1, 2, 3]))
        book.expect(
            .connected(address: "192.0.2.1:443", nanoseconds: 5),
            [
                .reply(Sample.established), .arm(.idle), .relay(secured: false, received: [1, 2, 3]),
                .read(.client, true), .read(.origin, true),
            ])
        let recorded = book.recorded
        #expect(recorded.contains(.decided(.tunnel, rule: "--tunnel api.example.com")))
    }

    @Test func refusedHostGets403AndNoConnection() {
        var book = Playbook([Rule(HostPattern("*")!, .refuse)])
        let actions = book.feed(.bytes(Sample.connect))
        #expect(!actions.contains(.connect(Sample.endpoint)))
        #expect(replyStatus(actions) == 403)
        expectFailures(book, [.refusedByRule])
    }

    @Test(arguments: [
        (ConnectFailure.notResolved("no such name"), 502, Failure.Code.nameNotResolved),
        (.failed("connection refused"), 502, .connectionFailed), (.timedOut, 504, .timeout),
        (.ownListener, 403, .ownListener),
    ])
    func connectFailuresAreHonest(_ reason: ConnectFailure, _ status: Int, _ code: Failure.Code) {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        let actions = book.feed(.connectFailed(reason))
        #expect(replyStatus(actions) == status)
        expectFailures(book, [code])
    }

    @Test func faultyOriginIsToldInsideTheForgedSession() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        _ = book.feed(.bytes(Sample.hello()))
        let failure = Failure(
            party: .origin, code: .originExpired, phase: .originHandshake, detail: "expired", hint: "renew it")
        book.expect(
            .originFailed(failure),
            [.read(.origin, false), .finish(.origin, .proxy), .forge(Sample.endpoint, key: .p256)])
        _ = book.feed(.finished(.origin))
        // HTTP/2 was offered, so that is what the page is sent in.
        book.expect(
            .forged,
            [.arm(.handshake), .secureClient(alpn: Sample.h2, received: Sample.hello()), .read(.client, true)])
        let page = Page(failure, host: "api.example.com")
        book.expect(.clientSecured, [.arm(.idle), .serve(page, .http2)])
        #expect(page.status == 502)
        #expect(page.text.contains("To mend it: renew it"))
        book.expect(
            .pageDelivered,
            [
                .arm(.drain), .read(.origin, false), .finish(.origin, .proxy), .finish(.client, .proxy),
                .discard(.client),
            ])
    }

    @Test func clientThatRejectsTheLeafEndsTheOriginPolitely() {
        var book = Playbook()
        _ = book.feed(.bytes(Sample.connect))
        _ = book.feed(.connected(address: "192.0.2.1:443", nanoseconds: 5))
        _ = book.feed(.bytes(Sample.hello()))
        _ = book.feed(.originSecured(alpn: nil))
        _ = book.feed(.forged)
        book.expect(
            .ended(.client, .alert(48)), [.arm(.drain), .read(.origin, false), .finish(.origin, .proxy)])
        book.expect(
            .finished(.origin),
            [.close(ConnectionEnd(by: .client, phase: .clientHandshake, client: .alert(48), origin: nil))])
        let (recorded, isClosed) = (book.recorded, book.isClosed)
        #expect(recorded.contains(.ended(.client, .alert(48), .clientHandshake)))
        #expect(isClosed)
    }

    @Test func backPressureStopsTheOtherSide() {
        var book = Playbook.at(.relaying)
        book.expect(.full(.client), [.read(.origin, false)])
        book.expect(.drained(.client), [.read(.origin, true)])
        book.expect(.full(.origin), [.read(.client, false)])
        book.expect(.drained(.origin), [.read(.client, true)])
    }

    /// C78: the client ends its direction and still gets the answer.
    @Test func halfCloseIsPassedOnAndTheAnswerStillFlows() {
        var book = Playbook.at(.relaying)
        book.expect(.ended(.client, .closeNotify), [.finish(.origin, .closeNotify)])
        book.expect(.ended(.client, .fin), [.finish(.origin, .fin)])
        book.expect(.finished(.origin), [])
        book.expect(.finished(.origin), [])
        book.expect(.full(.client), [.read(.origin, false)])
        book.expect(.drained(.client), [.read(.origin, true)])
        book.expect(.ended(.origin, .closeNotify), [.finish(.client, .closeNotify)])
        book.expect(
            .finished(.client),
            [.close(ConnectionEnd(by: .client, phase: .relay, client: .closeNotify, origin: .closeNotify))])
    }

    /// curl ends so when a pin does not match: close_notify, and a reset for what the origin still sends.
    @Test(arguments: [End.closeNotify, .alert(48)])
    func aResetDoesNotHideHowThePeerEndedBefore(end: End) {
        var book = Playbook.at(.relaying)
        _ = book.feed(.ended(.client, end))
        _ = book.feed(.ended(.client, .reset))
        let actions = book.feed(.finished(.origin)) + book.feed(.finished(.origin))
        #expect(actions.contains(.close(ConnectionEnd(by: .client, phase: .relay, client: end, origin: nil))))
    }

    /// C75: a reset is passed on as a reset, after what was received is flushed.
    @Test func resetIsPassedOnAsAReset() {
        var book = Playbook.at(.relaying)
        book.expect(.ended(.origin, .reset), [.arm(.drain), .read(.client, false), .finish(.client, .reset)])
        book.expect(
            .finished(.client),
            [.close(ConnectionEnd(by: .origin, phase: .relay, client: nil, origin: .reset))])
    }

    /// C78: a FIN without close_notify is passed on without close_notify.
    @Test func truncationIsPassedOnAsTruncation() {
        var book = Playbook.at(.relaying)
        book.expect(.ended(.origin, .fin), [.finish(.client, .fin)])
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: proxy\r\n\r\n", 400, Failure.Code.notAProxyRequest),
        ("GET http://example.com/ HTTP/1.1\r\n\r\n", 501, .plainHTTPRequest),
        ("CONNECT https://h:443/ HTTP/1.1\r\n\r\n", 400, .greetingMalformed),
        ("connect h:443 HTTP/1.1\r\n\r\n", 400, .notAProxyRequest),
        ("GET https://example.com/ HTTP/1.1\r\n\r\n", 400, .notAProxyRequest),
        ("CONNECT h HTTP/1.1\r\n\r\n", 400, .greetingMalformed),
        ("CONNECT h:443 HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400, .greetingMalformed),
        ("CONNECT h:443 HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400, .greetingMalformed),
        ("\u{1}\u{2}\u{3}\r\n\r\n", 400, .greetingMalformed),
    ])
    func unservedRequestsGetAnAnswer(_ text: String, _ status: Int, _ code: Failure.Code) {
        var book = Playbook()
        let actions = book.feed(.bytes(Array(text.utf8)))
        #expect(replyStatus(actions) == status)
        expectFailures(book, [code])
    }

    @Test func aLengthOfZeroIsNoContent() {
        var book = Playbook()
        book.expect(
            .bytes(Array("CONNECT api.example.com:443 HTTP/1.1\nContent-Length: 0\n\n".utf8)),
            [.read(.client, false), .arm(.connect), .connect(Sample.endpoint)])
    }

    @Test func aGreetingIsNoLongerThanItsLimit() {
        var limits = SizeLimits()
        limits.greeting = Sample.connect.count
        var machine = ConnectionMachine(rules: RuleBook(), limits: limits)
        #expect(machine.handle(.bytes(Sample.connect)).contains(.connect(Sample.endpoint)))
        limits.greeting -= 1
        machine = ConnectionMachine(rules: RuleBook(), limits: limits)
        #expect(replyStatus(machine.handle(.bytes(Sample.connect))) == 431)
    }

    @Test(arguments: [
        ("http://anna:secret@example.com/?q=a@b", "http://***@example.com/?q=a@b"),
        ("anna:secret@example.com:443", "***@example.com:443"), ("http://example.com/a@b", "http://example.com/a@b"),
        ("/a@b", "/a@b"),
    ])
    func aNameAndPasswordInATargetAreNotRecorded(_ target: String, _ recorded: String) {
        var book = Playbook()
        _ = book.feed(.bytes(Array("GET \(target) HTTP/1.1\r\n\r\n".utf8)))
        let first = book.recorded.first
        #expect(first == .requested(method: "GET", target: recorded, endpoint: nil))
    }

    @Test(arguments: [[4, 1, 1, 187], [5, 1, 0]] as [[UInt8]])
    func socksIsNamed(_ bytes: [UInt8]) {
        var book = Playbook()
        let actions = book.feed(.bytes(bytes))
        #expect(replyStatus(actions) == nil)
        expectFailures(book, [.greetingMalformed])
    }

    @Test func tlsWithoutConnectIsSaidAndEnded() {
        var book = Playbook()
        let actions = book.feed(.bytes(Array(Sample.hello())))
        #expect(replyStatus(actions) == nil)
        expectFailures(book, [.tlsWithoutConnect])
    }

    @Test func idleConnectionsEndWhenTheProxyStopsAndBusyOnesGoOn() {
        var busy = Playbook.at(.relaying)
        busy.expect(.drain(idle: false), [])
        let isClosed = busy.isClosed
        #expect(!isClosed)
        var idle = Playbook.at(.relaying)
        idle.expect(
            .drain(idle: true), Sample.cut)
    }

    @Test func abortClosesAtOnceInEveryState() {
        var book = Playbook.at(.relaying)
        book.expect(
            .abort, [.close(ConnectionEnd(by: .proxy, phase: .relay, client: nil, origin: nil))])
        book.expect(.abort, [])
    }

    private func expectFailures(
        _ book: borrowing Playbook, _ codes: [Failure.Code], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let failures = book.failures
        #expect(failures == codes, sourceLocation: sourceLocation)
    }

    private func replyStatus(_ actions: [ConnectionAction]) -> Int? {
        for case .reply(let bytes) in actions {
            return Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
        }
        return nil
    }
}
