internal import Authority
internal import Crypto
internal import Dispatch
internal import Glibc
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

/// What one connection knows of client certificates: what the origin asked for and got, what the app was asked for.
struct IdentityExchanges {
    /// What may be presented to the origin, in order.
    var candidates: [LoadedIdentity] = []
    /// Whether they are being read, and still wanted.
    var isLoading = false
    /// What the origin asked for last.
    var request: IdentityRequest?
    /// What was chosen for that.
    var chosen: LoadedIdentity?
    /// The names with which the app was asked for its own; nil if it was not.
    var asked: [AuthorityName]?
    /// What is wrong with the app's chain: OpenSSL's number.
    var appFault: Int32 = 0
    /// What the client sent to an origin that asked and has said nothing yet; nil once it is too much to keep.
    var unanswered: [UInt8]? = []

    /// How an origin that asked ended while nobody had said anything, in order, until it is clear what that means.
    var heldEnds: [End] = []
    /// Runs as long as ends are held; nil before that.
    var hold: LoopTimer?

    /// How long a client that has something to say may take to say it.
    static let holdLimit = Duration.seconds(1)
    /// What is kept of a client's bytes at most.
    static let unansweredLimit = 64 * 1024
}

// Client certificates: ours for the origin, the app's for us.
extension ProxyConnection {
    /// Loads what may be presented to an origin, then goes on; not on the loop if a file was replaced, since to open one
    /// may take as long as whoever made it wanted.
    func loadIdentities(for endpoint: Endpoint, then goOn: @escaping (ProxyConnection, (any Error)?) -> Void) {
        let sources = worker.configuration.identity.identities.values(for: endpoint)
        guard sources.contains(where: \.isStale) else {
            return took(Result { try sources.map { try $0.current() } }, goOn)
        }
        identity.isLoading = true
        let (loop, number) = (worker.loop, number)
        let home = LoopBound((worker, goOn), loop: loop)
        DispatchQueue.global().async {
            let loaded = Result { try sources.map { try $0.current() } }
            loop.execute {
                let (worker, goOn) = home.value
                guard let connection = worker.connection(number), connection.identity.isLoading else { return }
                connection.identity.isLoading = false
                connection.took(loaded, goOn)
            }
        }
    }

    private func took(
        _ loaded: Result<[LoadedIdentity], any Error>, _ goOn: (ProxyConnection, (any Error)?) -> Void
    ) {
        switch loaded {
        case .success(let candidates):
            identity.candidates = candidates
            goOn(self, nil)
        case .failure(let error): goOn(self, error)
        }
    }

    /// Chooses the identity for an origin that asks: the first that it says it takes, else the first.
    func chooseIdentity(_ request: IdentityRequest) -> TLSIdentity? {
        identity.request = request
        identity.chosen = identity.candidates.first { request.accepts($0.identity) } ?? identity.candidates.first
        return identity.chosen?.identity
    }

    /// Records what our answer to an origin's request was; to be called when it is sent.
    func presentedIdentity(isEmpty: Bool) {
        let chain = isEmpty ? [] : identity.chosen?.identity.chain ?? []
        let exchange = IdentityExchange(
            side: .origin, authorities: Self.texts(identity.request?.authorities ?? []),
            chain: chain.map { Hex.encode($0.sha256) }, source: isEmpty ? nil : identity.chosen?.source)
        record(.identity(exchange), naming: chain)
    }

    /// How the app is asked for its certificate; nil if it is not.
    func appAuthentication(for endpoint: Endpoint) -> ClientAuthentication? {
        let policy = worker.configuration.identity
        let request = policy.appRequest(for: endpoint)
        guard request != .whenOriginAsks || identity.request != nil else { return nil }
        let (ofOrigin, own) = (identity.request?.authorities, policy.appTrust?.names)
        // Careful clients give nothing unless its issuer is named: who may refuse them names whom it takes itself.
        let names = (request == .required ? own ?? ofOrigin : ofOrigin ?? own) ?? []
        identity.asked = names
        return ClientAuthentication(isRequired: request == .required, authorities: names) { [unowned self] chain in
            guard let trust = policy.appTrust else { return .accept }
            identity.appFault = trust.store.verifyClient(chain, at: wallSeconds())
            guard identity.appFault != 0, request == .required else { return .accept }
            return .reject(alert: CertificateFault(verifyError: identity.appFault).alert)
        }
    }

