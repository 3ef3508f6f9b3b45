internal import Authority
internal import Interception
internal import Transcript
internal import Wire

/// The options of `pinproof proxy`.
struct ProxyOptions: OptionValues, Equatable {
    /// The address to listen on.
    var listen = HostName.loopback
    /// The port to listen on; 0 for any free one.
    var port: UInt16 = 8080
    /// The number of event loops; nil for one per processor.
    var workers: Int?
    /// The file with the CA's certificate; nil for the one in the state folder.
    var authority: String?
    /// The file with the CA's key; given exactly if `authority` is.
    var authorityKey: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// Addresses that override DNS, in the order given.
    var resolve: [ResolveOverride] = []
    /// Files with further CAs that origins may use.
    var originAuthorities: [String] = []
    /// What not to intercept: the configuration file's rules, then the command line's, each in the order given.
    var rules: [HostRule] = []
    /// What to present to origins that ask for a client certificate, in the order given.
    var identities: [HostValue<IdentitySource.Location>] = []
    /// Where the passwords of those files are read.
    var identityPasswords: [HostValue<PasswordSource>] = []
    /// Whether identities are presented that TLS refuses as too weak.
    var allowsWeakIdentities = false
    /// Whom to ask for a client certificate though the origin does not.
    var requestsFrom: [HostPattern] = []
    /// Whom to refuse without one.
    var requiresFrom: [HostPattern] = []
    /// Files with what the app's certificate must lead to.
    var clientAuthorities: [String] = []
    /// Hosts whose certificate is judged by a pin alone.
    var originPins: [HostValue<OriginPinText>] = []
    /// What clients of these hosts are shown, in the order given.
    var scenarios: [HostValue<Scenario>] = []
    /// Whether intermediates that origins leave out are fetched.
    var fetchesIssuers = false
    /// Hosts whose clients may be old and weak.
    var legacyClients: [HostPattern] = []
    /// Hosts that may be old and weak themselves.
    var legacyOrigins: [HostPattern] = []
    /// The file with the names and passwords of those who may use the proxy; nil if anybody may.
    var credentials: String?
    /// The file for the transcript; nil for none.
    var transcript: String?
    /// Whether to print events as JSON Lines instead of the live view.
    var json = false
    /// Whether to leave the live view out.
    var quiet = false
    /// How long resolving and connecting to an origin may take.
    var connectTimeout = Duration.seconds(10)
    /// How long a client may take for its request to the proxy.
    var greetingTimeout = Duration.seconds(15)
    /// How long both sides may say nothing in a tunnel before it is listed as silent.
    var silenceTimeout = Duration.seconds(2)
    /// How long a client may take for its hello.
    var helloTimeout = Duration.seconds(15)
    /// How long each TLS handshake may take.
    var handshakeTimeout = Duration.seconds(15)
    /// How long a relayed connection may carry nothing.
    var idleTimeout = Duration.seconds(600)
    /// How long open connections may go on after the first signal to end.
    var drainTimeout = Duration.seconds(5)
    /// How many connections may be open; nil for what open files allow, 10,000 at most.
    var maxConnections: Int?
    /// How long a client's request to the proxy may be, in octets.
    var maxGreeting = 64 * 1024
    /// How long a client's hello may be, in octets.
    var maxHello = 56 * 1024
    /// How many octets a peer's certificates may have.
    var maxChain = 100 * 1024
    /// How many octets may wait in the proxy for each side of a connection.
    var maxBuffer = 256 * 1024
}

/// What to do with the hosts that a pattern names.
struct HostRule: Sendable, Equatable {
    /// The hosts.
    let pattern: HostPattern
    /// What to do with them.
    let decision: Decision
}

extension ValueFormat<HostRule> {
    /// The hosts for which `decision` holds.
    static func rule(_ decision: Decision) -> ValueFormat {
        ValueFormat<HostPattern>.pattern.map { HostRule(pattern: $0, decision: decision) }
    }
}

extension HostName {
    /// 127.0.0.1, where everything listens unless it is told otherwise.
    static var loopback: HostName {
        guard let address = HostName("127.0.0.1") else { preconditionFailure("127.0.0.1 is an address") }
        return address
    }
}
