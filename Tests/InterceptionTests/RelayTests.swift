import Interception
import Testing
import Transcript
import Wire

/// How the ends of a relay are passed on: as they were, after everything before them.
@Suite struct RelayTests {
    @Test func endsOfBothSidesMeetInTheMiddle() {
        var book = Playbook.at(.relaying)
        book.expect(.ended(.origin, .closeNotify), [.finish(.client, .closeNotify)])
        book.expect(.finished(.client), [])
        book.expect(.ended(.client, .closeNotify), [.finish(.origin, .closeNotify)])
        book.expect(.ended(.client, .fin), [.finish(.origin, .fin)])
        book.expect(.finished(.origin), [])
        book.expect(
            .finished(.origin),
            [.close(ConnectionEnd(by: .origin, phase: .relay, client: .closeNotify, origin: .closeNotify))])
        let ends = book.ends
        #expect(
            ends == [
                .ended(.origin, .closeNotify, .relay), .ended(.client, .closeNotify, .closing),
                .ended(.client, .fin, .closing),
            ])
    }

    /// Nothing closes while an end that was passed on still waits behind bytes.
    @Test func relayLastsUntilBothEndsAreDelivered() {
        var book = Playbook.at(.relaying)
        book.expect(.ended(.client, .fin), [.finish(.origin, .fin)])
        book.expect(.ended(.origin, .fin), [.finish(.client, .fin)])
        book.expect(.finished(.client), [])
        book.expect(
            .finished(.origin), [.close(ConnectionEnd(by: .client, phase: .relay, client: .fin, origin: .fin))])
    }

    /// An alert belongs to the session in which it was sent; the other one just stops, without close_notify.
    @Test func clientsAlertStopsTheOriginsSession() {
        var book = Playbook.at(.relaying)
        book.expect(
            .ended(.client, .alert(46)), [.arm(.drain), .read(.origin, false), .finish(.origin, .fin)])
        book.expect(
            .finished(.origin), [.close(ConnectionEnd(by: .client, phase: .relay, client: .alert(46), origin: nil))])
    }

    /// What the origin sent before its alert is still to reach the client, so the client's own end is awaited.
    @Test func originsAlertStopsTheClientsSessionAndWaitsForTheClient() {
        var book = Playbook.at(.relaying)
        book.expect(
            .ended(.origin, .alert(80)),
            [.arm(.drain), .read(.client, false), .finish(.client, .fin), .discard(.client)])
        book.expect(.finished(.client), [])
        book.expect(
            .ended(.client, .fin), [.close(ConnectionEnd(by: .origin, phase: .relay, client: .fin, origin: .alert(80)))]
        )
    }

    @Test(arguments: [End.reset, .error(110), .timeout, .proxy]) func uncleanEndIsPassedOnAsAReset(_ end: End) {
        for side in Side.allCases {
            let other: Side = side == .client ? .origin : .client
            var book = Playbook.at(.relaying)
            book.expect(.ended(side, end), [.arm(.drain), .read(other, false), .finish(other, .reset)])
            // A second one changes nothing.
            book.expect(.ended(side, end), [])
            let ends = book.ends
            #expect(ends == [.ended(side, end, .relay)])
        }
    }

    /// How a peer first ended its direction counts: what comes later is only how TCP ended.
    @Test func resetAfterCloseNotifyDoesNotTakeTheCloseNotifyBack() {
        var book = Playbook.at(.relaying)
        _ = book.feed(.ended(.origin, .closeNotify))
        book.expect(.ended(.origin, .reset), [.arm(.drain), .read(.client, false), .finish(.client, .reset)])
        book.expect(
            .finished(.client), [.close(ConnectionEnd(by: .origin, phase: .relay, client: nil, origin: .closeNotify))])
        let ends = book.ends
        #expect(ends == [.ended(.origin, .closeNotify, .relay), .ended(.origin, .reset, .closing)])
    }

    @Test func endIsPassedOnBehindBackPressure() {
        var book = Playbook.at(.relaying)
        book.expect(.full(.client), [.read(.origin, false)])
        book.expect(.ended(.client, .fin), [.finish(.origin, .fin)])
        book.expect(.drained(.client), [.read(.origin, true)])
        book.expect(.full(.origin), [.read(.client, false)])
        // The client has ended: there is nothing more to read from it.
        book.expect(.drained(.origin), [])
    }

    @Test func idleRelayIsCutAndSaysWhy() {
        var book = Playbook.at(.relaying)
        book.expect(.timedOut, Sample.cut)
        let failures = book.failures
        #expect(failures == [.timeout])
        book.expect(.finished(.origin), [])
        book.expect(.finished(.client), [])
        book.expect(
            .ended(.client, .closeNotify),
            [.close(ConnectionEnd(by: .proxy, phase: .relay, client: .closeNotify, origin: nil))])
    }

    @Test func peerThatGoesWhileThingsAreFlushedIsNotWaitedFor() {
        var book = Playbook.at(.relaying)
        _ = book.feed(.timedOut)
        book.expect(.ended(.origin, .reset), [])
        book.expect(
            .ended(.client, .reset),
            [.close(ConnectionEnd(by: .proxy, phase: .relay, client: .reset, origin: .reset))])
    }

    @Test func endThatIsNeverDeliveredEndsByItsLimit() {
        var book = Playbook.at(.relaying)
        _ = book.feed(.ended(.origin, .reset))
        book.expect(
            .timedOut, [.close(ConnectionEnd(by: .origin, phase: .relay, client: nil, origin: .reset))])
    }
}
