import Crypto
import Recheck
import TestSupport
import Testing
import Transcript
import TranscriptFiles
import Wire

/// A forger who tells another story around a real handshake: events are changed, and the verdict and all digests follow.
@Suite struct CourseTests {
    /// A client that sends three octets, and one that rejects; both with all that can be recorded.
    private func recording(_ version: UInt16 = 0x0304) throws -> Recording {
        let recording = try Recording()
        try recording.connect(Recording.Settings(version: version).withEverything) { client, _, wires in
            recording.append(1, .firstData(.client))
            let request = ByteQueue()
            request.append([1, 2, 3])
            _ = client.write(from: request, upTo: 65_536)
            wires.settle()
        }
        try recording.connect(
            Recording.Settings(version: version, verify: .custom { _ in .reject(alert: 48) }).withEverything)
        recording.end()
        return recording
    }

    /// What is false once the events of a connection are changed so.
    private func failures(
        of number: UInt64 = 1, _ version: UInt16 = 0x0304, forging change: (inout [Event]) -> Void
    ) throws -> Set<Claim.Kind> {
        try recording(version).check(forging: { events in
            Self.say(bytes: 3, &events)
            change(&events)
            Self.judge(number, &events)
        }).failed
    }

    /// Says at the end of the first connection that so many octets came from the client.
    private static func say(bytes: UInt64, _ events: inout [Event]) {
        for index in events.indices where events[index].connection == 1 {
            guard case .closed(var closed) = events[index].kind else { continue }
            closed.clientBytes = bytes
            events[index].kind = .closed(closed)
        }
    }

    /// Writes the verdict that the events come to.
    private static func judge(_ number: UInt64, _ events: inout [Event]) {
        var fold = VerdictFold()
        for event in events where event.connection == number { fold.add(event.kind) }
        for index in events.indices where events[index].connection == number {
            if case .verdict = events[index].kind { events[index].kind = .verdict(RecordedVerdict(fold.verdict)) }
        }
    }

    private func without(
        of number: UInt64 = 1, _ isMeant: @escaping (Event.Kind) -> Bool
    ) -> (inout [Event]) -> Void {
        { events in
            let before = events.count
            events.removeAll { $0.connection == number && isMeant($0.kind) }
            #expect(events.count < before)
        }
    }

    /// Puts an event before the first one that is meant.
    private func inserting(
        _ kind: Event.Kind, _ number: UInt64 = 1, before isMeant: @escaping (Event.Kind) -> Bool
    ) -> (inout [Event]) -> Void {
        { events in
            guard let index = events.firstIndex(where: { $0.connection == number && isMeant($0.kind) }) else {
                Issue.record("there is no such event")
                return
            }
            events.insert(
                Event(connection: number, monotonic: events[index].monotonic, wall: 0, kind: kind), at: index)
        }
    }

    private static func isVerdict(_ kind: Event.Kind) -> Bool { if case .verdict = kind { true } else { false } }

    @Test(arguments: [UInt16(0x0303), 0x0304]) func nothingIsFalseBefore(_ version: UInt16) throws {
        let checked = try recording(version).check(forging: { events in
            Self.say(bytes: 3, &events)
            Self.judge(1, &events)
        })
        #expect(checked.failed == [])
        for kind in [Claim.Kind.course, .data, .sealedRecords, .alerts] { #expect(checked.proves(kind), "\(kind)") }
        #expect(checked.summary.rows[.text]?.notProven == 0)
    }

    // MARK: Ends and alerts

    /// A rejection of which only the end of the connection tells.
    @Test func anEndByAnAlertThatNeverCame() throws {
        let ended = Event.Kind.ended(.client, .alert(48), .relay)
        #expect(try failures(forging: inserting(ended, before: Self.isVerdict)) == [.course])
        #expect(
            try failures { events in
                for index in events.indices where events[index].connection == 1 {
                    guard case .closed(var closed) = events[index].kind else { continue }
                    closed.client = .alert(48)
                    events[index].kind = .closed(closed)
                }
            } == [.course])
        #expect(try failures(forging: without { if case .ended = $0 { true } else { false } }) == [.course])
    }

