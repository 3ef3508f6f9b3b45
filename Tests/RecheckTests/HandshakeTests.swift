import Crypto
import Recheck
import Testing
import Transcript
import Wire

/// Handshakes between sessions of OpenSSL's: all that they sign and authenticate is proven from their transcripts.
@Suite struct HandshakeTests {
    /// What a complete handshake proves in any case.
    static let always: [Claim.Kind] = [
        .chain, .chainSignatures, .hello, .fingerprints, .parameters, .plainRecords, .verdict,
    ]

    private func expectProven(
        _ checked: Checked, and kinds: [Claim.Kind], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for kind in Self.always + kinds {
            #expect(checked.proves(kind), "\(kind): \(checked.results(kind))", sourceLocation: sourceLocation)
        }
        #expect(checked.summary.failures == [], sourceLocation: sourceLocation)
    }

    enum Key: String, CaseIterable, Sendable {
        case rsa, p256, p384, ed25519, ed448, pss

        func make() throws -> PrivateKey {
            switch self {
            case .rsa: try .generate(.rsa(2048))
            case .p256: try .generate(.p256)
            case .p384: try KeyFile.make("-algorithm EC -pkeyopt ec_paramgen_curve:P-384")
            case .ed25519: try .generate(.ed25519)
            case .ed448: try KeyFile.make("-algorithm ED448")
            case .pss: try KeyFile.make("-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048")
            }
        }
    }

    @Test(arguments: Key.allCases, [UInt16(0x0303), 0x0304])
    func everyKindOfKey(_ key: Key, _ version: UInt16) throws {
        let recording = try Recording()
        var settings = Recording.Settings(version: version, identity: try recording.server(key: key.make()))
        settings.offering = ["h2", "http/1.1"]
        settings.agreeing = "h2"
        settings = settings.withEverything
        try recording.connect(settings)
        try recording.connectToOrigin(settings)
        let checked = try recording.check()
        expectProven(
            checked, and: [.serverSignature, .serverFinished, .clientFinished, .authority, .sealedRecords])
        #expect(checked.results(.serverSignature).count == 2)
    }

    /// What a recorder keeps without being asked for more.
    @Test func theSecretsThatAreAlwaysRecordedProveTLS13() throws {
        let recording = try Recording()
        try recording.connect()
        try recording.connectToOrigin()
        expectProven(
            try recording.check(), and: [.serverSignature, .serverFinished, .clientFinished, .sealedRecords])
    }

    @Test(arguments: [UInt16(0x0303), 0x0304]) func withoutSecretsFinishedIsNotProven(_ version: UInt16) throws {
        let recording = try Recording()
        try recording.connect(Recording.Settings(version: version, secrets: { _ in false }))
        let checked = try recording.check()
        expectProven(checked, and: [.serverSignature])
        let reason: String =
            version == 0x0304
            ? "no CLIENT_HANDSHAKE_TRAFFIC_SECRET is recorded for this session"
            : "no master secret is recorded: TLS 1.2's opens application data too, so that only --capture wire records it"
        #expect(checked.results(.clientFinished) == [.notProven(reason)])
        #expect(checked.results(.sealedRecords) == [.notProven(reason)])
    }

