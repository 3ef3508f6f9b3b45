import Crypto
import PinClient
import Pinning
import Reactor
import Testing
import Wire

/// Servers that do not do what they should.
@Suite(.timeLimit(.minutes(5))) struct CheckFailureTests {
    private let test: TestLoop
    private let chain: TestChain
    /// Short for what is to run out, long for the rest.
    private static let impatient = CheckLimits(handshake: .milliseconds(50), answer: .milliseconds(50))

    init() throws {
        test = try TestLoop()
        chain = try TestChain()
    }

    private func result(
        _ conduct: TestServer.Conduct, limits: CheckLimits = CheckLimits()
    ) async throws -> CheckResult {
        let server = try await TestServer.start(on: test, chain.server, conduct)
        let check = try Check(AFSecurityPolicy(), trusting: [chain.root], at: server.address, limits: limits)
        return try await check.run(on: test.loop)
    }

    @Test func garbageInsteadOfTLS() async throws {
        let result = try await result(.insteadOfTLS(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)))
        #expect(result.verdict == nil)
        #expect(result.failure?.party == .origin)
        #expect(result.failure?.phase == .handshake)
        #expect(result.failure?.kind == .tls(.notTLS))
    }

    @Test("Noise of any kind ends in a failure, and in nothing worse")
    func noise() async throws {
        for length in 1...60 {
            var bytes = (0..<length * 7).map { _ in UInt8.random(in: .min ... .max) }
            // Every second time it begins like a handshake record, so that it is looked at more closely.
            if length.isMultiple(of: 2) { bytes.replaceSubrange(0..<5, with: [22, 3, 3, 0, UInt8(length)]) }
            let result = try await result(.insteadOfTLS(bytes))
            #expect(result.failure?.phase == .handshake, "\(bytes)")
            #expect(result.verdict == nil, "\(bytes)")
        }
    }

    @Test func alertInsteadOfAHandshake() async throws {
        // A fatal handshake_failure in a record of TLS 1.2.
        let result = try await result(.insteadOfTLS([21, 3, 3, 0, 2, 2, 40]))
        #expect(result.failure?.kind == .tls(.peerAlert(40)))
        #expect(result.failure?.phase == .handshake)
    }

    @Test func closedDuringTheHandshake() async throws {
        let result = try await result(.closeAtOnce)
        #expect(result.failure?.kind == .ended)
        #expect(result.failure?.phase == .handshake)
        #expect(result.verdict == nil)
    }

    @Test func stalledHandshake() async throws {
        let result = try await result(.neverShakeHands, limits: Self.impatient)
        #expect(result.failure?.kind == .timeout)
        #expect(result.failure?.phase == .handshake)
    }

    @Test("A verdict stands, whatever comes after it")
    func stalledAnswer() async throws {
        let result = try await result(.neverAnswer, limits: CheckLimits(answer: .milliseconds(50)))
        #expect(result.verdict?.decision == .accept)
        #expect(result.failure?.kind == .timeout)
        #expect(result.failure?.phase == .answer)
        #expect(result.response == nil)
    }

    @Test func closedWithoutAnAnswer() async throws {
        let result = try await result(.closeAfterHandshake)
        #expect(result.verdict?.decision == .accept)
        #expect(result.failure?.kind == .ended)
        #expect(result.failure?.phase == .answer)
    }

    @Test func answerThatIsNotHTTP() async throws {
        let result = try await result(.answer("220 mail.example.com ESMTP\r\n"))
        #expect(result.failure?.kind == .notHTTP)
        #expect(result.failure?.phase == .answer)
    }

    @Test(
        "The head of an answer is bounded, also that of many interim answers",
        arguments: [
            Repetition("HTTP/1.1 200 OK\r\nX-Long: ", "x", 70_000, "\r\n\r\n"),
            Repetition("HTTP/1.1 200 OK\r\n", "X-Many: x\r\n", 7_000),
            Repetition("", "HTTP/1.1 100 Continue\r\n\r\n", 3_000),
        ])
    func hugeHead(answer: Repetition) async throws {
        let result = try await result(.answer(answer.text))
        #expect(result.failure?.kind == .answerTooLarge)
        #expect(result.verdict?.decision == .accept)
    }

    @Test func nobodyListens() async throws {
        let port = try #require(ReservedPort(0))
        let check = try Check(AFSecurityPolicy(), trusting: [chain.root], at: #require(port.address))
        let failure = try await check.run(on: test.loop).failure
        withExtendedLifetime(port) {}
        #expect(failure?.kind == .notConnected)
        #expect(failure?.phase == .connecting)
        #expect(failure?.party == .origin)
    }

    @Test func nameThatDoesNotExist() async throws {
        var check = try Check(AFSecurityPolicy(), trusting: [chain.root], at: .anyLoopbackPort)
        check.url = try CheckURL("https://api.invalid/")
        let failure = try await check.run(on: test.loop).failure
        #expect(failure?.kind == .notResolved)
        #expect(failure?.phase == .resolving)
        #expect(failure?.party == .origin)
    }
}

