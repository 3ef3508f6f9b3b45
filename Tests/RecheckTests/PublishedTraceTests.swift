import Recheck
import Testing
import Transcript
import Wire

/// A handshake that others have published: neither it nor its secrets were made with the code under test.
@Suite struct PublishedTraceTests {
    private func record(_ bytes: [UInt8], version: UInt8) -> [UInt8] {
        [22, 3, version, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    private func events(_ change: (inout [Event.Kind]) -> Void = { _ in }) throws -> [UInt8] {
        let random = Array(PublishedTrace.clientHello[6..<38])
        func secret(_ label: String, _ secret: [UInt8]) -> Event.Kind {
            .secret(.client, SessionSecret(label: label, clientRandom: random, secret: secret))
        }
        var kinds: [Event.Kind] = [
            .opened(client: "", listener: ""),
            .message(.client, .received, PublishedTrace.clientHello),
            .wire(.client, .received, record(PublishedTrace.clientHello, version: 1)),
            .message(.client, .sent, PublishedTrace.serverHello),
            secret("SERVER_HANDSHAKE_TRAFFIC_SECRET", PublishedTrace.serverSecret),
            secret("CLIENT_HANDSHAKE_TRAFFIC_SECRET", PublishedTrace.clientSecret),
            .message(.client, .sent, PublishedTrace.encryptedExtensions),
            .message(.client, .sent, PublishedTrace.certificate),
            .message(.client, .sent, PublishedTrace.certificateVerify),
            .message(.client, .sent, PublishedTrace.serverFinished),
            .wire(
                .client, .sent, record(PublishedTrace.serverHello, version: 3) + PublishedTrace.serverRecord),
            .message(.client, .received, PublishedTrace.clientFinished),
            .wire(.client, .received, PublishedTrace.clientRecord),
            .closed(
                Closed(
                    by: .client, phase: .relay, client: nil, origin: nil, clientBytes: 0, originBytes: 0,
                    nanoseconds: 0)),
        ]
        change(&kinds)
        let run = RunStarted(tool: "", openssl: "", listeners: [], authorities: [])
        let events =
            [Event(connection: nil, monotonic: 0, wall: 0, kind: .runStarted(run))]
            + kinds.map { Event(connection: 1, monotonic: 0, wall: 0, kind: $0) }
        return Recording.file(Recording.lines(events))
    }

    private let rules: [Claim.Kind] = [
        .serverSignature, .serverFinished, .clientFinished, .plainRecords, .sealedRecords,
    ]

    /// The trace is of the handshake alone: of what a proxy does besides nothing is published.
    private let notRecorded: Set<Claim.Kind> = [.course]

    @Test func isProven() throws {
        let checked = try Checked(events())
        for rule in rules { #expect(checked.proves(rule), "\(rule)") }
        #expect(checked.failed.subtracting(notRecorded) == [])
    }

    /// One bit of the message that is named changes.
    @Test(arguments: [
        (6, [Claim.Kind.sealedRecords, .serverSignature, .serverFinished, .clientFinished]),
        (9, [.sealedRecords, .serverFinished, .clientFinished]),
        (11, [.sealedRecords, .clientFinished]),
    ])
    func isFalseWhereAMessageIsChanged(_ index: Int, _ expected: [Claim.Kind]) throws {
        let checked = try Checked(
            events { kinds in
                guard case .message(let side, let direction, var bytes, _) = kinds[index] else { return }
                bytes[bytes.count - 1] ^= 1
                kinds[index] = .message(side, direction, bytes)
            })
        #expect(checked.failed.subtracting(notRecorded) == Set(expected))
    }

    @Test func isFalseWithAnotherSecret() throws {
        let checked = try Checked(
            events { kinds in
                guard case .secret(let side, let secret) = kinds[5] else { return }
                kinds[5] = .secret(
                    side,
                    SessionSecret(
                        label: secret.label, clientRandom: secret.clientRandom, secret: PublishedTrace.serverSecret))
            })
        #expect(checked.failed.subtracting(notRecorded) == [.clientFinished, .sealedRecords])
        #expect(
            checked.results(.sealedRecords) == [.failed("a received record does not open with the recorded secret")])
    }
}
