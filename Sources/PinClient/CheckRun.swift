internal import Crypto
internal import Glibc
internal import Pinning
internal import Reactor
internal import Wire

/// One check on its way: connect, ask the proxy, shake hands with the policy as the judge, ask, listen.
///
/// **Thread:** its loop's. Everything that it started ends with it.
final class CheckRun {
    private let check: Check
    private let loop: EventLoop
    private let resolver: Resolver
    private let context: TLSContext
    private let completion: (CheckResult) -> Void

    private var result = CheckResult()
    private var server: ServerTrust?
    private var phase = CheckFailure.Phase.resolving
    private var timer: LoopTimer?
    private var resolution: Resolution?
    private var attempt: ConnectAttempt?
    private var tunnel: ConnectTunnel?
    private var pump: SecurePump?
    private var answer = AnswerHead()

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - check: What to check.
    ///   - loop: The loop, which is current.
    ///   - completion: Gets the result once; never if the run is released before.
    /// - Throws: `ReactorError` or `OpenSSLError` if there is no memory for it.
    init(_ check: Check, on loop: EventLoop, _ completion: @escaping (CheckResult) -> Void) throws {
        self.check = check
        self.loop = loop
        self.completion = completion
        resolver = try Resolver(loop: loop)
        // The policy decides, within the handshake.
        // App Transport Security has a say about old versions, so they have to get as far as that.
        let tolerance: TLSContext.Tolerance = check.judge.transportSecurity == nil ? .standard : .legacy
        context = try TLSContext.client(trust: nil, tolerance)
    }

    /// Sets the check in motion.
    func start() {
        let first = check.proxy ?? check.url.endpoint
        if let address = check.override(first) { return connect(to: [address]) }
        resolution = resolver.resolve(first.host, port: first.port, timeout: check.limits.resolving) {
            [unowned self] found in
            switch found {
            case .success(let addresses): connect(to: addresses)
            case .failure(let error): fail(error, otherwise: .notResolved)
            }
        }
    }

    private func connect(to addresses: [SocketAddress]) {
        phase = .connecting
        // Each address gets its share of the time.
        connect(to: addresses[...], timeout: check.limits.connecting / max(1, addresses.count))
    }

    private func connect(to addresses: ArraySlice<SocketAddress>, timeout: Duration) {
        guard let address = addresses.first else { return fail(.notResolved, "the name has no address") }
        attempt = SocketStream.connect(loop: loop, to: address, timeout: timeout) { [unowned self] made in
            switch made {
            case .success(let stream): connected(stream)
            case .failure(let error):
                let others = addresses.dropFirst()
                others.isEmpty ? fail(error, otherwise: .notConnected) : connect(to: others, timeout: timeout)
            }
        }
    }

    private func connected(_ stream: SocketStream) {
        guard check.proxy != nil else { return shakeHands(over: stream, early: []) }
        enter(.tunnelling)
        tunnel = ConnectTunnel(over: stream, to: check.url.endpoint) { [unowned self] outcome in
            switch outcome {
            case .established(let head, let early):
                result.proxyResponse = head
                shakeHands(over: stream, early: early)
            case .refused(let head, let reason):
                result.proxyResponse = head
                let detail = "the proxy answered CONNECT with \(head.statusLine)" + (reason.map { ": \($0)" } ?? "")
                fail(.proxyRefused(status: head.status), detail)
            case .failed(let kind, let detail):
                fail(kind, detail)
            }
        }
    }

    private func shakeHands(over stream: SocketStream, early: [UInt8]) {
        enter(.handshake)
        let session: TLSSession
        do {
            session = try TLSSession.connecting(
                context, to: check.url.endpoint.host, verify: .custom { [unowned self] chain in judge(chain) },
                alpn: [Array("http/1.1".utf8)])
        } catch {
            return fail(.tls(.other), "no TLS session: \(error)")
        }
        session.onIdentityRequest = { [unowned self] _ in present() }
        let pump = SecurePump(loop: loop, stream: stream, session: session, early: early)
        pump.onSecured = { [unowned self] in ask() }
        pump.onBytes = { [unowned self] bytes in listen(bytes) }
        pump.onEnd = { [unowned self] end in ended(end) }
        self.pump = pump
        pump.start()
    }

