internal import Authority
internal import Crypto
internal import Glibc
internal import Wire

/// The options of `pinproof ca init`.
struct CaInitOptions: OptionValues, Equatable {
    /// The folder for the CA; nil for the usual one.
    var state: String?
    /// The kind of its key.
    var key = KeyKind.p256
    /// How long it is valid.
    var days = 397
    /// The names and addresses that it may issue for; empty for all.
    var permitted: [HostName] = []
    /// Whether a root above it is what clients trust.
    var isIntermediate = false
}

/// `pinproof ca init`: makes the local CA.
enum CaInitCommand {
    static let table = OptionTable<CaInitOptions>(
        "ca init",
        summary: "Make the local CA, once; nothing is overwritten",
        discussion: [
            """
            The CA is for testing only: install its certificate on devices and clients under test, and remove it when \
            the tests are over. Its key stays in the state folder, readable by you alone.
            """,
            """
            With --permit, clients refuse what it signs for other hosts, whoever gets hold of the key; some ignore that \
            in a root, none in an intermediate, so give --intermediate too.
            """,
        ],
        groups: [
            .init(
                "Local CA",
                [
                    .stateFolder(\.state),
                    .value(
                        "key", .keyKind(rsaBits: 2048...4096, hasEd25519: false), \.key,
                        "Kind of key: P-256, or RSA of 2048 to 4096 bits"),
                    .value("days", .number("N", in: 1...3650), \.days, "How long it is valid, in days"),
                    .repeated(
                        "permit", .host, \.permitted, standard: "all",
                        "Let it issue for NAME and all below it, or for an address, and nothing else"),
                    .flag(
                        "intermediate", \.isIntermediate,
                        "Sign with an intermediate below the root that clients trust; the root's key is thrown away"),
                ])
        ],
        examples: ["pinproof ca init", "pinproof ca init --permit example.com --intermediate"])

    static func run(_ options: CaInitOptions) throws -> ExitCode {
        let folder = try StateFolder(options.state)
        let now = Int64(time(nil))
        let authority = try CertificateAuthority.create(
            in: folder.path, key: options.key, days: options.days, permitting: options.permitted,
            intermediate: options.isIntermediate, now: now)
        let summary = AuthoritySummary(
            anchor: authority.root ?? authority.certificate, certificate: authority.certificate,
            path: folder.certificate, now: now)
        try StandardStream.output.write(
            """
            Made a CA for testing. Its key is \(folder.key.printable): keep it here.
            \(summary.text)
            Next: export the certificate and let the client under test trust it:
              pinproof ca export\(folder.arguments.printable) --out pinproof-ca.pem

            """)
        return .asExpected
    }
}
