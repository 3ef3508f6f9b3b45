public import Authority
public import Crypto
public import Interception
public import Reactor
public import Transcript
public import Wire

/// Everything that a proxy needs to know before it starts.
public struct ProxyConfiguration: Sendable {
    /// Where to listen; port 0 takes any free one.
    public var listen: SocketAddress
    /// How many event loops share the work.
    public var workers = 1
    /// The per-host rules.
    public var rules = RuleBook()
    /// Addresses that stand in for DNS.
    public var overrides = ResolveOverrides()
    /// What an origin's chain must lead to.
    public var originTrust: TrustStore
    /// Hosts whose certificate is judged by these pins, any of which will do, and by nothing else.
    public var originPins = HostTable<OriginPin>()
    /// What clients are shown, and what becomes of faulty origins; `trusted` where nothing else is said.
    ///
    /// Of several equally specific ones the last counts.
    public var scenarios = HostTable<Scenario>()
    /// Whether intermediates that origins leave out are fetched from where their certificates say.
    public var fetchesIssuers = false
    /// The hosts for which old and weak TLS is open.
    public var legacy = LegacyHosts()
    /// What to do about client certificates.
    public var identity = IdentityPolicy()
    /// Who signs the forged leaves.
    public var authority: CertificateAuthority
    /// How connections are dealt out to the phases of an experiment; nil where all are served alike.
    public var rotation: PhaseRotation?
    /// Who may use the proxy; nil for anybody who can reach it.
    public var credentials: ProxyCredentials?
    /// The time limits.
    public var limits = TimeLimits()
    /// How much is taken from a client before TLS begins.
    public var sizes = SizeLimits()
    /// How many octets a peer's certificates may have.
    public var chainSize = TLSContext.usualChainSize
    /// How many octets are read from a peer at once, and so about how many may wait for the other.
    public var relayBuffer = 256 * 1024
    /// What of connections is told to the recorder beyond their handshakes.
    public var capture = Capture()
    /// How many connections may be open at once; further ones wait.
    public var maxConnections = 10_000

    /// Takes what has no default.
    ///
    /// - Parameters:
    ///   - listen: Where to listen.
    ///   - authority: Who signs the forged leaves.
    ///   - originTrust: What an origin's chain must lead to.
    public init(listen: SocketAddress, authority: CertificateAuthority, originTrust: TrustStore) {
        self.listen = listen
        self.authority = authority
        self.originTrust = originTrust
    }
}

/// How long each phase of a connection may take.
public struct TimeLimits: Sendable {
    /// From accept to a whole CONNECT request.
    public var greeting = Duration.seconds(30)
    /// Resolving, and then connecting to all of the origin's addresses together.
    public var connect = Duration.seconds(10)
    /// From the answer to CONNECT to the first byte of either side; then the tunnel is listed as silent, and may stay so
    /// as long as the idle limit allows.
    public var silence = Duration.seconds(2)
    /// From the client's first byte in the tunnel to the whole ClientHello.
    public var hello = Duration.seconds(30)
    /// A TLS handshake.
    public var handshake = Duration.seconds(15)
    /// Fetching all that an origin left out of its chain.
    public var issuers = Duration.seconds(5)
    /// Without a byte in either direction.
    public var idle = Duration.seconds(600)
    /// After the end, without a byte being delivered; and for all connections together when the proxy stops.
    public var drain = Duration.seconds(5)

    /// The defaults.
    public init() {}

    /// The limit of a phase.
    func duration(_ limit: TimeLimit) -> Duration {
        switch limit {
        case .greeting: greeting
        case .connect: connect
        case .silence: silence
        case .hello: hello
        case .handshake: handshake
        case .idle: idle
        case .drain: drain
        }
    }
}

/// Addresses that stand in for DNS, as curl's `--resolve`.
public struct ResolveOverrides: Sendable {
    private struct Key: Hashable {
        let host: HostName
        let port: UInt16?
    }

    private var addresses: [Key: SocketAddress] = [:]

    /// No overrides.
    public init() {}

    /// Sends connections for a host elsewhere.
    ///
    /// - Parameters:
    ///   - host: The host as it is asked for.
    ///   - port: The port as it is asked for; nil for any.
    ///   - address: Where connections go; its port 0 stands for the port that was asked for.
    public mutating func add(host: HostName, port: UInt16?, address: SocketAddress) {
        addresses[Key(host: host, port: port)] = address
    }

    /// The address for an endpoint, if there is an override; one with the port is stronger than one without.
    ///
    /// - Parameter endpoint: What is asked for.
    /// - Returns: Where to connect instead, or nil.
    public func address(for endpoint: Endpoint) -> SocketAddress? {
        let found =
            addresses[Key(host: endpoint.host, port: endpoint.port)] ?? addresses[Key(host: endpoint.host, port: nil)]
        guard let found else { return nil }
        return found.port == 0 ? found.withPort(endpoint.port) : found
    }
}