    /// Records what the app answered, once its answer is there.
    func recordAppIdentity() {
        guard let names = identity.asked, let chain = client.session?.peerChain else { return }
        identity.asked = nil
        let fault = identity.appFault == 0 ? nil : CertificateFault.text(verifyError: identity.appFault)
        let exchange = IdentityExchange(
            side: .client, authorities: Self.texts(names), chain: chain.map { Hex.encode($0.sha256) }, fault: fault)
        record(.identity(exchange), naming: chain)
    }

    /// Keeps what the client says to an origin that asked for a certificate and has not said anything since: if that
    /// turns out to be a refusal, the client is owed an answer.
    func keepUnanswered() {
        guard identity.request != nil, !spoke.contains(.origin), let kept = identity.unanswered else { return }
        let count = worker.scratch.count
        guard kept.count + count <= IdentityExchanges.unansweredLimit else {
            identity.unanswered = nil
            return
        }
        worker.scratch.withBytes { identity.unanswered?.append(contentsOf: $0) }
    }

    /// Holds an origin's end back if the origin asked for a certificate and nobody has said anything since.
    ///
    /// In TLS 1.3 the handshake is over before the origin looks at the answer, and some servers do not say why they leave:
    /// passed on at once, the client would see an end that means nothing, and not the page that is its due.
    func holdBack(_ end: End) -> Bool {
        guard identity.request != nil, originReading == .relay, spoke.isEmpty else { return false }
        switch end {
        case .fin, .closeNotify, .reset: break
        case .alert, .timeout, .error, .proxy: return false
        }
        if identity.hold == nil {
            identity.hold = worker.loop.timer(after: IdentityExchanges.holdLimit) { [unowned self] in releaseEnds() }
        } else if identity.heldEnds.isEmpty {
            return false
        }
        identity.heldEnds.append(end)
        return true
    }

    /// Reports the ends that were held back: the client spoke, or ended, or had time enough.
    func releaseEnds() {
        let ends = identity.heldEnds
        identity.heldEnds = []
        identity.hold?.cancel()
        for end in ends { ended(.origin, end) }
    }

    /// What an origin's end means if it asked for a certificate and never said anything: it may not like the answer.
    func refusal(_ end: End) -> Failure? {
        guard let request = identity.request, !spoke.contains(.origin) else { return nil }
        let isRelaying = originReading == .relay
        switch end {
        case .alert: break
        // Without an alert it is one only if it is instead of an answer.
        case .fin, .closeNotify, .reset: guard !isRelaying || spoke.contains(.client) else { return nil }
        case .timeout, .error, .proxy: return nil
        }
        let wanted =
            request.authorities.isEmpty
            ? ""
            : ", issued by one of: " + Self.texts(request.authorities).prefix(Self.namesShown).joined(separator: "; ")
        let given = identity.chosen.map { "was given \($0.identity.chain[0].subject) (\($0.source))" } ?? "got none"
        return Failure(
            party: .origin, code: .originWantsIdentity, phase: isRelaying ? .relay : .originHandshake,
            detail: "the origin asked for a client certificate\(wanted); it \(given), and then \(end.explained)",
            hint: hintAfterRefusal(request))
    }

    /// What may be done about an origin that did not like our answer.
    private func hintAfterRefusal(_ request: IdentityRequest) -> String {
        guard let chosen = identity.chosen else { return "give the proxy one with --identity HOST=FILE" }
        let leaf = chosen.identity.chain[0]
        guard leaf.isValid(at: wallSeconds()) else { return "its time is not now: have it renewed" }
        return request.accepts(chosen.identity)
            ? "check that the origin knows who issued it"
            : "its chain leads to none of those: add the certificates in between to the file, or give another one"
    }

    private static func texts(_ names: [AuthorityName]) -> [String] {
        // The peer decides how many there are.
        names.prefix(namesRecorded).map { String($0.text.prefix(nameLength)) }
    }

    private static let namesRecorded = 256
    private static let namesShown = 5
    private static let nameLength = 1024
}