    @Test(arguments: [
        "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305",
        "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA", "DHE-RSA-AES128-GCM-SHA256",
        "DHE-RSA-AES256-GCM-SHA384", "DHE-RSA-AES128-SHA",
    ]) func everyKindOfSuiteWithRSA(_ suite: String) throws {
        let recording = try Recording()
        var settings = Recording.Settings(identity: try recording.server(key: .generate(.rsa(2048)))).withEverything
        settings.clients = try .oldClient(trust: nil, suites: suite)
        settings.servers = try .server(.legacy)
        try recording.connect(settings)
        let checked = try recording.check()
        expectProven(checked, and: [.serverSignature, .serverFinished, .clientFinished])
        let isOpened = suite.contains("GCM") || suite.contains("CHACHA20")
        #expect(
            checked.results(.sealedRecords)
                == [isOpened ? .proven : .notProven("records of this cipher suite are not opened")])
    }

    @Test(arguments: [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
        "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA",
    ]) func everyKindOfSuiteWithACurve(_ suite: String) throws {
        let recording = try Recording()
        var settings = Recording.Settings().withEverything
        settings.clients = try .oldClient(trust: nil, suites: suite)
        settings.servers = try .server(.legacy)
        try recording.connect(settings)
        expectProven(try recording.check(), and: [.serverSignature, .serverFinished, .clientFinished])
    }

    @Test(arguments: ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES256-SHA256", "AES128-SHA"])
    func withStaticRSAOnlyFinishedProvesTheKey(_ suite: String) throws {
        let recording = try Recording()
        var settings = Recording.Settings(identity: try recording.server(key: .generate(.rsa(2048)))).withEverything
        settings.clients = try .oldClient(trust: nil, suites: suite)
        settings.servers = try .server(.legacy)
        try recording.connect(settings)
        let checked = try recording.check()
        expectProven(checked, and: [.serverFinished, .clientFinished])
        #expect(checked.results(.serverSignature).count == 1)
        #expect(checked.results(.serverSignature)[0].reason?.contains("signs nothing") == true)
    }

    @Test func aSecondHelloThatWasAskedFor() throws {
        let recording = try Recording()
        var settings = Recording.Settings()
        settings.servers = try .choosyServer(groups: "P-384")
        try recording.connect(settings)
        try recording.connectToOrigin(settings)
        let checked = try recording.check()
        let hellos = recording.events.count { event in
            if case .message(_, _, let bytes, _) = event.kind { bytes.first == 1 } else { false }
        }
        #expect(hellos == 4)
        expectProven(checked, and: [.serverSignature, .serverFinished, .clientFinished, .sealedRecords])
    }

    @Test(arguments: [Key.rsa, .p256, .p384, .ed25519], [UInt16(0x0303), 0x0304])
    func clientsProveTheirKeysToo(_ key: Key, _ version: UInt16) throws {
        let recording = try Recording()
        var template = CertificateTemplate(
            subject: [("CN", "app")], notBefore: Recording.now - 10, notAfter: Recording.now + 10)
        template.purposes = [.clientAuth]
        var settings = Recording.Settings(version: version).withEverything
        settings.clientIdentity = try template.identity(key: key.make(), issuer: recording.authority)
        try recording.connect(settings)
        try recording.connectToOrigin(settings)
        let checked = try recording.check()
        expectProven(
            checked, and: [.serverSignature, .clientSignature, .serverFinished, .clientFinished, .identity])
        #expect(checked.results(.clientSignature).count == 2)
    }

    /// The verdict of a rejecting client rests on an alert, which is in a record.
    @Test(arguments: [UInt16(0x0303), 0x0304]) func theAlertOfAClientThatRejects(_ version: UInt16) throws {
        let recording = try Recording()
        try recording.connect(
            Recording.Settings(version: version, verify: .custom { _ in .reject(alert: 46) }))
        let checked = try recording.check()
        for kind in [Claim.Kind.alerts, .verdict, .serverSignature, .plainRecords] {
            #expect(checked.proves(kind), "\(kind): \(checked.results(kind))")
        }
        #expect(checked.summary.failures == [])
        let verdicts = recording.events.compactMap { event in
            if case .verdict(let verdict) = event.kind { verdict.name } else { nil }
        }
        #expect(verdicts == ["rejected"])
    }

    /// With --capture wire what follows the handshake can be proven as well: here a farewell, encrypted.
    @Test(arguments: [UInt16(0x0303), 0x0304])
    func whatFollowsTheHandshakeIsProvenIfItIsRecorded(_ version: UInt16) throws {
        for recordsTraffic in [true, false] {
            let recording = try Recording()
            let plain = Recording.Settings(version: version)
            try recording.connect(recordsTraffic ? plain.withEverything : plain) { client, _, wires in
                client.sendCloseNotify()
                wires.settle()
            }
            let checked = try recording.check()
            #expect(checked.summary.failures == [])
            #expect(
                checked.results(.alerts)
                    == (recordsTraffic
                        ? [.proven]
                        : [
                            .notProven(
                                "it came after the handshake: such records are recorded with --capture wire")
                        ]))
        }
    }
}