/// Checks through a proxy, good and bad.
@Suite(.timeLimit(.minutes(5))) struct CheckProxyTests {
    private let test: TestLoop
    private let chain: TestChain

    init() throws {
        test = try TestLoop()
        chain = try TestChain()
    }

    private func result(
        _ conduct: TestProxy.Conduct, trusting anchors: [Certificate]? = nil, limits: CheckLimits = CheckLimits()
    ) async throws -> (result: CheckResult, proxy: TestProxy) {
        let proxy = try await TestProxy.start(on: test, conduct)
        let endpoint = try #require(Endpoint("proxy.pinproof.test:8080"))
        let check = try Check(
            AFSecurityPolicy(), trusting: anchors ?? [chain.root], at: proxy.address, proxy: endpoint,
            limits: limits)
        return (try await check.run(on: test.loop), proxy)
    }

    @Test func tunnel() async throws {
        let server = try await TestServer.start(on: test, chain.server)
        let (result, proxy) = try await result(.tunnel(to: server.address))
        #expect(
            await proxy.nextHead()
                == "CONNECT api.pinproof.test:443 HTTP/1.1\r\nHost: api.pinproof.test:443\r\n\r\n")
        #expect(result.proxyResponse?.statusLine == "HTTP/1.1 200 Connection established")
        #expect(result.verdict?.decision == .accept)
        #expect(result.response?.status == 200)
        #expect(result.failure == nil)
    }

    @Test("An interim answer to CONNECT is not the answer; a body that 200 announces does not exist")
    func oddAnswersToConnect() async throws {
        let server = try await TestServer.start(on: test, chain.server)
        let answer = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let (result, _) = try await result(.tunnel(to: server.address, answer: answer))
        #expect(result.response?.status == 200)
    }

    @Test func rejectionThroughTheTunnel() async throws {
        let server = try await TestServer.start(on: test, chain.server)
        let (result, _) = try await result(.tunnel(to: server.address), trusting: [])
        #expect(result.verdict?.decision == .reject)
        #expect(result.failure == nil)
        #expect(await server.nextRecord() == ServerRecord(alerts: [48]))
    }

    @Test(
        "A proxy that refuses is reported with its status line",
        arguments: [
            "HTTP/1.1 502 Bad Gateway\r\n\r\n", "HTTP/1.0 407 Proxy Authentication Required\r\n\r\n<html>",
            "HTTP/1.1 302\r\n\r\n",
        ])
    func refusal(answer: String) async throws {
        let (result, _) = try await result(.answer(Array(answer.utf8)))
        let statusLine = String(answer.prefix { $0 != "\r\n" })
        #expect(result.proxyResponse?.statusLine == statusLine)
        #expect(result.failure?.kind == .proxyRefused(status: try #require(result.proxyResponse?.status)))
        #expect(result.failure?.party == .proxy)
        #expect(result.failure?.detail == "the proxy answered CONNECT with \(statusLine)")
        #expect(result.verdict == nil)
    }

    @Test(
        "A proxy that says why it refuses is quoted",
        arguments: [
            ("Content-Length: 37\r\n\r\npinproof: no such host\nTo mend it: x\n", ": no such host; To mend it: x"),
            // A page for browsers is nothing to quote, and a length that never comes ends with the connection.
            ("Content-Length: 6\r\n\r\n<html>", ""), ("Content-Length: 9999\r\n\r\nbusy", ": busy"),
        ])
    func refusalWithReason(rest: String, shown: String) async throws {
        let (result, _) = try await result(.answer(Array("HTTP/1.1 502 Bad Gateway\r\n\(rest)".utf8)))
        #expect(result.failure?.kind == .proxyRefused(status: 502))
        #expect(result.failure?.detail == "the proxy answered CONNECT with HTTP/1.1 502 Bad Gateway\(shown)")
    }

    @Test(
        "A proxy that does not speak HTTP",
        arguments: [
            (Repetition("\u{5}\u{0}"), .notHTTP), (Repetition("220 hello\r\n\r\n"), .notHTTP),
            (Repetition(""), .ended), (Repetition("HTTP/1.1 200 OK\r\n"), .ended),
            (Repetition("", "HTTP/1.1 100 Continue\r\n\r\n", 10), .ended),
            (Repetition("HTTP/1.1 200 OK\r\nX: ", "x", 70_000), .answerTooLarge),
            (Repetition("", "HTTP/1.1 100 Continue\r\n\r\n", 3_000), .answerTooLarge),
        ] as [(Repetition, CheckFailure.Kind)])
    func garbage(answer: Repetition, kind: CheckFailure.Kind) async throws {
        let (result, _) = try await result(.answer(Array(answer.text.utf8)))
        #expect(result.failure?.kind == kind)
        #expect(result.failure?.phase == .tunnelling)
        #expect(result.failure?.party == .proxy)
        #expect(result.proxyResponse == nil)
    }

    @Test func silence() async throws {
        let (result, _) = try await result(.silence, limits: CheckLimits(tunnelling: .milliseconds(50)))
        #expect(result.failure?.kind == .timeout)
        #expect(result.failure?.phase == .tunnelling)
        #expect(result.failure?.party == .proxy)
    }

    @Test("What follows the answer to CONNECT at once belongs to the tunnel")
    func earlyBytes() async throws {
        let (result, _) = try await result(.answer(Array("HTTP/1.1 200 OK\r\n\r\n220 hello, too early\r\n".utf8)))
        #expect(result.proxyResponse?.status == 200)
        #expect(result.failure?.kind == .tls(.notTLS))
        #expect(result.failure?.party == .originOrProxy)
    }

    @Test("Behind a tunnel it cannot be told who is at fault")
    func garbageInTheTunnel() async throws {
        let server = try await TestServer.start(on: test, chain.server, .insteadOfTLS([0, 1, 2, 3, 4]))
        let (result, _) = try await result(.tunnel(to: server.address))
        #expect(result.failure?.party == .originOrProxy)
        #expect(result.failure?.phase == .handshake)
        #expect(result.proxyResponse?.status == 200)
    }
}

/// A text that is long, and yet short to print.
struct Repetition: Sendable, CustomTestStringConvertible {
    let text: String
    let testDescription: String

    init(_ start: String, _ repeated: String = "", _ count: Int = 0, _ end: String = "") {
        text = start + String(repeating: repeated, count: count) + end
        testDescription = "\(start)\(count)x(\(repeated))\(end)".debugDescription
    }
}
