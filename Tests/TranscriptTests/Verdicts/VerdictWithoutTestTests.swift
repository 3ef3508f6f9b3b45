import TestSupport
import Testing
import Transcript
import Wire

/// The last two rows of the table of verdicts: what shows nothing of the client.
@Suite struct VerdictWithoutTestTests {
    // MARK: - notTested

    @Test("C54: a connection that is opened and closed is no test", arguments: [End.fin, .reset])
    func noBytesAtAll(_ end: End) {
        #expect(Conversation.opened.left(end, in: .greeting).verdict == .notTested(.noHello))
        #expect(Conversation.tunnel().left(end, in: .hello).verdict == .notTested(.noHello))
    }

    @Test("C54: three bytes of a hello are no test", arguments: [End.fin, .reset])
    func partialHello(_ end: End) {
        let conversation =
            Conversation.tunnel() + [
                .wire(.client, .received, [0x16, 0x03, 0x01]), .ended(.client, end, .hello),
                .failed(.of(.client, .peerVanished, .hello)), .closed(.by(.client, .hello, client: end)),
            ]
        #expect(conversation.verdict == .notTested(.partialHello))
    }

    @Test(arguments: [Failure.Code.helloMalformed, .helloTooLarge]) func unreadableHello(_ code: Failure.Code) {
        let conversation =
            Conversation.tunnel() + [
                .failed(.of(.client, code, .hello)), .alert(.client, .sent, level: 2, code: 50),
                .closed(.by(.client, .hello)),
            ]
        #expect(conversation.verdict == .notTested(.unreadableHello))
    }

    /// What is relayed raw has bytes too, and they prove nothing.
    @Test(arguments: [TunnelContent.otherProtocol, .originFirst]) func notTLS(_ content: TunnelContent) {
        let conversation = Conversation.tunnel() + [.notTLS(content)]
        #expect(conversation.exchanged().verdict == .notTested(.notTLS(content)))
    }

    @Test func silentTunnel() {
        let silent = Conversation.tunnel() + [.notTLS(.silence)]
        #expect(silent.verdict == .notTested(.silentTunnel))
        // Whoever is silent may speak, and what comes then is what counts.
        let speaks = silent + [.hello(.sample)] + Conversation.flight(0x0304)
        #expect(speaks.alert(48).verdict == .rejected(alert: 48, .beforeFinished))
    }

    @Test func tunnelledUntouched() {
        #expect(Conversation.tunnel("a.example:443", .tunnel).exchanged().verdict == .notTested(.tunnelled))
    }

    @Test func refusedByRule() {
        let conversation =
            Conversation.asking("a.example:443", .refuse) + [
                .failed(.of(.proxy, .refusedByRule, .greeting)), .answered(status: 403, reason: "refusedByRule"),
                .ended(.client, .fin, .closing), .closed(.by(.proxy, .greeting, client: .fin)),
            ]
        #expect(conversation.verdict == .notTested(.refused))
    }

    @Test(arguments: [
        Failure.Code.greetingMalformed, .greetingTooLarge, .notAProxyRequest, .plainHTTPRequest, .tlsWithoutConnect,
        .credentialsNeeded,
    ])
    func notServed(_ code: Failure.Code) {
        let conversation =
            Conversation.opened + [.failed(.of(.client, code, .greeting)), .closed(.by(.client, .greeting))]
        #expect(conversation.verdict == .notTested(.notServed(code)))
    }

    @Test(arguments: [Failure.Code.nameNotResolved, .connectionFailed, .timeout])
    func originUnreachable(_ code: Failure.Code) {
        let conversation =
            Conversation.asking() + [
                .failed(.of(.origin, code, .connecting)), .answered(status: 502, reason: code.rawValue),
                .ended(.client, .fin, .closing), .closed(.by(.origin, .connecting, client: .fin)),
            ]
        #expect(conversation.verdict == .notTested(.originUnreachable(code)))
    }

