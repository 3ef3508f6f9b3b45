internal import Authority
internal import Crypto

/// The options of `pinproof ca issue`.
struct CaIssueOptions: OptionValues, Equatable {
    /// Whether to make a root.
    var isRoot = false
    /// The names of the server to make a certificate for.
    var servers: [ServerName] = []
    /// The client to make a certificate for.
    var client: String?
    /// The subject; nil for the usual one.
    var subject: DistinguishedName?
    /// How long it is valid; nil for what is usual.
    var days: Int?
    /// The kind of its key.
    var key = KeyKind.p256
    /// The CA's certificate; nil for the one in the state folder.
    var authority: String?
    /// The CA's key.
    var authorityKey: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// Where the files go.
    var out = "."
    /// What their names begin with; nil to make it of the certificate's name.
    var base: String?
    /// The password of the PKCS#12 file; nil for the empty one.
    var password: PasswordSource?
    /// Whether to print JSON.
    var json = false
}

/// `pinproof ca issue`: certificates for a test set-up, in every form that programs ask for.
enum CaIssueCommand {
    static let table = OptionTable<CaIssueOptions>(
        "ca issue",
        summary: "Issue a certificate for a test server or client, with its key",
        discussion: [
            """
            Writes BASENAME.key.pem (the key), .csr (the request), .pem (the certificate, and any intermediates that \
            are sent with it), .der (the certificate alone) and .p12 (key and whole chain, as curl, Java, Node and \
            Tomcat read it). Key and .p12 are readable by you alone. Nothing is overwritten, and if one file cannot \
            be written none is left.
            """
        ],
        groups: [
            .init(
                "What to issue, one of",
                [
                    .repeated(
                        "server", .serverName, \.servers,
                        "Server's certificate for this DNS name, wildcard or address"),
                    .value("client", .text("NAME"), \.client, "Client's certificate for this name or e-mail address"),
                    .flag("root", \.isRoot, "Root of its own, to issue others with --ca and --ca-key"),
                ]),
            .init(
                "Certificate",
                [
                    .value(
                        "subject", .distinguishedName, \.subject, standard: "CN is the name",
                        "Subject, such as CN=app,O=Example,C=DE"),
                    .value(
                        "days", .number("N", in: CertificateOrder.days), \.days,
                        standard: "\(CertificateOrder.usualDays), of a root \(CertificateOrder.usualRootDays)",
                        "How long it is valid from now on, in days; it begins 2 days ago"),
                    .value(
                        "key", .keyKind(rsaBits: CertificateOrder.rsaBits, hasEd25519: true), \.key,
                        "Kind of key: P-256, RSA of 2048 to 8192 bits, Ed25519"),
                ]),
            .init(
                "CA that signs",
                [
                    .value(
                        "ca", .path("FILE"), \.authority, standard: "ca.pem in the state folder",
                        "Its certificate in PEM, and those above it"),
                    .value("ca-key", .path("FILE"), \.authorityKey, "Its key in PEM, needed with --ca"),
                    .stateFolder(\.state),
                ]),
            .init(
                "Output",
                [
                    .value("out", .path("DIR"), \.out, "Folder of the files, made if need be"),
                    .value(
                        "name", .baseName, \.base, standard: "after the certificate",
                        "What the files' names begin with"),
                    .value(
                        "password", .passwordSource, \.password, standard: "the empty password",
                        "Password of the .p12"
                    ).unquoted,
                    .flag("json", \.json, "Print JSON"),
                ]),
        ],
        examples: [
            "pinproof ca issue --server api.example.com --server 127.0.0.1 --out tls",
            "pinproof ca issue --client app --password env:P12_PASSWORD --out tls",
            "pinproof ca issue --root --out other",
            "pinproof ca issue --ca other/root.pem --ca-key other/root.key.pem \\\n    --client stranger --out other",
        ],
        check: { (options) throws(CommandError) in
            let kinds = [options.isRoot, !options.servers.isEmpty, options.client != nil]
            guard kinds.count(where: { $0 }) == 1 else {
                throw CommandError(
                    kinds.contains(true) ? "contradicting options" : "missing option", at: "--server, --client, --root",
                    mend: "give one of them; --server may be repeated")
            }
            try expectBoth("ca", options.authority, "ca-key", options.authorityKey)
            guard !options.isRoot || (options.authority == nil && options.state == nil) else {
                throw CommandError("--root needs no CA", mend: "leave out --ca, --ca-key and --state")
            }
        })
}
