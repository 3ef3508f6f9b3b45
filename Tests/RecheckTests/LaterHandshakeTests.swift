import Crypto
import Recheck
import Testing
import Transcript
import Wire

/// What a server may ask for once the first handshake of a session is over.
@Suite struct LaterHandshakeTests {
    private func app(of recording: Recording) throws -> TLSIdentity {
        var template = CertificateTemplate(
            subject: [("CN", "app")], notBefore: Recording.now - 10, notAfter: Recording.now + 10)
        template.purposes = [.clientAuth]
        return try template.identity(issuer: recording.authority)
    }

    /// RFC 8446 section 4.6.2; with the client's keys as they are, and renewed once.
    @Test(arguments: [false, true]) func authenticationAfterAHandshakeOfTLS13(_ renewsKeys: Bool) throws {
        let recording = try Recording()
        var settings = Recording.Settings(offersLateAuthentication: true).withEverything
        settings.lateIdentity = try app(of: recording)
        try recording.connectToOrigin(settings) { _, server, wires in
            if renewsKeys {
                server.updateKeys()
                wires.settle()
            }
            #expect(server.requestLateAuthentication())
            wires.settle()
            #expect(server.peerChain.count == 1)
        }
        let checked = try recording.check()
        #expect(checked.summary.failures == [])
        #expect(checked.results(.clientSignature) == [.proven])
        #expect(checked.results(.clientFinished) == [.proven, .proven])
        #expect(checked.proves(.sealedRecords), "\(checked.results(.sealedRecords))")
    }

    @Test func withoutTheLaterSecretsOnlyTheSignatureIsProven() throws {
        let recording = try Recording()
        var settings = Recording.Settings(offersLateAuthentication: true)
        settings.lateIdentity = try app(of: recording)
        try recording.connectToOrigin(settings) { _, server, wires in
            #expect(server.requestLateAuthentication())
            wires.settle()
        }
        let checked = try recording.check()
        #expect(checked.summary.failures == [])
        #expect(checked.results(.clientSignature) == [.proven])
        #expect(
            checked.results(.clientFinished) == [
                .proven,
                .notProven(
                    "no CLIENT_TRAFFIC_SECRET_0 is recorded for this session; it is recorded with --capture wire"),
            ])
    }

    /// RFC 5246 section 7.4.1.1: a handshake within the session, with another certificate.
    @Test func aFurtherHandshakeOfTLS12() throws {
        let recording = try Recording()
        let other = try recording.server()
        try recording.connectToOrigin(Recording.Settings(version: 0x0303).withEverything) { _, server, wires in
            try? server.replaceIdentity(with: other)
            server.requestRenegotiation()
            wires.settle()
        }
        let hellos = recording.events.count { event in
            if case .message(_, _, let bytes, _) = event.kind { bytes.first == 1 } else { false }
        }
        #expect(hellos == 2)
        let checked = try recording.check()
        #expect(checked.summary.failures == [])
        #expect(checked.results(.serverSignature) == [.proven, .proven])
        #expect(checked.results(.serverFinished) == [.proven, .proven])
        #expect(checked.results(.clientFinished) == [.proven, .proven])
        // The records of the first handshake's keys are opened, and not those of the second.
        #expect(checked.results(.sealedRecords) == [.notProven("the keys of a further handshake are not followed")])
    }
}