    /// An alert that comes before any certificate cannot be about ours.
    @Test func anAlertBeforeTheCertificateRejectsNothing() {
        #expect(Conversation.greeted().alert(48).verdict == .notTested(.otherAlert(48)))
    }

    /// Whatever a resumed session shows, it is not how the client takes a certificate.
    @Test func resumed() {
        let resumed = Conversation.secured(resumed: true)
        #expect(resumed.exchanged().verdict == .notTested(.resumed))
        #expect(resumed.left(.closeNotify, in: .relay).verdict == .notTested(.resumed))
    }

    @Test(arguments: [40, 70, 71, 80, 109, 112, 120] as [UInt8]) func alertsAboutParameters(_ code: UInt8) {
        #expect(Conversation.shown().alert(code).verdict == .notTested(.parameterAlert(code)))
        #expect(Conversation.secured().alert(code, in: .relay).verdict == .notTested(.parameterAlert(code)))
    }

    @Test(arguments: [10, 20, 47, 50, 41, 47, 50, 52, 116] as [UInt8]) func alertsAboutAnythingElse(_ code: UInt8) {
        #expect(Conversation.shown().alert(code).verdict == .notTested(.otherAlert(code)))
    }

    @Test func alertsOfOurs() {
        let conversation =
            Conversation.greeted() + [
                .alert(.client, .sent, level: 2, code: 40), .failed(.of(.client, .clientHandshake, .clientHandshake)),
                .ended(.client, .fin, .closing), .closed(.by(.client, .clientHandshake, client: .fin)),
            ]
        #expect(conversation.verdict == .notTested(.proxyAlert(40)))
    }

    /// Our own close_notify is a warning, and no failure.
    @Test func ourCloseNotifyIsNoFailure() {
        let conversation = Conversation.secured() + [.alert(.client, .sent, level: 1, code: 0)]
        #expect(conversation.left(.closeNotify, in: .relay).verdict == .abandoned(.closeNotify))
    }

    @Test("C55: a client that offers TLS 1.0 and no more was not tested")
    func obsoleteClient() {
        #expect(Conversation.obsolete.verdict == .notTested(.obsoleteVersion(0x0301)))
    }

    @Test("C55: the same if only OpenSSL finds that no signature algorithm suits")
    func obsoleteClientInTheHandshake() {
        let conversation =
            Conversation.tunnel() + [.hello(.bare)] + Conversation.flight(0x0303) + [
                .alert(.client, .sent, level: 2, code: 80), .failed(.of(.client, .clientOutdated, .clientHandshake)),
                .ended(.client, .fin, .closing), .closed(.by(.client, .clientHandshake, client: .fin)),
            ]
        #expect(conversation.verdict == .notTested(.obsoleteVersion(0x0301)))
        // A modern one with which nothing can be agreed on is not old.
        let modern =
            Conversation.greeted() + [
                .alert(.client, .sent, level: 2, code: 40), .failed(.of(.client, .clientOutdated, .clientHandshake)),
                .closed(.by(.client, .clientHandshake)),
            ]
        #expect(modern.verdict == .notTested(.proxyAlert(40)))
    }

    @Test("C55: once it is served, such a client is judged like any other")
    func obsoleteClientThatIsServed() {
        let shown = Conversation.tunnel() + [.hello(.bare)] + Conversation.flight(0x0301)
        #expect(shown.alert(48).verdict == .rejected(alert: 48, .beforeFinished))
    }

    @Test func failuresOfPinproof() {
        let forging =
            Conversation.greeted() + [
                .failed(.of(.proxy, .forgeFailed, .forging)), .alert(.client, .sent, level: 2, code: 80),
                .ended(.client, .fin, .closing), .closed(.by(.proxy, .forging, client: .fin)),
            ]
        #expect(forging.verdict == .notTested(.proxyFailure(.forgeFailed)))
        let room =
            Conversation.asking() + [
                .failed(.of(.proxy, .outOfResources, .connecting)), .closed(.by(.proxy, .connecting)),
            ]
        #expect(room.verdict == .notTested(.proxyFailure(.outOfResources)))
    }

