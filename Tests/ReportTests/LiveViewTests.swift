import Report
import Testing
import Transcript
import Wire

struct LiveViewTests {
    @Test func aConnectionThatWentWell() {
        #expect(
            LiveView().line(for: .intercepted)
                == "14:02:07.123  #12  intercept  api.example.com:443  TLS 1.3 h2"
                + " | client: close_notify  origin: close_notify | 1.2 kB up, 3.4 MB down, 0.21 s")
    }

    @Test func whatIsOtherThanItLooks() {
        var line = ConnectionLine.intercepted
        line.serverName = "other.example.com"
        line.withheldHTTP2 = true
        #expect(
            LiveView().line(for: line).contains(
                "api.example.com:443  as other.example.com  TLS 1.3 h2 (HTTP/2 withheld) | "))
    }

    @Test func aClientThatRefusesTheCertificate() {
        var line = ConnectionLine.intercepted
        line.clientSession = nil
        line.closed.client = .alert(48)
        line.closed.origin = .proxy
        line.closed.clientBytes = 0
        line.closed.originBytes = 0
        line.closed.nanoseconds = 43_999_999
        line.failure = Failure(
            party: .client, code: .clientHandshake, phase: .clientHandshake, detail: "it sent unknown_ca",
            hint: "install the CA to go further")
        #expect(
            LiveView().line(for: line)
                == "14:02:07.123  #12  intercept  api.example.com:443  origin TLS 1.3 h2"
                + " | client: alert unknown_ca (48)  origin: closed by the proxy | 0 B up, 0 B down, 43 ms"
                + " | client at fault: clientHandshake, it sent unknown_ca; install the CA to go further")
    }

    @Test func sidesThatAgreedOnDifferentThingsAndThePageOfTheProxy() {
        var line = ConnectionLine.intercepted
        line.clientSession = ConnectionLine.Session(version: 0x0303, alpn: nil)
        line.answered = 502
        #expect(
            LiveView().line(for: line).contains(
                "  api.example.com:443  client TLS 1.2, origin TLS 1.3 h2  answered 502 | client: "))
        line.originSession = nil
        #expect(LiveView().line(for: line).contains("  api.example.com:443  client TLS 1.2  answered 502 | "))
    }

    @Test func anOriginThatNothingVerifiedIsMarked() {
        var line = ConnectionLine.intercepted
        line.originProof = .nothing
        #expect(
            LiveView().line(for: line).contains("  api.example.com:443  TLS 1.3 h2  ORIGIN NOT VERIFIED | client: "))
        line.originProof = .pin
        #expect(!LiveView().line(for: line).contains("NOT VERIFIED"))
    }

    @Test("C53: an origin whose faults the client was shown is marked")
    func anOriginWhoseFaultsTheClientWasShown() {
        var line = ConnectionLine.intercepted
        line.originProof = .mirrored
        line.mirroredFaults = [.expired, .notYetValid, .wrongName, .selfSigned, .untrusted]
        #expect(
            LiveView().line(for: line).contains(
                "  TLS 1.3 h2  ORIGIN FAULTY (expired, not yet valid, wrong name, self-signed, untrusted), mirrored | ")
        )
        line.mirroredFaults = []
        #expect(!LiveView().line(for: line).contains("FAULTY"))
    }

    @Test func aTunnelHasNoSessionsOfItsOwn() {
        var line = ConnectionLine.intercepted
        line.decision = .tunnel
        (line.clientSession, line.originSession) = (nil, nil)
        line.closed.client = .fin
        line.closed.origin = .reset
        #expect(
            LiveView().line(for: line)
                == "14:02:07.123  #12  tunnel     api.example.com:443"
                + " | client: FIN  origin: RST | 1.2 kB up, 3.4 MB down, 0.21 s")
    }

    /// A rule of the user's own is nobody's fault.
    @Test func aHostThatARuleRefuses() {
        var line = ConnectionLine.intercepted
        line.decision = .refuse
        line.failure = Failure(
            party: .proxy, code: .refusedByRule, phase: .greeting,
            detail: "api.example.com:443 is refused by --refuse *", hint: "take the rule away to let it through")
        #expect(
            LiveView().line(for: line).hasSuffix(
                " | api.example.com:443 is refused by --refuse *; take the rule away to let it through"))
    }

    @Test func whatIsNotTLSIsNotCalledIntercepted() {
        var line = ConnectionLine.intercepted
        line.clientSession = nil
        line.originSession = nil
        line.content = .originFirst
        #expect(
            LiveView().line(for: line).hasPrefix(
                "14:02:07.123  #12  not TLS    api.example.com:443  the origin speaks first; relayed untouched | "))
        line.content = .silence
        #expect(LiveView().line(for: line).contains("443  nobody said anything | "))
    }

    @Test func aPauseSaysWhyAndHowToMendIt() {
        func text(_ kind: Event.Kind) -> String? {
            LiveView().line(
                for: Event(connection: nil, monotonic: 0, wall: 1_772_373_727_123_456, kind: kind))
        }
        #expect(
            text(.acceptingPaused(.connections(1000)))
                == "14:02:07.123  1000 connections are open: further ones wait until one ends (--max-connections)")
        #expect(
            text(.acceptingPaused(.system(errno: 24)))
                == "14:02:07.123  this machine has no room for further connections, which wait (error 24): "
                + "raise the limit of open files (ulimit -n) or lower --max-connections")
        #expect(
            text(.acceptingResumed(nanoseconds: 210_000_000))
                == "14:02:07.123  connections are accepted again, after 0.21 s")
        #expect(text(.gap(lost: 1)) == nil)
    }

    @Test func aLongFailureIsCutShort() {
        var line = ConnectionLine.intercepted
        line.failure = Failure(
            party: .origin, code: .originHandshake, phase: .originHandshake, detail: String(repeating: "a", count: 500))
        let shown = String(repeating: "a", count: 199) + "…"
        #expect(LiveView().line(for: line).hasSuffix(" | origin at fault: originHandshake, \(shown)"))
    }

    @Test func aConnectionThatNeverNamedAHost() {
        let closed = Closed(
            by: .proxy, phase: .greeting, client: .timeout, origin: nil, clientBytes: 0, originBytes: 0,
            nanoseconds: 10_000_000_000)
        #expect(
            LiveView().line(for: ConnectionLine(connection: 3, wall: 0, closed: closed))
                == "00:00:00.000  #3  -          (no host) | client: timeout  origin: - | 0 B up, 0 B down, 10.00 s")
    }

    @Test func aTargetThatIsNoneIsShownAsSentButShort() {
        var line = ConnectionLine.intercepted
        line.endpoint = nil
        line.target = "/" + String(repeating: "a", count: 100)
        let shown = "/" + String(repeating: "a", count: 58) + "…"
        #expect(LiveView().line(for: line).contains("  intercept  \(shown)  TLS 1.3 h2 | "))
    }

    @Test(arguments: [
        (0, "14:02:07.123"), (3600, "15:02:07.123"), (-5 * 3600, "09:02:07.123"), (20_700, "19:47:07.123"),
        (-15 * 3600, "23:02:07.123"), (10 * 3600, "00:02:07.123"),
    ])
    func showsTheTimeOfDayOfAZone(_ secondsFromUTC: Int, _ time: String) {
        #expect(LiveView(secondsFromUTC: secondsFromUTC).line(for: .intercepted).hasPrefix(time + "  #12  "))
    }

    @Test func coloursOnlyTheFailureAndOnlyIfAsked() {
        var line = ConnectionLine.intercepted
        line.failure = Failure(party: .proxy, code: .internalError, phase: .relay, detail: "x")
        #expect(!LiveView().line(for: line).contains("\u{1B}"))
        #expect(
            LiveView(colour: true).line(for: line).hasSuffix(" | \u{1B}[31mproxy at fault: internalError, x\u{1B}[0m"))
    }

    /// A peer must not steer the terminal: no control code, no second line, no text turned round.
    @Test func whatPeersSendCannotSteerTheTerminal() {
        let hostile = "\u{1B}]0;owned\u{7}\r\n\u{9B}2J\u{202E}evil\u{2028}\t\0"
        let shown = #"\x1b]0;owned\x07\r\n\x9b2J\u{202e}evil\u{2028}\t\x00"#
        var line = ConnectionLine.intercepted
        line.endpoint = nil
        line.target = hostile
        line.clientSession?.alpn = hostile
        line.failure = Failure(party: .origin, code: .tlsProtocol, phase: .relay, detail: hostile, hint: hostile)
        let text = LiveView().line(for: line)
        #expect(text.contains("  intercept  \(shown)  client TLS 1.3 \(shown), origin TLS 1.3 h2 | "))
        #expect(text.hasSuffix(" | origin at fault: tlsProtocol, \(shown); \(shown)"))
        #expect(text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }
}
