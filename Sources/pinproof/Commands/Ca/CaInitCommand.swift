internal import Authority
internal import Crypto
internal import Glibc

/// The options of `pinproof ca init`.
struct CaInitOptions: OptionValues, Equatable {
    /// The folder for the CA; nil for the usual one.
    var state: String?
    /// The kind of its key.
    var key = KeyKind.p256
    /// How long it is valid.
    var days = 397
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
            """
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
                ])
        ],
        examples: ["pinproof ca init"])

    static func run(_ options: CaInitOptions) throws -> ExitCode {
        let folder = try StateFolder(options.state)
        let now = Int64(time(nil))
        let authority = try CertificateAuthority.create(
            in: folder.path, key: options.key, days: options.days, now: now)
        let summary = CertificateSummary(certificate: authority.certificate, path: folder.certificate, now: now)
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
