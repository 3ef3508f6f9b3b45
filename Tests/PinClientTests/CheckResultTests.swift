import Crypto
import PinClient
import Pinning
import Reactor
import Testing
import Wire

/// What a check reports apart from the decision.
@Suite(.timeLimit(.minutes(5))) struct CheckResultTests {
    private let test: TestLoop
    private let chain: TestChain

    init() throws {
        test = try TestLoop()
        chain = try TestChain()
    }

    private func result(
        _ policy: any PinningPolicy = AFSecurityPolicy(), maximumVersion: UInt16? = nil,
        limits: CheckLimits = CheckLimits(), _ conduct: TestServer.Conduct = TestServer.ok
    ) async throws -> (result: CheckResult, server: TestServer) {
        let server = try await TestServer.start(
            on: test, chain.server, maximumVersion: maximumVersion, conduct)
        let check = try Check(policy, trusting: [chain.root], at: server.address, limits: limits)
        return (try await check.run(on: test.loop), server)
    }

    /// So patient that the suite's time limit would run out first.
    private static let patient = CheckLimits(farewell: .seconds(600))

    @Test("The path is the one that was built, not the one that was sent")
    func pathAsBuilt() async throws {
        let result = try await result().result
        #expect(result.sentChain == [chain.leaf])
        #expect(result.verdict?.path.map(\.der) == [chain.leaf.der, chain.root.der])
        #expect(result.isAccepted)
    }

    @Test("Which pin matched which certificate")
    func match() async throws {
        let pins: [AFSecurityPolicy.Pin] = [
            .init("other.cer", try TestChain().leaf), .init("authority.cer", chain.root),
        ]
        let result = try await result(AFSecurityPolicy(mode: .certificate, pins: pins)).result
        let expected = PinMatch(pin: "authority.cer", certificate: CertificateFacts(chain.root), depth: 1)
        #expect(result.verdict?.match == expected)
    }

    /// A check of the URL's own address, with nothing in the place of DNS.
    private func checkOfURL(_ host: String, at address: SocketAddress) throws -> Check {
        Check(
            url: try CheckURL("https://\(host):\(address.port)/"), policy: AFSecurityPolicy(),
            trust: PathBuilder(platform: try TrustStore(anchors: [chain.root])), time: testTime)
    }

    @Test(
        "PS-0.5-1: an address in the URL is compared with the addresses in the certificate", arguments: [true, false])
    func address(isCertified: Bool) async throws {
        let name = isCertified ? AlternativeName.address([127, 0, 0, 1]) : .dns("127.0.0.1")
        let identity = try chain.identity(for: [name])
        let server = try await TestServer.start(on: test, identity)
        let result = try await checkOfURL("127.0.0.1", at: server.address).run(on: test.loop)
        #expect(result.verdict?.decision == (isCertified ? .accept : .reject))
        let record = try #require(await server.nextRecord())
        #expect(record.requestText.contains("\r\nHost: 127.0.0.1:\(server.address.port)\r\n") == isCertified)
    }

    @Test("If one address of a name does not answer, the next is tried", .enabled(if: SocketAddress.hasIPv6Loopback))
    func nextAddress() async throws {
        let identity = try chain.identity(for: [.dns("localhost")])
        var server = try await TestServer.start(on: test, identity, at: try #require(.ipv6LoopbackPort))
        var silence = ReservedPort(server.address.port)
        // Another test's server may have the port on IPv4.
        while silence == nil {
            server = try await TestServer.start(on: test, identity, at: try #require(.ipv6LoopbackPort))
            silence = ReservedPort(server.address.port)
        }
        let result = try await checkOfURL("localhost", at: server.address).run(on: test.loop)
        #expect(result.response?.status == 200)
        withExtendedLifetime(silence) {}
    }

    @Test("The parameters of the handshake", arguments: [0x0303, 0x0304] as [UInt16])
    func parameters(version: UInt16) async throws {
        let result = try await result(maximumVersion: version).result
        #expect(result.parameters?.version == version)
        #expect(result.parameters?.resumed == false)
        #expect(result.response?.status == 200)
    }

    @Test("TLS 1.2 and 1.3: no request before the verdict", arguments: [0x0303, 0x0304] as [UInt16])
    func nothingBeforeTheVerdict(version: UInt16) async throws {
        let policy = AFSecurityPolicy(mode: .publicKey, pins: [.init("other.cer", try TestChain().leaf)])
        let (result, server) = try await result(policy, maximumVersion: version)
        #expect(result.verdict?.decision == .reject)
        #expect(await server.nextRecord() == ServerRecord(alerts: [42]))
    }

    /// A library that leaves the host to the platform.
    private struct LeavesItToThePlatform: PinningPolicy {
        let configurationProblem: PolicyReason? = nil

        func evaluate(_ server: ServerTrust, using evaluator: any TrustEvaluator) -> PolicyVerdict {
            PolicyVerdict(.default, PolicyReason(.leftToPlatform, rule: RuleID("PS-0.1")))
        }
    }

    @Test("PS-0.1: if the library does not decide, the platform does")
    func platformDecides() async throws {
        let (accepted, _) = try await result(LeavesItToThePlatform())
        #expect(accepted.verdict?.decision == .default)
        #expect(accepted.platform?.valid == true)
        #expect(accepted.response?.status == 200)

        let server = try await TestServer.start(on: test, chain.server)
        let check = try Check(LeavesItToThePlatform(), trusting: [], at: server.address)
        let refused = try await check.run(on: test.loop)
        #expect(refused.verdict?.decision == .default)
        #expect(refused.platform?.errors.map(\.kind) == [.noAnchor])
        #expect(!refused.isAccepted)
        #expect(await server.nextRecord() == ServerRecord(alerts: [48]))
    }

    @Test("PS-1.4: without a usable pin nobody is connected to")
    func configurationError() async throws {
        let file = PinFile(name: "random.cer", contents: [1, 2, 3])
        let policy = AFSecurityPolicy(mode: .certificate, pins: file.pins, allowInvalidCertificates: true)
        let (result, _) = try await result(policy)
        #expect(result.verdict == PolicyVerdict(.configError, PolicyReason(.noUsablePin, rule: RuleID("PS-1.4"))))
        #expect(result.sentChain == [])
        #expect(!result.isAccepted)
    }

    @Test("PS-1.4: a pin that the library stumbles over is never a pass")
    func unusablePin() async throws {
        let pins = PinFile(name: "random.cer", contents: [1, 2, 3]).pins + [.init("leaf.cer", chain.leaf)]
        let (result, server) = try await result(AFSecurityPolicy(mode: .certificate, pins: pins))
        #expect(result.verdict?.decision == .configError)
        #expect(!result.isAccepted)
        #expect(await server.nextRecord()?.request == [])
    }

    @Test("Interim answers are not the answer")
    func interimAnswers() async throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204\r\n\r\n"
        #expect(try await result(AFSecurityPolicy(), .answer(text)).result.response?.statusLine == "HTTP/1.1 204")
    }

    @Test("A check that is cancelled ends, and its connection with it", arguments: [true, false])
    func cancellation(underWay: Bool) async throws {
        let server = try await TestServer.start(on: test, chain.server, .neverShakeHands)
        let check = try Check(AFSecurityPolicy(), trusting: [chain.root], at: server.address)
        let loop = test.loop
        let task = Task { try await check.run(on: loop) }
        if underWay { await server.nextArrival() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        if underWay { #expect(await server.nextRecord() != nil) }
    }

    @Test("The server gets its alert and a proper end, whatever it is still sending")
    func farewellAfterRejection() async throws {
        let policy = AFSecurityPolicy(mode: .publicKey, pins: [.init("other.cer", try TestChain().leaf)])
        let (result, server) = try await result(policy, limits: Self.patient, .flood(300_000))
        #expect(result.verdict?.decision == .reject)
        #expect(await server.nextRecord() == ServerRecord(alerts: [42], isReset: false))
    }

    @Test("A body is not of interest, but no reason to break the connection")
    func farewellAfterAnswer() async throws {
        let body = String(repeating: "x", count: 500_000)
        let (result, server) = try await result(AFSecurityPolicy(), .answer("HTTP/1.1 200 OK\r\n\r\n\(body)"))
        #expect(result.response?.status == 200)
        let record = await server.nextRecord()
        #expect(record?.isReset == false)
        // close_notify.
        #expect(record?.alerts == [0])
    }

    @Test("Nor is a body without end a reason to wait")
    func endlessBody() async throws {
        // More than both kernels' buffers hold.
        let body = String(repeating: "x", count: 12_000_000)
        let conduct = TestServer.Conduct.answer("HTTP/1.1 200 OK\r\n\r\n\(body)")
        let (result, server) = try await result(limits: Self.patient, conduct)
        #expect(result.response?.status == 200)
        #expect(await server.nextRecord()?.isReset == true)
    }

    @Test("A loop that is over checks nothing")
    func stoppedLoop() async throws {
        let loop = try EventLoop.onOwnThread(name: "over")
        loop.stop()
        loop.join()
        let check = try Check(AFSecurityPolicy(), trusting: [], at: .anyLoopbackPort)
        await #expect(throws: CancellationError.self) { try await check.run(on: loop) }
    }
}
