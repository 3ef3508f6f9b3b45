public import Crypto
public import Pinning
public import Reactor
public import Wire

/// The companion client: fetches one URL under a pinning policy, and says what the policy decides and why.
///
/// The policy is the judge inside the TLS handshake, so that no byte of the request leaves before its verdict: a server
/// that is refused gets an alert and nothing else.
public struct Check: Sendable {
    /// What to fetch.
    public var url: CheckURL
    /// Who decides about the server.
    public var judge: ServerJudge
    /// The certificates that a user or an administrator told the device to trust.
    public var userAnchors: [CertificateFacts] = []
    /// When the certificates must be valid, in seconds since 1970-01-01 UTC.
    public var time: Int64
    /// The HTTP proxy to go through; nil for none.
    public var proxy: Endpoint?
    /// Addresses to connect to instead of asking DNS, for the proxy if there is one, else for the server.
    public var override: @Sendable (Endpoint) -> SocketAddress? = { _ in nil }
    /// What the app whose policy this is does with its client identity.
    ///
    /// The policy's verdict does not depend on it. Whoever presents an identity in the handshake goes by it: to nobody,
    /// to a server that asks (the leaf alone or with its chain), or to anybody, since the identity is then the answer
    /// to the challenge about the server too.
    public var identityConduct = IdentityConduct.never
    /// The app's client identity; nil for none.
    public var identity: TLSIdentity?
    /// How long each phase may take.
    public var limits = CheckLimits()

    /// Describes a direct check with the usual limits.
    public init(url: CheckURL, judge: ServerJudge, time: Int64) {
        self.url = url
        self.judge = judge
        self.time = time
    }

    /// Describes a direct check of a library alone.
    public init(url: CheckURL, policy: any PinningPolicy, trust: any TrustEvaluator, time: Int64) {
        self.init(url: url, judge: ServerJudge(policy: policy, trust: trust), time: time)
    }

    /// What there is to decide upon once the server has presented its certificates.
    func server(presenting sent: [CertificateFacts]) -> ServerTrust {
        ServerTrust(
            sent: sent, host: url.endpoint.host, spelling: url.spelledHost, time: time, userAnchors: userAnchors)
    }

    /// Performs the check.
    ///
    /// Whatever servers and proxies do is in the result. A policy that cannot work as configured is a verdict too, and
    /// nobody is connected to; nor for an `http` URL, about whose server no policy is asked.
    ///
    /// - Parameter loop: The loop to do it on, which must run until this returns. Not to be awaited on the loop's thread.
    /// - Returns: What the check showed.
    /// - Throws: `CancellationError` if the task was cancelled or the loop is over; `ReactorError` or `OpenSSLError` if
    ///   the system has no memory left.
    public func run(on loop: EventLoop) async throws -> CheckResult {
        guard url.scheme == .https else {
            var result = CheckResult()
            result.verdict = judge.judgeWithoutTLS(server(presenting: []))
            return result
        }
        if let problem = judge.policy.configurationProblem {
            var result = CheckResult()
            result.verdict = PolicyVerdict(.configError, problem)
            return result
        }
        let errand = LoopBound(sending: Errand(), loop: loop)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isQueued = loop.execute { errand.value.begin(self, on: loop, continuation) }
                if !isQueued { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            loop.execute { errand.value.cancel() }
        }
    }
}

/// A run and who waits for it; both are gone when it is over.
private final class Errand {
    private var run: CheckRun?
    private var continuation: CheckedContinuation<CheckResult, any Error>?
    private var isCancelled = false

    func begin(_ check: Check, on loop: EventLoop, _ continuation: CheckedContinuation<CheckResult, any Error>) {
        self.continuation = continuation
        do {
            // The task may have been cancelled before the loop came to this.
            if isCancelled { throw CancellationError() }
            let run = try CheckRun(check, on: loop) { [unowned self] result in finish(.success(result)) }
            self.run = run
            run.start()
        } catch {
            finish(.failure(error))
        }
    }

    func cancel() {
        isCancelled = true
        finish(.failure(CancellationError()))
    }

    private func finish(_ result: Result<CheckResult, any Error>) {
        run = nil
        continuation.take()?.resume(with: result)
    }
}
