import TestSupport
import Testing
import Transcript
import Wire

/// Every row of the table of verdicts but the last two: what a client did with the certificate that it was shown.
@Suite struct VerdictTests {
    private static let versions: [UInt16] = [0x0303, 0x0304]

    // MARK: - accepted

    @Test(arguments: versions) func applicationDataIsAcceptance(_ version: UInt16) {
        #expect(Conversation.secured(version: version).exchanged(client: 46).verdict == .accepted(bytes: 46))
        // Without data it is not, though all else is the same.
        #expect(
            Conversation.secured(version: version).left(.closeNotify, in: .relay).verdict == .abandoned(.closeNotify))
    }

    @Test func anOpenConnectionIsAcceptedFromItsFirstByte() {
        #expect((Conversation.secured() + [.firstData(.client)]).verdict == .accepted(bytes: 1))
    }

    /// The ticket that a client does not read makes its polite end a reset.
    @Test func aResetAfterTheAnswerChangesNothing() {
        let conversation = Conversation.secured() + [.firstData(.client), .firstData(.origin)]
        #expect(conversation.left(.reset, in: .relay, bytes: (46, 812)).verdict == .accepted(bytes: 46))
    }

    /// The origin's failure is never the client's.
    @Test(arguments: [End.reset, .fin, .closeNotify, .alert(80)])
    func anOriginThatLeavesAfterTheRequestChangesNothing(_ end: End) {
        let conversation =
            Conversation.secured() + [
                .firstData(.client), .ended(.origin, end, .relay), .ended(.client, .fin, .closing),
                .closed(.by(.origin, .relay, client: .fin, origin: end, bytes: (46, 0))),
            ]
        #expect(conversation.verdict == .accepted(bytes: 46))
    }

    /// The client's own end, which comes first if it keeps the connection, or after ours.
    @Test(arguments: [Phase.relay, .closing]) func aClientThatReadsOurErrorPageAccepted(_ phase: Phase) {
        let conversation =
            Conversation.tunnel() + [.hello(.sample), .failed(.of(.origin, .originUntrusted, .originHandshake))]
            + Conversation.flight(0x0304) + [
                .message(.client, .received, [20]), .secured(.client, .agreed(0x0304, "http/1.1", false)),
                .firstData(.client), .answered(status: 502, reason: "originUntrusted"),
                .alert(.client, .received, level: 1, code: 0), .ended(.client, .closeNotify, phase),
                .closed(.by(.origin, .originHandshake, client: .closeNotify, bytes: (62, 0))),
            ]
        #expect(conversation.verdict == .accepted(bytes: 62))
    }

    @Test func theIdleLimitAfterDataChangesNothing() {
        let conversation =
            Conversation.secured() + [
                .firstData(.client), .failed(.of(.proxy, .timeout, .relay)),
                .closed(.by(.proxy, .relay, bytes: (46, 0))),
            ]
        #expect(conversation.verdict == .accepted(bytes: 46))
    }

    /// A line of the transcript may be missing; the count at the end is there.
    @Test func bytesThatWereCountedAreData() {
        let conversation =
            Conversation.secured() + [.firstData(.origin), .closed(.by(.client, .relay, client: .fin, bytes: (9, 9)))]
        #expect(conversation.verdict == .accepted(bytes: 9))
    }

    /// HTTP/2: the preface and the settings ask for nothing, and the server's settings are an answer to nothing.
    ///
    /// Clients send them, and a farewell, before they look at their pins.
    @Test func anHTTP2PrefaceIsNoRequest() {
        let secured = Conversation.secured(alpn: "h2")
        let greeted = secured + [.firstData(.origin), .firstData(.client)]
        #expect(greeted.left(.closeNotify, in: .relay, bytes: (82, 27)).verdict == .abandoned(.closeNotify))
        #expect(greeted.verdict == .idle)
        let request: [Event.Kind] = [.firstData(.client), .firstRequest(protocol: "h2")]
        let answered = secured + request + [.firstData(.origin)]
        #expect(answered.left(.closeNotify, in: .relay, bytes: (182, 27)).verdict == .accepted(bytes: 182))
        let unanswered = (secured + request).left(.closeNotify, in: .relay, bytes: (182, 0))
        #expect(
            unanswered.verdict
                == .leaked(Leak(bytes: 182, refusal: .silence(.closeNotify, .afterFinished))))
    }

    // MARK: - rejected

    @Test(arguments: [42, 43, 44, 45, 46, 48, 49, 51, 113] as [UInt8], versions)
    func alertsAboutCertificatesAreRejections(_ code: UInt8, _ version: UInt16) {
        #expect(Conversation.shown(version: version).alert(code).verdict == .rejected(alert: code, .beforeFinished))
    }

    @Test(arguments: [1, 2] as [UInt8]) func theLevelDoesNotMatter(_ level: UInt8) {
        #expect(Conversation.shown().alert(42, level: level).verdict == .rejected(alert: 42, .beforeFinished))
    }

    @Test("C28: the number is kept, and names no cause", arguments: [48, 42, 45, 43] as [UInt8])
    func numbersAreKept(_ code: UInt8) {
        #expect(Conversation.shown().alert(code).verdict.refusal == .alert(code, .beforeFinished))
    }

    @Test("C29: an alert that comes after Finished corrects an earlier impression", arguments: versions)
    func alertAfterFinished(_ version: UInt16) {
        var fold = VerdictFold()
        for kind in Conversation.secured(version: version).kinds { fold.add(kind) }
        #expect(fold.verdict == .idle)
        fold.add(.alert(.client, .received, level: 2, code: 46))
        #expect(fold.verdict == .rejected(alert: 46, .afterFinished))
        fold.add(.ended(.client, .alert(46), .relay))
        fold.add(.closed(.by(.client, .relay, client: .alert(46))))
        #expect(fold.verdict == .rejected(alert: 46, .afterFinished))
    }

    /// The line with the alert may be missing, or that with the end.
    @Test func eitherLineOfAnAlertIsEnough() {
        let shown = Conversation.shown()
        #expect(
            (shown + [.ended(.client, .alert(48), .clientHandshake)]).verdict.refusal == .alert(48, .beforeFinished))
        let closed = shown + [.closed(.by(.client, .clientHandshake, client: .alert(48)))]
        #expect(closed.verdict.refusal == .alert(48, .beforeFinished))
    }

    /// It is not over when the others end: the alert may be on its way.
    @Test func anAlertAfterTheOriginsEndCounts() {
        let conversation =
            Conversation.secured() + [.ended(.origin, .closeNotify, .relay)]
        #expect(conversation.alert(46, in: .closing).verdict == .rejected(alert: 46, .afterFinished))
    }

    // MARK: - rejectedSilently

    @Test(
        "C54: FIN and RST after our certificate are told apart", arguments: [End.fin, .reset, .closeNotify], versions)
    func silentEndsDuringTheHandshake(_ end: End, _ version: UInt16) {
        #expect(Conversation.shown(version: version).left(end, in: .clientHandshake).verdict == .rejectedSilently(end))
    }

    @Test("C54: without our certificate the same ends are no rejection", arguments: [End.fin, .reset, .closeNotify])
    func silentEndsBeforeTheCertificate(_ end: End) {
        let conversation = Conversation.greeted().left(end, in: .originHandshake)
        #expect(conversation.verdict == .notTested(.certificateNeverSent))
    }

    // MARK: - abandoned

    @Test(arguments: [End.fin, .reset, .closeNotify], versions)
    func silentEndsAfterTheHandshake(_ end: End, _ version: UInt16) {
        #expect(Conversation.secured(version: version).left(end, in: .relay).verdict == .abandoned(end))
    }

    /// OkHttp's certificate pinner over TLS 1.3: user_canceled (90), a warning, and then close_notify.
    @Test func userCanceledIsNoRejection() {
        let conversation = Conversation.secured(alpn: "h2") + [.alert(.client, .received, level: 1, code: 90)]
        #expect(conversation.left(.closeNotify, in: .relay).verdict == .abandoned(.closeNotify))
        #expect(Conversation.secured().alert(90, in: .relay).verdict == .abandoned(.alert(90)))
        #expect(Conversation.shown().alert(90).verdict == .rejectedSilently(.alert(90)))
    }

    /// The proxy's last bytes were lost to a reset, so that its side of the handshake never counted as done.
    @Test func aResetUponFinishedComesAfterFinished() {
        let conversation = Conversation.shown() + [.message(.client, .received, [20])]
        #expect(conversation.left(.reset, in: .clientHandshake).verdict == .abandoned(.reset))
    }

    /// An HTTP/2 server's settings come unasked: it is still the client's turn.
    @Test(arguments: ["h2", "http/1.1"]) func anHTTPServerThatSpeaksIsNoExcuse(_ alpn: String) {
        let conversation = Conversation.secured(alpn: alpn) + [.firstData(.origin)]
        #expect(conversation.left(.closeNotify, in: .relay, bytes: (0, 27)).verdict == .abandoned(.closeNotify))
    }

    // MARK: - leaked

    @Test func dataBeforeAnAlertIsLeaked() {
        let conversation =
            Conversation.secured() + [
                .firstData(.client), .firstData(.origin), .alert(.client, .received, level: 2, code: 46),
                .ended(.client, .alert(46), .relay),
                .closed(.by(.client, .relay, client: .alert(46), bytes: (300, 5))),
            ]
        #expect(conversation.verdict == .leaked(Leak(bytes: 300, refusal: .alert(46, .afterFinished))))
    }

    @Test(arguments: [End.fin, .reset, .closeNotify]) func dataBeforeAnEndWithoutAnAnswerIsLeaked(_ end: End) {
        let conversation = (Conversation.secured() + [.firstData(.client)]).left(end, in: .relay, bytes: (300, 0))
        #expect(conversation.verdict == .leaked(Leak(bytes: 300, refusal: .silence(end, .afterFinished))))
    }

    /// An answer to a request that was given away comes anyway.
    @Test func anAnswerAfterTheEndReachesNobody() {
        let conversation =
            Conversation.secured() + [
                .firstData(.client), .ended(.client, .closeNotify, .relay), .firstData(.origin),
                .ended(.client, .reset, .closing),
                .closed(.by(.client, .relay, client: .closeNotify, bytes: (300, 812))),
            ]
        #expect(conversation.verdict == .leaked(Leak(bytes: 300, refusal: .silence(.closeNotify, .afterFinished))))
    }

    @Test func earlyDataIsCounted() {
        let conversation = Conversation.shown() + [.firstData(.client)]
        let ended =
            conversation + [
                .alert(.client, .received, level: 2, code: 48), .ended(.client, .alert(48), .clientHandshake),
                .closed(.by(.client, .clientHandshake, client: .alert(48), bytes: (77, 0))),
            ]
        #expect(ended.verdict == .leaked(Leak(bytes: 77, isEarly: true, refusal: .alert(48, .beforeFinished))))
    }

    @Test func aClientCertificateIsGivenAway() {
        let given = IdentityExchange(side: .client, authorities: [], chain: ["cc"])
        let conversation = Conversation.secured() + [.identity(given)]
        #expect(
            conversation.left(.closeNotify, in: .relay).verdict
                == .leaked(Leak(bytes: 0, identity: true, refusal: .silence(.closeNotify, .afterFinished))))
        #expect(
            conversation.alert(46, in: .relay).verdict
                == .leaked(Leak(bytes: 0, identity: true, refusal: .alert(46, .afterFinished))))
    }

    @Test func aClientThatKeptItsCertificateGaveNothingAway() {
        let kept = IdentityExchange(side: .client, authorities: [], chain: [])
        let ours = IdentityExchange(side: .origin, authorities: [], chain: ["cc"], source: "app.p12")
        let conversation = Conversation.secured() + [.identity(kept), .identity(ours)]
        #expect(conversation.left(.closeNotify, in: .relay).verdict == .abandoned(.closeNotify))
    }
}