    /// Answers a server that asks for a client certificate, as the app would.
    private func present() -> TLSIdentity? {
        result.wasAskedForIdentity = true
        guard let identity = check.identity else { return nil }
        let presented: TLSIdentity? =
            switch check.identityConduct {
            case .never: nil
            case .whenAsked(leafOnly: true): TLSIdentity(chain: [identity.chain[0]], key: identity.key)
            case .whenAsked(leafOnly: false), .always: identity
            }
        result.presentedChain = presented?.chain ?? []
        return presented
    }

    /// Reaches the verdict; the handshake waits for it, and the server for the handshake.
    private func judge(_ chain: [Certificate]) -> VerificationAnswer {
        // TLS 1.2 can renegotiate: the server whose chain was judged must not become another.
        guard result.verdict == nil else {
            return chain == result.sentChain ? .accept : .reject(alert: RejectionAlert.badCertificate)
        }
        result.sentChain = chain
        let server = check.server(presenting: chain.map(CertificateFacts.init))
        let judgement = check.judge.judge(server)
        self.server = server
        result.entry = check.judge.policy.entry(for: server)
        result.verdict = judgement.verdict
        result.platform = judgement.platform
        result.isAccepted = judgement.isAccepted
        guard !judgement.isAccepted else { return .accept }
        let alert =
            judgement.platform.map { RejectionAlert.number(for: $0.errors) }
            ?? RejectionAlert.number(for: judgement.verdict.reason)
        result.alert = alert
        return .reject(alert: alert)
    }

    private func ask() {
        result.parameters = pump?.parameters
        if let server, let session = result.parameters,
            let objection = check.judge.objection(
                to: server, version: session.version, cipherSuite: session.cipherSuite)
        {
            result.object(objection)
            return finish()
        }
        enter(.answer)
        let head = [
            "GET \(check.url.target) HTTP/1.1", "Host: \(check.url.authority)", "User-Agent: pinproof", "Accept: */*",
            "Connection: close", "", "",
        ]
        pump?.send(Array(head.joined(separator: "\r\n").utf8))
    }

    private func listen(_ bytes: [UInt8]) {
        switch answer.receive(bytes) {
        case .incomplete: break
        case .complete(let head, _):
            result.response = head
            finish()
        case .failed(let kind, let reason): fail(kind, "the answer \(reason)")
        }
    }

    private func ended(_ end: SecurePump.End) {
        switch end {
        case .failed where result.alert != nil && !result.isAccepted:
            // Not a failure: the verdict.
            finish()
        case .failed(let failure):
            fail(.tls(failure.kind), "TLS failed: \(failure)")
        case .alert(let code):
            fail(.tls(.peerAlert(code)), "TLS failed: the peer sent alert \(code) (\(TLSNames.alert(code)))")
        case .closeNotify:
            fail(.ended, "the server ended the session (close_notify) without an answer")
        case .socket(let how):
            fail(.ended, phase == .handshake ? "\(how) during the TLS handshake" : "\(how) without an answer")
        }
    }

    /// Goes on to a phase that must not take longer than its limit.
    private func enter(_ next: CheckFailure.Phase) {
        phase = next
        let limit = check.limits.limit(of: next)
        timer = loop.timer(after: limit) { [unowned self] in
            let what =
                switch next {
                case .resolving, .connecting: "no connection"
                case .tunnelling: "no answer to CONNECT"
                case .handshake: "no end of the TLS handshake"
                case .answer: "no answer"
                }
            fail(.timeout, "\(what) within \(limit)")
        }
    }

    private var party: CheckFailure.Party {
        guard check.proxy != nil else { return .origin }
        switch phase {
        case .resolving, .connecting, .tunnelling: return .proxy
        case .handshake, .answer: return .originOrProxy
        }
    }

    private func fail(_ error: ReactorError, otherwise kind: CheckFailure.Kind) {
        fail(error.errno == ETIMEDOUT ? .timeout : kind, error.description)
    }

    private func fail(_ kind: CheckFailure.Kind, _ detail: String) {
        result.failure = CheckFailure(party: party, phase: phase, kind: kind, detail: detail)
        finish()
    }

    /// Takes leave of the server, then delivers the result.
    private func finish() {
        timer = nil
        guard let pump else { return completion(result) }
        let limit = result.failure?.kind == .timeout ? .zero : check.limits.farewell
        pump.close(within: limit) { [unowned self] in completion(result) }
    }
}
