import Testing
import Transcript
import Wire

@testable import Report

/// What differs between two handshakes as a table, against texts that were written by hand.
@Suite struct ComparisonReportTests {
    private func record(_ kinds: [Event.Kind]) -> HandshakeRecord { Recorded(Recorded.asked + kinds).story.record }

    private func report(_ first: HandshakeRecord, _ second: HandshakeRecord) -> String {
        ComparisonReport().text(for: HandshakeComparison(first, second), first, second)
    }

    @Test func `a table for each part that differs`() {
        let first = record([
            .hello(Recorded.hello), .alert(.client, .received, level: 2, code: 48),
            .ended(.client, .alert(48), .clientHandshake), Recorded.closed(client: .alert(48)),
        ])
        let second = record([
            .hello(Recorded.hello), .secured(.client, Recorded.agreed), .firstData(.client),
            .firstRequest(protocol: "h2"), .firstData(.origin),
            Recorded.closed(client: .fin, bytes: (40, 100)),
        ])
        #expect(
            report(first, second) == """
                A: connection 1, api.example.com:443, not tested: the client's alert unknown_ca
                (48)
                B: connection 1, api.example.com:443, accepted: 40 bytes of data

                Session with the client
                What            A             B
                --------------  ------------  ----------------------
                handshake       not finished  finished
                version agreed  -             TLS 1.3
                cipher suite    -             TLS_AES_128_GCM_SHA256
                group           -             x25519

                Outcome
                What               A                                               B
                -----------------  ----------------------------------------------  --------
                verdict            not tested: the client's alert unknown_ca (48)  accepted
                client's alerts    unknown_ca (48)                                 -
                client ended with  alert unknown_ca (48)                           FIN

                """)
    }

    @Test func `no difference`() {
        let one = record([.hello(Recorded.hello), Recorded.closed(client: .fin)])
        #expect(
            report(one, one) == """
                A: connection 1, api.example.com:443, not tested: the client left before the
                certificate
                B: connection 1, api.example.com:443, not tested: the client left before the
                certificate

                No difference.

                """)
    }

    @Test func `differences as JSON Lines`() {
        let difference = HandshakeDifference(.clientHello, "groups", ["x25519"], [])
        #expect(
            JSONReport().line(for: difference)
                == #"{"record":"difference","part":"client's hello","what":"groups","a":["x25519"],"b":[],"#
                + #""information":false}"#)
    }
}
