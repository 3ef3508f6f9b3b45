import Testing
import Transcript
import Wire

@testable import Report

/// Connections as ladder diagrams, against drawings that were made by hand.
@Suite struct LadderTests {
    private func ladder(_ kinds: [Event.Kind], width: Int = 60) -> String {
        let story = Recorded(kinds).story
        let steps = LadderBuilder.steps(of: story, certificates: Recorded.certificates)
        return LadderDrawing(width: width, colour: false).text(for: steps, start: 5_000_000)
    }

    @Test func `what comes before TLS`() {
        #expect(
            ladder(Recorded.asked) == """
                      ms client                 proxy                 origin
                     0.0 │── connects ───────────►│                        │
                         │    from                │                        │
                         │    127.0.0.1:50312     │                        │
                     1.0 │── CONNECT ────────────►│                        │
                         │    api.example.com:443 │                        │
                     2.0 │  decision: intercept   │                        │
                     3.0 │                        │── connects ───────────►│
                         │                        │    to 192.0.2.1:443    │
                         │                        │    took 20 ms          │

                """)
    }

    @Test func `a handshake of TLS 1.3 that the client refuses, encrypted from the ServerHello on`() {
        let certificate = Recorded.message(11, [0, 0, 0, 7, 0, 0, 2, 0x30, 0x00, 0, 0])
        let verify = Recorded.message(15, [0x04, 0x03, 0, 2, 0xAB, 0xCD])
        let kinds: [Event.Kind] = [
            .hello(Recorded.hello), .chain(.client, ["aa"]), .message(.client, .received, Recorded.clientHello),
            .message(.client, .sent, Recorded.serverHello),
            .message(.client, .sent, Recorded.message(8, [0, 9, 0, 16, 0, 5, 0, 3, 2, 0x68, 0x32])),
            .message(.client, .sent, certificate), .message(.client, .sent, verify),
            .message(.client, .sent, Recorded.message(20, [1, 2])),
            .alert(.client, .received, level: 2, code: 48), .ended(.client, .alert(48), .clientHandshake),
            .ended(.client, .fin, .closing),
        ]
        #expect(
            ladder(kinds, width: 80) == """
                      ms client                           proxy                           origin
                     2.0 │── ClientHello ──────────────────►│                                  │
                         │    TLS 1.3, 1.2                  │                                  │
                         │    SNI api.example.com           │                                  │
                         │    ALPN h2                       │                                  │
                         │    JA4 t13d0103h2                │                                  │
                     3.0 │◄─ ServerHello ───────────────────│                                  │
                         │    TLS 1.3                       │                                  │
                         │    TLS_AES_128_GCM_SHA256        │                                  │
                         │    x25519                        │                                  │
                     4.0 │◄═ EncryptedExtensions ═══════════│                                  │
                         │    ALPN h2                       │                                  │
                     5.0 │◄═ Certificate ═══════════════════│                                  │
                         │    CN=api.example.com            │                                  │
                         │    1 certificate                 │                                  │
                     6.0 │◄═ CertificateVerify ═════════════│                                  │
                         │    ecdsa_secp256r1_sha256        │                                  │
                     7.0 │◄═ Finished ══════════════════════│                                  │
                     8.0 │══ unknown_ca (48) ══════════════►│                                  │
                         │    alert about the certificate:  │                                  │
                         │    its issuer is not known       │                                  │
                    10.0 │── FIN ──────────────────────────►│                                  │

                """)
    }

    @Test func `a retry, then a second hello, on the origin's side`() {
        let kinds: [Event.Kind] = [
            .originHello(Recorded.hello), .message(.origin, .sent, Recorded.clientHello),
            .message(.origin, .received, Recorded.retryRequest), .message(.origin, .sent, Recorded.clientHello),
            .message(.origin, .received, Recorded.serverHello),
            .message(.origin, .received, Recorded.message(13, [0, 0, 14, 0, 13, 0, 4, 0, 2, 4, 3, 0, 47, 0, 2, 0, 0])),
            .message(.origin, .received, Recorded.message(4, [0, 0, 28, 32, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0])),
            .message(.origin, .received, Recorded.message(24, [1])),
        ]
        let blank = String(repeating: " ", count: 34)
        #expect(
            ladder(kinds, width: 80).split(separator: "\n").dropFirst().map { $0.dropFirst(9) } == [
                "│\(blank)│── ClientHello ──────────────────►│", "│\(blank)│    TLS 1.3, 1.2                  │",
                "│\(blank)│    SNI api.example.com           │", "│\(blank)│    ALPN h2                       │",
                "│\(blank)│    JA4 t13d0103h2                │", "│\(blank)│◄─ HelloRetryRequest ─────────────│",
                "│\(blank)│    TLS 1.3                       │", "│\(blank)│    TLS_AES_128_GCM_SHA256        │",
                "│\(blank)│    asks for a key share of       │", "│\(blank)│    secp256r1                     │",
                "│\(blank)│── ClientHello (2) ──────────────►│", "│\(blank)│    TLS 1.3, 1.2                  │",
                "│\(blank)│    SNI api.example.com           │", "│\(blank)│    ALPN h2                       │",
                "│\(blank)│    JA4 t13d0103h2                │", "│\(blank)│◄─ ServerHello ───────────────────│",
                "│\(blank)│    TLS 1.3                       │", "│\(blank)│    TLS_AES_128_GCM_SHA256        │",
                "│\(blank)│    x25519                        │", "│\(blank)│◄═ CertificateRequest ════════════│",
                "│\(blank)│    of any CA                     │", "│\(blank)│    1 signature schemes           │",
                "│\(blank)│◄═ NewSessionTicket ══════════════│", "│\(blank)│    lifetime 7200 s               │",
                "│\(blank)│◄═ KeyUpdate ═════════════════════│", "│\(blank)│    asks for the same             │",
            ])
    }

    @Test func `in TLS 1.2 only Finished and what follows it is encrypted`() {
        let finished = Recorded.message(20, [1, 2])
        let kinds: [Event.Kind] = [
            .message(.client, .sent, Recorded.oldServerHello), .message(.client, .received, Recorded.message(16, [0])),
            .message(.client, .received, finished), .message(.client, .sent, finished),
            .alert(.client, .sent, level: 1, code: 0),
        ]
        let steps = LadderBuilder.steps(of: Recorded(kinds).story, certificates: [:])
        #expect(steps.map(\.label) == ["ServerHello", "ClientKeyExchange", "Finished", "Finished", "close_notify"])
        #expect(steps.map(\.isEncrypted) == [false, false, true, true, true])
        #expect(steps.map(\.figure) == [.left, .right, .right, .left, .left])
    }

    @Test func `that heads are not followed is said on the side whose they are`() {
        let steps = LadderBuilder.steps(
            of: Recorded([.headsStopped(.origin, .headTooLarge), .headsStopped(.client, .malformed)]).story,
            certificates: [:])
        #expect(steps.map(\.label) == ["heads are not followed further", "heads are not followed further"])
        #expect(
            steps.map(\.facts) == [
                ["a head is larger than what is recorded"], ["these bytes are no HTTP that can be understood"],
            ])
        #expect(steps.map(\.span) == [.origin, .client])
    }

    @Test func `data passes through the proxy, and a page of its own does not come from the origin`() {
        let passed = ladder(
            [.decided(.intercept, rule: nil), .secured(.client, Recorded.agreed), .firstData(.client)]
                + [Recorded.closed(bytes: (1234, 0))])
        #expect(passed.contains("│══ application data ════════════════════════════►│\n"))
        #expect(passed.contains("│    1.2 kB in all                                │\n"))
        let page = ladder([
            .decided(.intercept, rule: nil), .firstData(.client), .answered(status: 502, reason: "originExpired"),
        ])
        #expect(page.contains("│── application data ───►│                        │\n"))
        #expect(page.contains("│◄─ page of the proxy… ──│                        │\n"))
    }

    @Test func `captured data is counted until something else happens`() {
        let data: [Event.Kind] = [
            .data(.client, offset: 0, [1, 2]), .data(.client, offset: 2, [3]), .data(.origin, offset: 0, [4]),
            .data(.client, offset: 3, [5]),
        ]
        let steps = LadderBuilder.steps(of: Recorded([.firstData(.client)] + data).story, certificates: [:])
        #expect(
            steps.map(\.label) == [
                "application data, 3 B", "application data, 1 B recorded", "application data, 1 B recorded",
            ])
        #expect(steps.map(\.figure) == [.right, .left, .right])
    }

    @Test func `an end that an alert announced is drawn once`() {
        let steps = LadderBuilder.steps(
            of: Recorded([
                .alert(.client, .received, level: 1, code: 0), .ended(.client, .closeNotify, .relay),
                .ended(.origin, .closeNotify, .relay), .ended(.client, .reset, .closing),
                .ended(.origin, .timeout, .closing),
            ]).story, certificates: [:])
        #expect(steps.map(\.label) == ["close_notify", "close_notify", "RST", "time limit"])
        #expect(steps.map(\.span) == [.client, .origin, .client, .origin])
    }

    @Test func `events that are missing are told where they would be`() {
        var story = ConnectionStory(connection: 1)
        for event in Recorded([.opened(client: "a", listener: "b")]).events { story.add(event) }
        story.add(Event(connection: nil, monotonic: 7_000_000, wall: 0, kind: .gap(lost: 3)))
        let run = RunStarted(tool: "", openssl: "", listeners: [], authorities: [])
        for file in [2, 3, 5] {
            let kind = Event.Kind.runContinued(RunContinued(run: run, file: file))
            story.add(Event(connection: nil, monotonic: 8_000_000, wall: 0, kind: kind))
        }
        #expect(
            LadderBuilder.steps(of: story, certificates: [:]).map(\.label) == [
                "connects", "3 events are missing here", "files of the run are missing here",
            ])
        #expect(story.record.lacksEvents)
    }

    @Test(
        arguments: [
            (0, "     0.0"), (99_999_900_000, " 99999.9"), (100_000_000_000, "  100000"),
            (100_000_000_000_000, "100000 s"),
            (.max, "213503 d"),
        ] as [(UInt64, String)])
    func `times keep to their column`(_ time: UInt64, _ text: String) {
        let step = LadderStep(time: time, span: .client, figure: .right, label: "x")
        let line = LadderDrawing(width: 60, colour: false).text(for: [step], start: 0).split(separator: "\n").last
        #expect(line?.prefix(8) == Substring(text))
    }

    @Test func `more than fits is counted and left out`() {
        var story = ConnectionStory(connection: 1, itemLimit: 2, byteLimit: 10)
        let message = Event.Kind.message(.client, .sent, [UInt8](repeating: 0, count: 6))
        for event in Recorded([message, message, .firstRequest(protocol: "h2"), .firstRequest(protocol: "h2")]).events {
            story.add(event)
        }
        #expect(story.items.count == 2)
        #expect(story.omitted == 2)
        var long = ConnectionStory(connection: 1, itemLimit: 9, byteLimit: 10)
        for event in Recorded([message, message, .firstRequest(protocol: "h2")]).events { long.add(event) }
        #expect(long.items.count == 2)
        #expect(long.omitted == 1)
    }

    /// With `--capture bytes=4` only four octets of each side are recorded, whatever passes.
    @Test func `what was recorded of data is told from what passed`() {
        let data: [Event.Kind] = [
            .data(.client, offset: 0, [1, 2, 3]), .data(.origin, offset: 0, [4, 5]), .data(.client, offset: 3, [6]),
        ]
        func steps(_ kinds: [Event.Kind]) -> [[String]] {
            LadderBuilder.steps(of: Recorded(data + kinds).story, certificates: [:]).map { [$0.label] + $0.facts }
        }
        #expect(
            steps([Recorded.closed(bytes: (5100, 2))]) == [
                ["application data, 3 B"], ["application data, 2 B"],
                ["application data, 1 B recorded", "5.1 kB in all"],
            ])
        // As long as it is open, more may have passed.
        #expect(
            steps([]).map(\.first) == [
                "application data, 3 B", "application data, 2 B recorded", "application data, 1 B recorded",
            ])
        // After a hole nothing is known of what passed between.
        #expect(
            steps([.data(.origin, offset: 9, [7]), Recorded.closed(bytes: (4, 10))]) == [
                ["application data, 3 B"], ["application data, 2 B recorded", "10 B in all"], ["application data, 1 B"],
                ["application data, 1 B recorded", "10 B in all"],
            ])
    }
}
