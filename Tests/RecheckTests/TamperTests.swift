import Crypto
import Recheck
import TestSupport
import Testing
import Transcript
import TranscriptFiles
import Wire

/// A forger changes something and computes all digests again: the claim that is named finds it.
@Suite struct TamperTests {
    private let recording: Recording
    private let whole: Checked

    init() throws {
        recording = try Recording()
        try recording.connect(Recording.Settings(offering: ["http/1.1"], agreeing: "http/1.1"))
        try recording.connect(
            Recording.Settings(version: 0x0303, verify: .custom { _ in .reject(alert: 48) }))
        try recording.connectToOrigin()
        recording.end()
        whole = try recording.check()
    }

    /// What the rules find once the events are changed so.
    private func failures(_ change: (inout [Event]) -> Void) throws -> Set<Claim.Kind> {
        try recording.check(forging: change).failed
    }

    /// Changes the first event that can be changed so.
    private func first(_ change: @escaping (Event.Kind) -> Event.Kind?) -> (inout [Event]) -> Void {
        { events in
            for index in events.indices {
                guard let kind = change(events[index].kind) else { continue }
                events[index].kind = kind
                return
            }
            Issue.record("there is no such event")
        }
    }

    /// Leaves the first such event out.
    private func without(_ isMeant: @escaping (Event.Kind) -> Bool) -> (inout [Event]) -> Void {
        { events in
            guard let index = events.firstIndex(where: { isMeant($0.kind) }) else {
                Issue.record("there is no such event")
                return
            }
            events.remove(at: index)
        }
    }

    private func isMessage(_ kind: Event.Kind, _ type: UInt8) -> Bool {
        if case .message(_, _, let bytes, _) = kind { bytes.first == type } else { false }
    }

    @Test func nothingIsFalseBefore() {
        #expect(whole.failed == [])
        #expect(whole.summary.connections == 3)
        #expect(whole.summary.rows[.completeness]?.proven == 1)
        #expect(whole.summary.rows[.lines]?.proven == UInt64(recording.events.count - 1))
    }

