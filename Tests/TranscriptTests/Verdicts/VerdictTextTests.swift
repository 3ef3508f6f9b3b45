import Testing
import Transcript

/// Verdicts in words: each says what it is, exactly.
@Suite struct VerdictTextTests {
    @Test(arguments: [
        (Verdict.accepted(bytes: 46), "accepted", "accepted: 46 bytes of data"),
        (.rejected(alert: 48, .beforeFinished), "rejected", "rejected: unknown_ca (48) in the handshake"),
        (.rejected(alert: 46, .afterFinished), "rejected", "rejected: certificate_unknown (46) after the handshake"),
        (.rejectedSilently(.reset), "rejectedSilently", "rejected silently: reset in the handshake"),
        (.abandoned(.closeNotify), "abandoned", "abandoned: close_notify after the handshake"),
        (
            .leaked(Leak(bytes: 300, identity: true, refusal: .alert(42, .afterFinished))), "leaked",
            "leaked: 300 bytes of data and its certificate, then bad_certificate (42)"
        ),
        (
            .leaked(Leak(bytes: 9, isEarly: true, refusal: .silence(.fin, .beforeFinished))), "leaked",
            "leaked: 9 bytes of early data, then FIN"
        ),
        (.notTested(.obsoleteVersion(0x0301)), "notTested", "not tested: TLS 1.0 at most"),
        (.notTested(.parameterAlert(40)), "notTested", "not tested: the client's alert handshake_failure (40)"),
        (
            .notTested(.originUnreachable(.nameNotResolved)), "notTested",
            "not tested: the origin cannot be reached (nameNotResolved)"
        ),
        (.idle, "idle", "idle"),
    ])
    func verdictsInWords(_ verdict: Verdict, _ name: String, _ text: String) {
        #expect(verdict.name == name)
        #expect(verdict.text == text)
    }

    /// Nobody can take one reason for another.
    @Test func everyReasonHasWordsOfItsOwn() {
        let reasons: [NotTestedReason] = [
            .noHello, .partialHello, .unreadableHello, .notTLS(.otherProtocol), .notTLS(.originFirst), .silentTunnel,
            .tunnelled, .refused, .notServed(.plainHTTPRequest), .originUnreachable(.timeout), .certificateNeverSent,
            .resumed, .parameterAlert(40), .proxyAlert(40), .obsoleteVersion(0x0301), .proxyFailure(.internalError),
            .sessionBroken(.tlsProtocol), .timeLimit(.hello), .connectionLost(110), .interrupted, .unfinished,
            .eventsMissing,
        ]
        #expect(Set(reasons.map(\.text)).count == reasons.count)
        #expect(Set(CandidateCause.allCases.map(\.text)).count == CandidateCause.allCases.count)
        #expect(Set(NotExercisedReason.allCases.map(\.text)).count == NotExercisedReason.allCases.count)
    }
}
