import Testing
import Transcript
import Wire

@testable import Transcript

/// Key logs, certificates and the choice of connections.
struct TextExportTests {
    private static let handshake = SessionSecret(
        label: "CLIENT_HANDSHAKE_TRAFFIC_SECRET", clientRandom: [0x01, 0xAB], secret: [0xFF])
    private static let data = SessionSecret(
        label: "CLIENT_TRAFFIC_SECRET_0", clientRandom: [0x01, 0xAB], secret: [0x02])

    /// RFC 9850 section 1: label, random and secret with single spaces, a line each.
    @Test func secretsAreLines() {
        var story = Story()
        story.intercept(1)
        story.tell(
            1, .secret(.origin, Self.handshake), .secret(.client, Self.data), .secured(.client, .modern(alpn: nil)))
        let (bytes, export) = story.export(KeyLogExport())
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "CLIENT_HANDSHAKE_TRAFFIC_SECRET 01ab ff\nCLIENT_TRAFFIC_SECRET_0 01ab 02\n")
        #expect(export.remarks.isEmpty && !export.isEmpty)
    }

    @Test(arguments: ["", "A B", "A\nB", "a", "Ä", String(repeating: "A", count: 65)])
    func aLabelThatIsNoWordIsLeftOut(_ label: String) {
        var story = Story()
        story.tell(1, .secret(.origin, SessionSecret(label: label, clientRandom: [1], secret: [2])))
        let (bytes, export) = story.export(KeyLogExport())
        #expect(bytes.isEmpty && export.isEmpty)
        #expect(export.remarks == ["1 secret with a broken label or value left out"])
    }

    @Test func whatStaysClosedIsSaid() {
        var old = TLSParameters.modern(alpn: nil)
        old.version = 0x0303
        var story = Story()
        story.intercept(1)
        story.tell(1, .secret(.origin, Self.handshake), .secured(.origin, .modern(alpn: nil)), .secured(.client, old))
        let remarks = story.export(KeyLogExport()).export.remarks
        #expect(remarks.count == 2)
        #expect(remarks[0].hasPrefix("the application data of 1 session stays closed"))
        #expect(remarks[1].hasPrefix("no secret of 1 session of TLS 1.2"))
    }

    /// RFC 7468 section 2: 64 characters a line.
    @Test func certificatesAreWrittenOnce() {
        let first = String(repeating: "a1", count: 32)
        let second = String(repeating: "b2", count: 32)
        var story = Story()
        story.tell(nil, .certificate(digest: first, der: [UInt8](repeating: 0, count: 49)))
        story.tell(nil, .certificate(digest: second, der: [0x30]))
        story.tell(3, .chain(.origin, [second, first]), .chain(.client, [first]))
        story.tell(nil, .certificate(digest: first, der: [0x31]))
        let (bytes, export) = story.export(CertificateExport())
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                # SHA-256 \(second)
                # connection 3, origin side, 1 of 2: shown by the origin
                -----BEGIN CERTIFICATE-----
                MA==
                -----END CERTIFICATE-----
                # SHA-256 \(first)
                # connection 3, origin side, 2 of 2: shown by the origin
                -----BEGIN CERTIFICATE-----
                \(String(repeating: "A", count: 64))
                AA==
                -----END CERTIFICATE-----

                """)
        #expect(export.remarks.isEmpty)
    }

    @Test func certificatesOfOneSideOnly() {
        var story = Story()
        story.tell(nil, .certificate(digest: "x\ny", der: [1]), .certificate(digest: "z", der: [2]))
        story.tell(3, .chain(.origin, ["z"]), .chain(.client, ["x\ny"]))
        let text = String(decoding: story.export(CertificateExport(side: .client)).bytes, as: UTF8.self)
        #expect(
            text.hasPrefix("# SHA-256 not recorded\n# connection 3, client side, 1 of 1: shown by the proxy\n-----B"))
        #expect(text.split(separator: "\n").count == 5)
    }

    @Test func aCertificateThatNobodyNamesIsThereUnlessConnectionsAreChosen() {
        var story = Story()
        story.tell(nil, .certificate(digest: "z", der: [2]))
        #expect(!story.export(CertificateExport()).export.isEmpty)
        #expect(story.export(CertificateExport(includesUnnamed: false)).export.isEmpty)
        story.tell(1, .chain(.origin, ["q"]))
        #expect(
            story.export(CertificateExport()).export.remarks == ["1 certificate named, and not in the transcript"])
    }

    @Test func connectionsAreChosenByNumberAndHost() throws {
        var story = Story()
        story.tell(nil, .gap(lost: 1))
        for (number, host) in [(1, "a.example.com:443"), (2, "b.example.org:443"), (3, "c.example.com:443")] {
            story.open(UInt64(number), host)
            story.tell(UInt64(number), .decided(.intercept, rule: nil), .closed(.inOrder(client: 0, origin: 0)))
        }
        func passed(_ selection: ExportSelection) -> [UInt64?] {
            var selection = selection
            return story.events.flatMap { selection.pass($0) }.map(\.connection)
        }
        let pattern = try #require(HostPattern("*.example.com"))
        #expect(passed(ExportSelection()).count == 13)
        #expect(passed(ExportSelection(connections: [2])) == [nil, 2, 2, 2, 2])
        #expect(passed(ExportSelection(hosts: [pattern])) == [nil, 1, 1, 1, 1, 3, 3, 3, 3])
        #expect(passed(ExportSelection(connections: [2, 3], hosts: [pattern])) == [nil, 3, 3, 3, 3])
    }

    @Test func secretsThatWereLostAreNotBlamedOnTheOptions() {
        var story = Story()
        story.intercept(1)
        story.tell(nil, .gap(lost: 2))
        story.tell(1, .secret(.origin, Self.handshake), .secured(.origin, .modern(alpn: nil)))
        story.tell(1, .closed(.inOrder(client: 0, origin: 0)))
        #expect(
            story.export(KeyLogExport()).export.remarks == [
                "secrets are missing of 1 session during which events were lost"
            ])
    }
}
