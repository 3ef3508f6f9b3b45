internal import Transcript

/// Groups of rows that commands with a proxy in them share.
extension OptionTable.Group where Values: InterceptingValues {
    /// Where origins are, and what is trusted there; `options` are the command's own, which stand before the last.
    static func origins(besides options: [Option<Values>] = []) -> Self {
        .init(
            "Origins",
            [
                .resolve(\.interception.resolve),
                .repeated(
                    "origin-ca", .path("FILE"), \.interception.originAuthorities,
                    "Trust the certificates in FILE for origins, besides the system's"),
                .repeated(
                    "origin-pin", ValueFormat.originPin.perHost, \.interception.originPins,
                    "Judge these hosts by this key or certificate alone; 'any' takes whatever they show"),
            ] + options + [
                .flag(
                    "aia", \.interception.fetchesIssuers,
                    "Fetch intermediates that origins leave out from where their certificates say")
            ])
    }

    /// What becomes of client certificates.
    static var clientCertificates: Self {
        .init(
            "Client certificates",
            [
                .repeated(
                    "identity", ValueFormat.identity.perHost, \.interception.identities,
                    "Present what FILE holds (PKCS#12 or PEM) to these hosts if they ask"),
                .repeated(
                    "identity-password", ValueFormat.passwordSource.perHost, \.interception.identityPasswords,
                    "Read the password of that PATTERN's file there, not from the terminal"
                ).unquoted,
                .flag(
                    "identity-allow-weak", \.interception.allowsWeakIdentities,
                    "Present identities that TLS refuses as too weak"
                ),
                .repeated(
                    "request-client-cert", .pattern, \.interception.requestsFrom,
                    "Ask the app for its certificate on the way to these hosts, though the origin does not"),
                .repeated(
                    "require-client-cert", .pattern, \.interception.requiresFrom,
                    "Ask, and refuse an app that gives none, or one that --client-ca does not know"),
                .repeated(
                    "client-ca", .path("FILE"), \.interception.clientAuthorities,
                    "Say whether the app's certificate leads to one in FILE"),
            ])
    }

    /// Whose TLS may be old.
    static var oldPeers: Self {
        .init(
            "Old peers",
            [
                .repeated(
                    "legacy-client", .pattern, \.interception.legacyClients,
                    "Open TLS 1.0 and 1.1 and what is weak to clients of these hosts"),
                .repeated(
                    "legacy-origin", .pattern, \.interception.legacyOrigins,
                    "Open the same, small keys and peers without RFC 5746 to these hosts"),
            ])
    }

    /// What is done with which hosts.
    static var hosts: Self {
        .init(
            "Hosts",
            [
                .repeated(
                    "intercept", .rule(.intercept), \.interception.rules,
                    "Intercept these hosts, as all are unless told"),
                .repeated("tunnel", .rule(.tunnel), \.interception.rules, "Relay these hosts untouched"),
                .repeated(
                    "answer", .rule(.answer), \.interception.rules,
                    "Intercept these hosts, and answer with a page in their place: they are not asked"),
                .repeated("refuse", .rule(.refuse), \.interception.rules, "Refuse to connect to these hosts"),
            ])
    }

    /// How much is taken from peers.
    static var sizeLimits: Self {
        .init(
            "Size limits",
            [
                .value(
                    "max-connections", .number("N", in: 1...1_000_000), \.interception.maxConnections,
                    standard: "what open files allow, 10000 at most", "Connections open at once; further ones wait"),
                .value(
                    "max-greeting", .size(in: 1024...1_048_576), \.interception.maxGreeting,
                    "A client's request to the proxy"),
                // OpenSSL takes no hello of more than 2^17 octets.
                .value("max-hello", .size(in: 1024...131_072), \.interception.maxHello, "A client's TLS hello"),
                .value("max-chain", .size(in: 4096...1_048_576), \.interception.maxChain, "A peer's certificates"),
                .value(
                    "max-buffer", .size(in: 16_384...16_777_216), \.interception.maxBuffer,
                    "What waits in the proxy for each side of a connection"),
            ])
    }

    /// How long connections may take; `options` are the command's own, which stand last.
    static func timeLimits(besides options: [Option<Values>] = []) -> Self {
        .init(
            "Time limits",
            [
                .value(
                    "connect-timeout", .seconds, \.interception.connectTimeout, "Resolving and connecting to an origin"),
                .value(
                    "greeting-timeout", .seconds, \.interception.greetingTimeout, "A client's request to the proxy"),
                .value(
                    "silence-timeout", .seconds, \.interception.silenceTimeout,
                    "A tunnel in which nobody says anything: then it is listed, and kept"),
                .value(
                    "hello-timeout", .seconds, \.interception.helloTimeout, "A client's TLS hello, from its first byte"),
                .value("handshake-timeout", .seconds, \.interception.handshakeTimeout, "Each TLS handshake"),
                .value(
                    "idle-timeout", .seconds, \.interception.idleTimeout, standard: "600",
                    "A connection that carries nothing"),
            ] + options)
    }
}