    @Test func sessionsThatBreak() {
        let conversation =
            Conversation.secured() + [
                .failed(.of(.client, .tlsProtocol, .relay)), .ended(.client, .proxy, .relay),
                .closed(.by(.client, .relay, client: .proxy)),
            ]
        #expect(conversation.verdict == .notTested(.sessionBroken(.tlsProtocol)))
    }

    @Test(arguments: [Phase.greeting, .hello, .clientHandshake]) func timeLimits(_ phase: Phase) {
        let conversation: Conversation =
            switch phase {
            case .greeting: .opened
            case .hello: .tunnel()
            default: .shown()
            }
        let ended = conversation + [.failed(.of(.client, .timeout, phase)), .closed(.by(.client, phase))]
        #expect(ended.verdict == .notTested(.timeLimit(phase)))
    }

    /// Who failed is said to have ended the connection, but its end may only have followed ours.
    @Test func aTimeLimitIsNoSilentRejection() {
        let failed = Conversation.shown() + [.failed(.of(.client, .timeout, .clientHandshake))]
        let lost = failed + [.closed(.by(.client, .clientHandshake, client: .fin))]
        let whole = failed + [.ended(.client, .fin, .closing), .closed(.by(.client, .clientHandshake, client: .fin))]
        #expect(lost.verdict == .notTested(.timeLimit(.clientHandshake)))
        #expect(whole.verdict == .notTested(.timeLimit(.clientHandshake)))
    }

    /// A network that fails is no decision of the client's: 110 is ETIMEDOUT.
    @Test func lostConnections() {
        #expect(
            Conversation.shown().left(.error(110), in: .clientHandshake).verdict == .notTested(.connectionLost(110)))
        #expect(Conversation.secured().left(.error(110), in: .relay).verdict == .notTested(.connectionLost(110)))
    }

    @Test func aProxyThatStops() {
        let conversation = Conversation.shown() + [.closed(.by(.proxy, .clientHandshake))]
        #expect(conversation.verdict == .notTested(.interrupted))
    }

    @Test func connectionsThatHaveNotComeFarEnough() {
        for conversation in [Conversation.opened, .asking(), .tunnel(), .greeted(), .shown()] {
            #expect(conversation.verdict == .notTested(.unfinished))
        }
    }

    // MARK: - idle

    @Test(arguments: [0x0303, 0x0304] as [UInt16]) func anOpenConnectionIsIdle(_ version: UInt16) {
        #expect(Conversation.secured(version: version).verdict == .idle)
    }

    @Test func aClientThatWaitsForTheServerIsIdle() {
        let conversation = Conversation.secured(alpn: nil) + [.firstData(.origin)]
        #expect(conversation.left(.closeNotify, in: .relay, bytes: (0, 27)).verdict == .idle)
        // A server that says nothing is none that speaks first.
        #expect(Conversation.secured(alpn: nil).left(.closeNotify, in: .relay).verdict == .abandoned(.closeNotify))
    }

    @Test(arguments: [End.fin, .reset, .closeNotify]) func anOriginThatEndsFirstMakesNobodyAbandon(_ end: End) {
        let conversation =
            Conversation.secured() + [
                .ended(.origin, end, .relay), .ended(.client, .fin, .closing),
                .closed(.by(.origin, .relay, client: .fin, origin: end)),
            ]
        #expect(conversation.verdict == .idle)
    }

    @Test func theIdleLimitMakesNobodyAbandon() {
        let conversation =
            Conversation.secured() + [
                .failed(.of(.proxy, .timeout, .relay)), .ended(.client, .fin, .closing),
                .closed(.by(.proxy, .relay, client: .fin)),
            ]
        #expect(conversation.verdict == .idle)
    }
}
