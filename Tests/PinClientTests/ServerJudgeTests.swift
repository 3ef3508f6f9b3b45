import Crypto
import PinClient
import Pinning
import Testing
import Wire

/// What an app's platform adds to the verdict of its library.
@Suite(.timeLimit(.minutes(5))) struct ServerJudgeTests {
    private let test: TestLoop
    private let chain: TestChain

    init() throws {
        test = try TestLoop()
        chain = try TestChain()
    }

    private func judge(
        _ policy: any PinningPolicy = AFSecurityPolicy(), _ transportSecurity: TransportSecurity? = TransportSecurity()
    ) throws -> ServerJudge {
        ServerJudge(
            policy: policy, trust: PathBuilder(platform: try TrustStore(anchors: [chain.root])),
            transportSecurity: transportSecurity)
    }

    private func check(_ judge: ServerJudge, maximumVersion: UInt16? = nil) async throws -> CheckResult {
        let server = try await TestServer.start(on: test, chain.server, maximumVersion: maximumVersion)
        var check = Check(url: try CheckURL("https://\(testHost)/"), judge: judge, time: testTime)
        check.override = { _ in server.address }
        return try await check.run(on: test.loop)
    }

    private func saved(_ judge: ServerJudge, _ sent: [Certificate], host: String = testHost) -> CheckResult {
        judge.judgeOffline(
            ServerTrust(
                sent: sent.map(CertificateFacts.init), host: HostName(host), spelling: host, time: testTime))
    }

    @Test("PS-6.2: App Transport Security refuses after the handshake, before the request")
    func oldVersion() async throws {
        let least = TransportSecurity(exceptions: [testHost: .init(leastVersion: 0x0304)])
        let refused = try await check(try judge(AFSecurityPolicy(), least), maximumVersion: 0x0303)
        #expect(refused.verdict?.decision == .reject)
        #expect(
            refused.verdict?.reason.kind == .transportSecurity(.versionTooOld(0x0303, least: 0x0304)))
        #expect(refused.isAccepted == false)
        #expect(refused.response == nil)
        #expect(refused.verdict?.path.count == 2)

        let accepted = try await check(try judge(AFSecurityPolicy(), least))
        #expect(accepted.verdict?.decision == .accept)
        #expect(accepted.response?.status == 200)
    }

    @Test("PS-6.2: without TLS App Transport Security forbids what it is not told to allow")
    func withoutTLS() async throws {
        var check = Check(
            url: try CheckURL("http://\(testHost)/", allowsPlain: true), judge: try judge(), time: testTime)
        let refused = try await check.run(on: test.loop)
        #expect(refused.verdict?.decision == .reject)
        #expect(refused.verdict?.reason.kind == .transportSecurity(.notSecure))

        check.judge = try judge(AFSecurityPolicy(), TransportSecurity(allowsArbitraryLoads: true))
        let allowed = try await check.run(on: test.loop)
        #expect(allowed.verdict?.decision == .default)
        #expect(allowed.isAccepted == false)
    }

    @Test("A saved chain is judged like a live one; what a connection would show is named as not checked")
    func offline() throws {
        let accepted = saved(try judge(), [chain.leaf])
        #expect(accepted.verdict?.decision == .accept)
        #expect(accepted.isAccepted)
        #expect(accepted.notChecked.map(\.rule) == [RuleID("PS-6.2")])
        #expect(saved(try judge(AFSecurityPolicy(), nil), [chain.leaf]).notChecked.isEmpty)

        let other = saved(try judge(), [chain.leaf], host: "other.test")
        #expect(other.verdict?.decision == .reject)
        #expect(!other.isAccepted)
        #expect(saved(try judge(), []).verdict?.decision == .reject)
    }

    @Test("What a library leaves to the platform is accepted if the platform validates it")
    func leftToPlatform() throws {
        let session = Alamofire5Session(evaluators: nil)
        let valid = saved(try judge(session), [chain.leaf])
        #expect(valid.verdict?.decision == .default)
        #expect(valid.platform?.valid == true)
        #expect(valid.isAccepted)
        let invalid = saved(try judge(session), [chain.leaf], host: "other.test")
        #expect(invalid.verdict?.decision == .default)
        #expect(invalid.platform?.errors.map(\.kind) == [.hostMismatch])
        #expect(!invalid.isAccepted)
    }

    @Test("PS-4-3: what OkHttp leaves unpinned was validated before: the name without its dot counts")
    func leftAfterValidation() throws {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(3, 13, 1),
            entries: [.init(pattern: testHost, pins: ["sha256/\(Base64.encode([UInt8](repeating: 0, count: 32)))"])],
            runtime: .jvm(trustRoots: [CertificateFacts(chain.root)]))
        let dotted = saved(try judge(pinner, nil), [chain.leaf], host: testHost + ".")
        #expect(dotted.verdict?.decision == .default)
        #expect(dotted.isAccepted)
        #expect(saved(try judge(pinner, nil), [chain.leaf]).verdict?.decision == .reject)
    }

    @Test("A policy that cannot work is no verdict about the chain")
    func configurationError() throws {
        let result = saved(try judge(AFSecurityPolicy(mode: .certificate)), [chain.leaf])
        #expect(result.verdict?.decision == .configError)
        #expect(!result.isAccepted)
    }
}
