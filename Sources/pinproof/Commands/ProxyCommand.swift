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
            With --phases it finds out what 'pinproof run' does, for clients that cannot be restarted: the connections \
            to each host are in turn relayed untouched, shown a CA that the client was not given, and shown the CA that \
            it was given, until its finding is firm; then they are relayed. One that carries nothing for 5 s is ended until then, so \
            that the client makes another. The findings are kept up to date on the \
            terminal, and printed at the end; exit codes are those of run.
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
                "Experiment",
                [
                    .flag(
                        "phases", \.rotatesPhases,
                        "Rotate the phases of an experiment over the connections to each host"),
                    .label,
                    .findingsJUnit,
                ]),
            .expectations,
            .origins(
                besides: [
                    .repeated(
                        "scenario", .scenario, \.scenarios,
                        """
                        Show clients of these hosts, or of all: 'trusted', a sound certificate, and a page if the host's \
                        own is faulty (the default); 'mirror', one with the same faults
                        """)
                ]),
            .clientCertificates,
            .oldPeers,
            .hosts,
            .init(
                "Output",
                [
                    .flag("json", \.json, "Print JSON Lines instead of the live view"),
                    .flag("quiet", \.quiet, "Leave out the live view"),
                ]),
            .recording,
            .timeLimits(
                besides: [
                    .value(
                        "drain-timeout", .seconds, \.drainTimeout,
                        "What is to be delivered at a connection's end, and all that is open after the first Ctrl-C")
                ]),
            .sizeLimits,
        ],
        readsConfiguration: true,
        examples: [
            """
            pinproof proxy --identity api.example.com=app.p12 \\
                --identity-password api.example.com=file:password.txt
            """,
            "pinproof proxy --tunnel '*.apple.com' --transcript run.jsonl",
            "pinproof proxy --transcript run.jsonl --capture heads --pcapng run.pcapng",
            """
            pinproof proxy --phases --label 'app 4.2, Pixel 8' --listen 0.0.0.0 \\
                --transcript run.jsonl
            """,
            "pinproof ca export --out ca.pem",
            "curl --proxy 127.0.0.1:8080 --cacert ca.pem https://example.com/",
        ],
        check: { (options) throws(CommandError) in
            try expectBoth("ca", options.authority, "ca-key", options.authorityKey)
            try options.recording.check()
            guard !options.rotatesPhases, let name = options.findings.given else { return }
            throw CommandError(
                "--\(name) needs --phases", mend: "without an experiment there are no findings: add --phases")
        })

    /// Reads the options of the command line and the configuration file.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<ProxyOptions> {
        try table.parse(arguments)
    }
}