    @Test func aSwappedVerdict() throws {
        #expect(
            try failures(
                first { kind in
                    guard case .verdict = kind else { return nil }
                    return .verdict(
                        RecordedVerdict(name: "rejected", text: "rejected: unknown_ca (48) in the handshake"))
                }) == [.verdict])
    }

    @Test func anotherAlert() throws {
        let found = try failures(
            first { kind in
                guard case .alert(let side, let direction, let level, _) = kind else { return nil }
                return .alert(side, direction, level: level, code: 46)
            })
        #expect(found == [.alerts, .verdict])
    }

    @Test func anAlertLeftOut() throws {
        #expect(try failures(without { if case .alert = $0 { true } else { false } }) == [.alerts, .verdict])
    }

    /// An accepting client becomes a rejecting one.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func anAlertThatNeverWas(_ version: UInt16) throws {
        for isWhole in [true, false] {
            let recording = try Recording()
            let usual = Recording.Settings(version: version)
            try recording.connect(isWhole ? usual.withEverything : usual) { _, server, wires in
                let greeting = ByteQueue()
                greeting.append([1, 2, 3])
                _ = server.write(from: greeting, upTo: 65_536)
                wires.settle()
            }
            let checked = try recording.check(forging: { events in
                let alert = Event.Kind.alert(.client, .received, level: 2, code: 42)
                let place = events.count - 2
                events.insert(
                    Event(connection: 1, monotonic: events[place].monotonic, wall: 0, kind: alert), at: place)
                var fold = VerdictFold()
                for event in events where event.connection == 1 { fold.add(event.kind) }
                events[events.count - 2].kind = .verdict(RecordedVerdict(fold.verdict))
            })
            // Without the records that follow the handshake nothing says that it was not in one of them.
            let unseen = "it came after the handshake: such records are recorded with --capture wire"
            #expect(
                checked.results(.alerts) == [isWhole ? .failed("no record holds this alert") : .notProven(unseen)])
            #expect(checked.failed == (isWhole ? [.alerts] : []))
        }
    }

    @Test func aMessageLeftOut() throws {
        // Certificate of TLS 1.3: encrypted, and signed over.
        #expect(
            try failures(without { isMessage($0, 11) }).isSuperset(of: [.sealedRecords, .serverFinished]))
        // ClientHello: not encrypted.
        #expect(try failures(without { isMessage($0, 1) }).contains(.plainRecords))
    }

    @Test func messagesInAnotherOrder() throws {
        let found = try failures { events in
            guard let first = events.firstIndex(where: { isMessage($0.kind, 8) }),
                let second = events.firstIndex(where: { isMessage($0.kind, 11) })
            else { return }
            events.swapAt(first, second)
        }
        #expect(found.isSuperset(of: [.sealedRecords, .serverSignature, .serverFinished, .clientFinished]))
    }

    @Test func wireBytesLeftOut() throws {
        #expect(
            try failures(without { if case .wire(_, .received, _) = $0 { true } else { false } })
                .contains(.plainRecords))
    }

    @Test func anotherChain() throws {
        let other = try recording.server()
        let digest = Hex.encode(other.chain[0].sha256)
        let found = try failures { events in
            first { kind in
                guard case .chain(.client, _) = kind else { return nil }
                return .chain(.client, [digest])
            }(&events)
            events.insert(
                Event(
                    connection: nil, monotonic: 0, wall: 0,
                    kind: .certificate(digest: digest, der: other.chain[0].der)), at: 1)
        }
        #expect(found == [.chain])
    }

    /// The chain is swapped in the message as well: then the server's key did not sign.
    @Test func anotherChainInTheMessageToo() throws {
        let other = try recording.server()
        let digest = Hex.encode(other.chain[0].sha256)
        let found = try failures { events in
            for (index, event) in events.enumerated() where event.connection == 2 {
                switch event.kind {
                case .chain(let side, _): events[index].kind = .chain(side, [digest])
                case .forged(let host, _, let key, let isCached, _):
                    events[index].kind = .forged(host: host, digest: digest, key: key, fromCache: isCached)
                case .message(let side, let direction, let bytes, _) where bytes.first == 11:
                    let der = other.chain[0].der
                    func number(_ count: Int) -> [UInt8] {
                        [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
                    }
                    events[index].kind = .message(
                        side, direction,
                        [11] + number(der.count + 6) + number(der.count + 3) + number(der.count) + der)
                default: break
                }
            }
            events.insert(
                Event(
                    connection: nil, monotonic: 0, wall: 0,
                    kind: .certificate(digest: digest, der: other.chain[0].der)), at: 1)
        }
        // What follows in the direction is shifted, unless both certificates happen to be of one length: then encrypted
        // messages differ from their records too.
        #expect(found.subtracting([.sealedRecords]) == [.serverSignature, .plainRecords])
    }

    @Test func aCertificateUnderAnotherDigest() throws {
        let found = try failures(
            first { kind in
                guard case .certificate(let digest, let der) = kind else { return nil }
                return .certificate(digest: digest, der: der + [0])
            })
        #expect(found == [.certificates])
    }

    @Test func aLeafOfAnotherCA() throws {
        let stranger = try Recording()
        let mixed = try Recording()
        try mixed.connect(Recording.Settings(identity: try mixed.server(issuer: stranger.authority)))
        #expect(try mixed.check().failed == [.authority])
    }

    @Test func anotherHello() throws {
        let other = try ClientHello(message: HelloRecord.sampleBody[...])
        let client = try failures(
            first { kind in
                if case .hello = kind { .hello(Fingerprints.of(other)) } else { nil }
            })
        #expect(client == [.hello])
        let origin = try failures(
            first { kind in
                if case .originHello = kind { .originHello(Fingerprints.of(other)) } else { nil }
            })
        #expect(origin == [.hello])
    }

    @Test func otherFingerprints() throws {
        let found = try failures(
            first { kind in
                guard case .hello(var record) = kind else { return nil }
                record.ja4 = "t13d1516h2_8daaf6152771_e5627efa2ab1"
                return .hello(record)
            })
        #expect(found == [.fingerprints])
    }

    @Test func otherParameters() throws {
        func change(_ body: @escaping (inout TLSParameters) -> Void) throws -> Set<Claim.Kind> {
            try failures(
                first { kind in
                    guard case .secured(let side, var parameters) = kind else { return nil }
                    body(&parameters)
                    return .secured(side, parameters)
                })
        }
        #expect(try change { $0.version = 0x0303 } == [.parameters])
        #expect(try change { $0.cipherSuite = 0x1303 } == [.parameters])
        #expect(try change { $0.alpn = "h2" } == [.parameters])
        #expect(try change { $0.serverName = "other.test" } == [.parameters])
    }

    @Test func anotherSecret() throws {
        let found = try failures(
            first { kind in
                guard case .secret(let side, let secret) = kind else { return nil }
                return .secret(
                    side,
                    SessionSecret(
                        label: secret.label, clientRandom: secret.clientRandom,
                        secret: [UInt8](repeating: 7, count: secret.secret.count)))
            })
        #expect(found == [.serverFinished, .sealedRecords])
    }

    @Test func aConnectionLeftOut() throws {
        #expect(try failures { events in events.removeAll { $0.connection == 2 } } == [.completeness])
    }

    /// What only something outside the file finds: a connection is left out, and the end says so.
    @Test func onlyADigestKeptElsewhereFindsAPerfectForgery() throws {
        let kept = whole.summary.closingDigest
        let forge: (inout [Event]) -> Void = { events in
            events.removeAll { $0.connection == 2 }
            events[events.count - 1].kind = .runEnded(RunEnded(connections: 2, lost: 0))
        }
        #expect(try recording.check(forging: forge).failed == [])
        #expect(try recording.check(forging: forge, digest: kept).failed == [.closingDigest])
        #expect(try recording.check(digest: kept).summary.rows[.closingDigest]?.proven == 1)
        #expect(try recording.check().summary.rows[.closingDigest]?.notProven == 1)
    }

    /// Events that are missing make nothing false.
    @Test func aGapExcuses() throws {
        let checked = try recording.check { events in
            guard let index = events.firstIndex(where: { isMessage($0.kind, 11) }) else { return }
            events[index] = Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1))
        }
        #expect(checked.failed == [])
        #expect(checked.connections[0].incompleteness?.hasPrefix("events are missing before line") == true)
        #expect(checked.summary.incomplete == 1)
    }
}

extension Recording {
    fileprivate func check(_ change: (inout [Event]) -> Void) throws -> Checked { try check(forging: change) }
}
