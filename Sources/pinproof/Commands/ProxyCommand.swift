internal import Authority
internal import Transcript

/// `pinproof proxy`: the proxy that the client under test is pointed at.
enum ProxyCommand {
    static let table = OptionTable<ProxyOptions>(
        "proxy",
        summary: "Run the proxy, with a line for each connection",
        discussion: [
            """
            Point the client under test at the address that is printed. Connections are intercepted: the client is \
            shown a certificate for the host's name, signed by the local CA. Ctrl-C lets open connections finish and \
            prints a summary for each host; a second Ctrl-C ends at once.
            """,
            """
            PATTERN is a host, '*.example.com' for every name below example.com, or '*'; each may end in ':PORT'. The \
            most specific pattern decides; of equal ones the last.
            """,
        ],
        groups: [
            .init(
                "Listening",
                [
                    .value("listen", .address, \.listen, "Address to listen on"),
                    .value("port", .listeningPort, \.port, "Port to listen on, 0 for any free one"),
                    .value(
                        "workers", .number("N", in: 1...256), \.workers, standard: "one per processor",
                        "Number of event loops"),
                    .value(
                        "proxy-auth-file", .path("FILE"), \.credentials,
                        "Serve only who knows a line of FILE, each NAME:PASSWORD, readable by its owner only"),
                ]),
            .init(
                "Local CA",
                [
                    .value(
                        "ca", .path("FILE"), \.authority, standard: "ca.pem in the state folder",
                        "Certificate of the CA that signs what the client is shown, in PEM"),
                    .value(
                        "ca-key", .path("FILE"), \.authorityKey, standard: "ca.key in the state folder",
                        "Key of that CA, readable by its owner only"),
                    .stateFolder(\.state),
                ]),
            .init(
                "Origins",
                [
                    .resolve(\.resolve),
                    .repeated(
                        "origin-ca", .path("FILE"), \.originAuthorities,
                        "Trust the certificates in FILE for origins, besides the system's"),
                    .repeated(
                        "origin-pin", ValueFormat.originPin.perHost, \.originPins,
                        "Judge these hosts by this key or certificate alone; 'any' takes whatever they show"),
                    .repeated(
                        "scenario", .scenario, \.scenarios,
                        """
                        Show clients of these hosts, or of all: 'trusted', a sound certificate, and a page if the host's \
                        own is faulty (the default); 'mirror', one with the same faults
                        """),
                    .flag(
                        "aia", \.fetchesIssuers,
                        "Fetch intermediates that origins leave out from where their certificates say"),
                ]),
            .init(
                "Client certificates",
                [
                    .repeated(
                        "identity", ValueFormat.identity.perHost, \.identities,
                        "Present what FILE holds (PKCS#12 or PEM) to these hosts if they ask"),
                    .repeated(
                        "identity-password", ValueFormat.passwordSource.perHost, \.identityPasswords,
                        "Read the password of that PATTERN's file there, not from the terminal"
                    ).unquoted,
                    .flag(
                        "identity-allow-weak", \.allowsWeakIdentities, "Present identities that TLS refuses as too weak"
                    ),
                    .repeated(
                        "request-client-cert", .pattern, \.requestsFrom,
                        "Ask the app for its certificate on the way to these hosts, though the origin does not"),
                    .repeated(
                        "require-client-cert", .pattern, \.requiresFrom,
                        "Ask, and refuse an app that gives none, or one that --client-ca does not know"),
                    .repeated(
                        "client-ca", .path("FILE"), \.clientAuthorities,
                        "Say whether the app's certificate leads to one in FILE"),
                ]),
            .init(
                "Old peers",
                [
                    .repeated(
                        "legacy-client", .pattern, \.legacyClients,
                        "Open TLS 1.0 and 1.1 and what is weak to clients of these hosts"),
                    .repeated(
                        "legacy-origin", .pattern, \.legacyOrigins,
                        "Open the same, small keys and peers without RFC 5746 to these hosts"),
                ]),
            .init(
                "Hosts",
                [
                    .repeated("intercept", .rule(.intercept), \.rules, "Intercept these hosts, as all are unless told"),
                    .repeated("tunnel", .rule(.tunnel), \.rules, "Relay these hosts untouched"),
                    .repeated("refuse", .rule(.refuse), \.rules, "Refuse to connect to these hosts"),
                ]),
            .init(
                "Output",
                [
                    .value("transcript", .path("FILE"), \.transcript, "Record every event to FILE as JSON Lines"),
                    .flag("json", \.json, "Print JSON Lines instead of the live view"),
                    .flag("quiet", \.quiet, "Leave out the live view"),
                ]),
            .init(
                "Time limits",
                [
                    .value(
                        "connect-timeout", .seconds, \.connectTimeout, "Resolving and connecting to an origin"),
                    .value(
                        "greeting-timeout", .seconds, \.greetingTimeout, "A client's request to the proxy"),
                    .value(
                        "silence-timeout", .seconds, \.silenceTimeout,
                        "A tunnel in which nobody says anything: then it is listed, and kept"),
                    .value("hello-timeout", .seconds, \.helloTimeout, "A client's TLS hello, from its first byte"),
                    .value("handshake-timeout", .seconds, \.handshakeTimeout, "Each TLS handshake"),
                    .value("idle-timeout", .seconds, \.idleTimeout, "A connection that carries nothing"),
                    .value(
                        "drain-timeout", .seconds, \.drainTimeout, "Connections still open after the first Ctrl-C"),
                ]),
            .init(
                "Size limits",
                [
                    .value(
                        "max-connections", .number("N", in: 1...1_000_000), \.maxConnections,
                        standard: "what open files allow, 10000 at most", "Connections open at once; further ones wait"),
                    .value(
                        "max-greeting", .size(in: 1024...1_048_576), \.maxGreeting, "A client's request to the proxy"),
                    // OpenSSL takes no hello of more than 2^17 octets.
                    .value("max-hello", .size(in: 1024...131_072), \.maxHello, "A client's TLS hello"),
                    .value("max-chain", .size(in: 4096...1_048_576), \.maxChain, "A peer's certificates"),
                    .value(
                        "max-buffer", .size(in: 16_384...16_777_216), \.maxBuffer,
                        "What waits in the proxy for each side of a connection"),
                ]),
        ],
        readsConfiguration: true,
        examples: [
            """
            pinproof proxy --identity api.example.com=app.p12 \\
                --identity-password api.example.com=file:password.txt
            """,
            "pinproof proxy --tunnel '*.apple.com' --transcript run.jsonl",
            "pinproof ca export --out ca.pem",
            "curl --proxy 127.0.0.1:8080 --cacert ca.pem https://example.com/",
        ],
        check: { (options) throws(CommandError) in
            try expectBoth("ca", options.authority, "ca-key", options.authorityKey)
        })

    /// Reads the options of the command line and the configuration file.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<ProxyOptions> {
        try table.parse(arguments)
    }
}
