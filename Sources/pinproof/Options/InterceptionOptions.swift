internal import Authority
internal import Interception
internal import Transcript
internal import Wire

/// What commands with a proxy in them have in common: how connections are served.
struct InterceptionOptions: Sendable, Equatable {
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
    /// Whether intermediates that origins leave out are fetched.
    var fetchesIssuers = false
    /// Hosts whose clients may be old and weak.
    var legacyClients: [HostPattern] = []
    /// Hosts that may be old and weak themselves.
    var legacyOrigins: [HostPattern] = []
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
    /// How long a relayed connection may carry nothing; nil for 600 s, or 5 s where it only gathers evidence.
    var idleTimeout: Duration?
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

/// The options of a command with a proxy in it.
protocol InterceptingValues: OptionValues {
    /// How connections are served.
    var interception: InterceptionOptions { get set }
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
