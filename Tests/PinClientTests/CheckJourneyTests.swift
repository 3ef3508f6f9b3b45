import Crypto
import PinClient
import Pinning
import Testing
import Wire

/// Checks that follow redirects: another host is another lookup in the library's own table.
@Suite(.timeLimit(.minutes(5))) struct CheckJourneyTests {
    private let test: TestLoop
    private let chain: TestChain

    init() throws {
        test = try TestLoop()
        chain = try TestChain()
    }

    private static func redirect(to location: String) -> TestServer.Conduct {
        .answer("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }

    /// Visits the tests' host, which redirects; `elsewhere` is another server under another name.
    private func journey(
        _ policy: any PinningPolicy, to location: String, elsewhere: TestServer? = nil,
        _ redirects: RedirectConduct = .urlSession
    ) async throws -> CheckJourney {
        let first = try await TestServer.start(on: test, chain.server, Self.redirect(to: location))
        var check = try Check(policy, trusting: [chain.root], at: first.address)
        let other = elsewhere?.address
        check.override = { $0.host.text == testHost ? first.address : other }
        return try await check.journey(redirects, on: test.loop)
    }

    private func other() async throws -> TestServer {
        try await TestServer.start(on: test, try chain.identity(for: [.dns("other.test")]))
    }

    private func session(_ hosts: [String], allHostsMustBeEvaluated: Bool = true) -> Alamofire5Session {
        let pins = [CertificatePin(name: "leaf", certificate: CertificateFacts(chain.leaf))]
        return Alamofire5Session(
            evaluators: Dictionary(uniqueKeysWithValues: hosts.map { ($0, .publicKeys(pins)) }),
            allHostsMustBeEvaluated: allHostsMustBeEvaluated)
    }

    @Test("PS-2.2: a redirect to a host without an entry is refused, or left to the platform")
    func unmappedHost() async throws {
        let strict = try await journey(session([testHost]), to: "https://other.test/", elsewhere: try await other())
        #expect(strict.stops.map(\.url.endpoint.host.text) == [testHost, "other.test"])
        #expect(strict.stops.map(\.result.verdict?.decision) == [.accept, .reject])
        #expect(strict.result.verdict?.reason.kind == .alamofire(.hostNotMapped("other.test")))
        #expect(strict.result.response == nil)

        let loose = session([testHost], allHostsMustBeEvaluated: false)
        let passed = try await journey(loose, to: "https://other.test/", elsewhere: try await other())
        #expect(passed.stops.map(\.result.verdict?.decision) == [.accept, .default])
        #expect(passed.result.platform?.valid == true)
        #expect(passed.result.response?.status == 200)
        #expect(passed.ending == .arrived)
    }

    @Test("PS-7-2: curl applies the same pin to the host that it is redirected to")
    func samePinElsewhere() async throws {
        let pin = "sha256//\(Base64.encode(CertificateFacts(chain.leaf).details.spkiSHA256))"
        let policy = CurlPolicy(pin: CurlPublicKeyPin(pin) { _ in nil })
        let journey = try await journey(policy, to: "https://other.test/", elsewhere: try await other())
        #expect(journey.stops.map(\.result.verdict?.decision) == [.accept, .reject])
        #expect(journey.result.verdict?.reason.kind == .leafKeyNotPinned)
    }

    @Test("A refusal is followed nowhere, and nobody else is asked")
    func refusedFirst() async throws {
        let journey = try await journey(session([]), to: "https://other.test/")
        #expect(journey.stops.count == 1)
        #expect(journey.result.verdict?.decision == .reject)
    }

    @Test("A server that redirects to itself comes to an end")
    func endless() async throws {
        let journey = try await journey(
            AFSecurityPolicy(), to: "https://\(testHost)/again", RedirectConduct(limit: 3, changesScheme: true))
        #expect(journey.stops.count == 4)
        #expect(journey.ending == .tooManyRedirects(limit: 3))
        #expect(journey.stops.map(\.url.target) == ["/path?query", "/again", "/again", "/again"])
    }

    @Test("PS-5-6: a redirect to http ends at a platform that forbids cleartext")
    func cleartext() async throws {
        let policy = NetworkSecurityPolicy(
            nil, application: AndroidApplication(targetSDK: 28),
            device: AndroidDevice(systemAuthorities: [CertificateFacts(chain.root)]))
        let journey = try await journey(policy, to: "http://other.test/")
        #expect(journey.stops.map(\.result.verdict?.decision) == [.accept, .reject])
        #expect(journey.result.verdict?.reason.kind == .cleartextForbidden("other.test"))
        #expect(journey.result.verdict?.reason.rule == RuleID("PS-5-6"))

        let older = NetworkSecurityPolicy(
            nil, application: AndroidApplication(targetSDK: 27),
            device: AndroidDevice(systemAuthorities: [CertificateFacts(chain.root)]))
        let passed = try await self.journey(older, to: "http://other.test/")
        #expect(passed.result.verdict?.decision == .default)
        #expect(passed.result.verdict?.reason.kind == .noCertificateToEvaluate)
        #expect(passed.result.isAccepted == false)
    }
}