    /// A client that rejected is said to have accepted: without its alert the handshake has no end.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func aHandshakeThatWasNeverOver(_ version: UInt16) throws {
        let parameters = TLSParameters(
            version: version, cipherSuite: version == 0x0304 ? 0x1302 : 0xC02C, cipherSuiteName: "", group: nil,
            alpn: nil, serverName: nil, resumed: false)
        let found = try failures(of: 2, version) { events in
            without(of: 2) { if case .alert = $0 { true } else { false } }(&events)
            for kind in [Event.Kind.secured(.client, parameters), .firstData(.client)] {
                inserting(kind, 2, before: Self.isVerdict)(&events)
            }
        }
        #expect(found.contains(.course))
    }

    // MARK: What was decided

    @Test func aHandshakeThatIsSaidToBeNone() throws {
        let found = try failures { events in
            for index in events.indices where events[index].connection == 1 {
                if case .decided = events[index].kind { events[index].kind = .decided(.tunnel, rule: nil) }
            }
        }
        #expect(found == [.course])
        let content = Event.Kind.notTLS(.originFirst)
        #expect(try failures(forging: inserting(content, before: Self.isVerdict)) == [.course])
    }

    @Test(arguments: 0..<7) func eventsThatEveryHandshakeHas(_ index: Int) throws {
        let kinds: [(Event.Kind) -> Bool] = [
            { if case .requested = $0 { true } else { false } },
            { if case .decided = $0 { true } else { false } },
            { if case .hello = $0 { true } else { false } },
            { if case .serverHello = $0 { true } else { false } },
            { if case .forged = $0 { true } else { false } },
            { if case .chain = $0 { true } else { false } },
            { if case .secured = $0 { true } else { false } },
        ]
        #expect(try failures(forging: without(kinds[index])) == [.course])
    }

    @Test func eventsThatTheOriginsSideHas() throws {
        let recording = try Recording()
        try recording.connectToOrigin()
        recording.end()
        for kind in [Event.Kind.connected(origin: "127.0.0.1:443", nanoseconds: 1)] {
            let found = try recording.check(forging: { events in events.removeAll { $0.kind == kind } }).failed
            #expect(found == [.course])
        }
        let hello = try recording.check(forging: { events in
            events.removeAll { if case .originHello = $0.kind { true } else { false } }
        })
        #expect(hello.failed == [.course])
    }

    /// What a client gave away: its certificate.
    @Test func anIdentityThatIsHushedUp() throws {
        let recording = try Recording()
        let app = try CertificateTemplate(
            subject: [("CN", "app")], notBefore: Recording.now - 10, notAfter: Recording.now + 10
        ).identity(issuer: recording.authority)
        try recording.connect(Recording.Settings(clientIdentity: app))
        recording.end()
        #expect(try recording.check().failed == [])
        let found = try recording.check(forging: { events in
            events.removeAll { if case .identity = $0.kind { true } else { false } }
            Self.judge(1, &events)
        })
        #expect(found.failed == [.course])
    }

    // MARK: Once, and in time

    @Test func whatHappensOnceIsToldOnce() throws {
        let again: [Event.Kind] = [
            .firstData(.client), .decided(.intercept, rule: nil), .chain(.client, []),
            .forged(host: "x", digest: "00", key: "", fromCache: false),
            .verdict(RecordedVerdict(name: "accepted", text: "accepted")),
            .secured(
                .client,
                TLSParameters(
                    version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "", group: nil, alpn: "evil",
                    serverName: nil, resumed: false)),
        ]
        for kind in again {
            #expect(try failures(forging: inserting(kind, before: Self.isVerdict)).contains(.course), "\(kind)")
        }
    }

    @Test func timeGoesOn() throws {
        let found = try failures { events in
            guard let index = events.firstIndex(where: { Self.isVerdict($0.kind) }) else { return }
            events[index].monotonic = 0
        }
        #expect(found == [.course])
    }

    // MARK: Data

    @Test(arguments: [UInt16(0x0303), 0x0304]) func dataIsWhatRecordsHold(_ version: UInt16) throws {
        // An accepting client becomes one that left without a word.
        let silent = try failures(of: 1, version) { events in
            without { $0 == .firstData(.client) }(&events)
            Self.say(bytes: 0, &events)
        }
        #expect(silent == [.data])
        #expect(try failures(of: 1, version) { Self.say(bytes: 4, &$0) } == [.data])
        // And a client that said nothing one that spoke.
        let recording = try Recording()
        try recording.connect(Recording.Settings(version: version).withEverything) { client, _, wires in
            client.sendCloseNotify()
            wires.settle()
        }
        #expect(try recording.check().failed == [])
        let spoke = try recording.check(forging: { events in
            inserting(.firstData(.client), before: Self.isVerdict)(&events)
            Self.judge(1, &events)
        })
        #expect(spoke.failed == [.data])
    }

    /// Without the records of the data nothing says how much there was.
    @Test func dataThatIsNotRecordedIsNotProven() throws {
        let recording = try Recording()
        try recording.connect()
        recording.end()
        let checked = try recording.check()
        #expect(!checked.proves(.data))
        #expect(checked.failed == [])
    }

    /// No more of what is relayed is kept than its records need.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func muchTrafficHidesNothing(_ version: UInt16) throws {
        let recording = try Recording()
        let count = 3 << 20
        try recording.connect(Recording.Settings(version: version).withEverything) { client, _, wires in
            recording.append(1, .firstData(.client))
            let request = ByteQueue()
            request.append([UInt8](repeating: 7, count: count))
            while !request.isEmpty {
                _ = client.write(from: request, upTo: 1 << 16)
                wires.settle()
            }
            client.sendCloseNotify()
            wires.settle()
        }
        recording.end()
        let checked = try recording.check(forging: { events in
            Self.say(bytes: UInt64(count), &events)
            Self.judge(1, &events)
        })
        #expect(checked.failed == [])
        for kind in [
            Claim.Kind.serverSignature, .serverFinished, .clientFinished, .sealedRecords, .alerts, .data, .verdict,
        ] { #expect(checked.proves(kind), "\(kind)") }
    }

    /// Nobody who has the key sends a record that does not open with it.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func aRecordThatDoesNotOpen(_ version: UInt16) throws {
        let found = try failures(of: 1, version) { events in
            guard
                let index = events.lastIndex(where: { event in
                    if case .traffic(.client, .received, _, _) = event.kind { true } else { false }
                }), case .traffic(_, _, let offset, var bytes) = events[index].kind
            else { return }
            bytes[bytes.count - 1] ^= 1
            events[index].kind = .traffic(.client, .received, offset: offset, bytes)
        }
        #expect(found == [.sealedRecords])
    }

    /// More than a recorder would ever keep makes nothing look proven.
    @Test func paddingHidesNoClaim() throws {
        let found = try recording().check(forging: { events in
            let secret = SessionSecret(label: "X", clientRandom: [1], secret: [UInt8](repeating: 0, count: 400_000))
            for _ in 0..<3 {
                inserting(.secret(.client, secret), 2) { if case .message = $0 { true } else { false } }(&events)
            }
        })
        let verdicts = found.connections[1].claims.filter { $0.kind == .verdict || $0.kind == .course }
        #expect(verdicts.count == 2)
        for claim in verdicts { #expect(claim.result != .proven, "\(claim)") }
    }

    // MARK: The run

    /// Whatever excuses a connection that is not whole is looked at too.
    @Test(arguments: 0..<7) func excusesHaveToBeTrue(_ index: Int) throws {
        let recording = try recording()
        func isKind(_ event: Event, _ number: UInt64, _ name: String) -> Bool {
            switch event.kind {
            case .opened: event.connection == number && name == "opened"
            case .closed: event.connection == number && name == "closed"
            default: false
            }
        }
        let changes: [(inout [Event]) -> Void] = [
            { $0.insert(Event(connection: nil, monotonic: 9, wall: 0, kind: .gap(lost: 0)), at: 9) },
            { $0.removeAll { isKind($0, 1, "opened") } },
            { $0.removeAll { isKind($0, 1, "closed") } },
            { events in
                guard let opened = events.first(where: { isKind($0, 1, "opened") }) else { return }
                events.insert(opened, at: 9)
            },
            { events in
                let late = Event(connection: 1, monotonic: 900, wall: 0, kind: .firstData(.origin))
                events.insert(late, at: events.count - 1)
            },
            { $0.append(Event(connection: nil, monotonic: 900, wall: 0, kind: .acceptingResumed(nanoseconds: 1))) },
            { events in
                // The same handshake as another connection.
                let copy = events.filter { $0.connection == 2 }.map { event in
                    var event = event
                    event.connection = 3
                    return event
                }
                events.insert(contentsOf: copy, at: events.count - 1)
                events[events.count - 1].kind = .runEnded(RunEnded(connections: 3, lost: 0))
            },
        ]
        #expect(try recording.check(forging: changes[index]).failed.contains(.lines))
    }

    @Test func aVerdictThatIsMissing() throws {
        #expect(try failures(forging: without(Self.isVerdict)) == [.verdict])
    }

    /// Names stand in lines for people and for programs that do not decode octets.
    @Test(arguments: [
        (#""name":"server_hello""#, #""name":"client_hello""#), (#""serverName":"api"#, #""serverName":"evil"#),
        (#""name":"TLS 1.3""#, #""name":"TLS 1.2""#), (#""code":48,"name":"unknown_ca""#, #""code":48,"name":"x""#),
        (#""decoded":null"#, #""decoded":{}"#), (#""type":2,"name""#, #""type":3,"name""#),
    ])
    func whatLinesSayOfOctets(_ text: String, _ other: String) throws {
        let events = try recording().events
        var previous: [UInt8]?
        var isChanged = false
        let lines = events.map { event in
            var line: [UInt8] = []
            EventEncoder().encode(event, link: previous.map { .after($0) } ?? .first, into: &line)
            line.removeLast()
            if !isChanged, let range = String(decoding: line, as: UTF8.self).firstRange(of: text) {
                var changed = String(decoding: line, as: UTF8.self)
                changed.replaceSubrange(range, with: other)
                line = Array(changed.utf8)
                isChanged = true
            }
            previous = Digest.sha256(line)
            return line
        }
        try #require(isChanged, "\(text)")
        #expect(try Checked(Recording.file(lines)).failed.contains(.text))
    }

    /// The digest stands for every octet of the files.
    @Test func whatNoLineHolds() throws {
        let recording = try recording()
        let file = Recording.file(Recording.lines(recording.events))
        let digest = try recording.check().summary.closingDigest
        func closing(_ file: [UInt8]) throws -> CheckSummary.Row? {
            try Checked(file, digest: digest).summary.rows[.closingDigest]
        }
        #expect(try closing(file)?.proven == 1)
        #expect(try closing([10] + file)?.failed == 1)
        #expect(try closing(file + Array("{\"t\":".utf8))?.failed == 1)
    }
}
