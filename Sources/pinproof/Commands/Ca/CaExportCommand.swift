internal import Crypto

/// The options of `pinproof ca export`.
struct CaExportOptions: OptionValues, Equatable {
    /// The file with the certificate; nil for the one in the state folder.
    var authority: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// How to write it.
    var format = CertificateFormat.pem
    /// The password of a trust store; nil for Java's usual one.
    var password: PasswordSource?
    /// The file to write; nil for standard output.
    var out: String?
}

/// How a certificate is written.
enum CertificateFormat: String, Sendable, CaseIterable {
    /// Base64 between lines of dashes (RFC 7468).
    case pem
    /// As it is (X.690), which phones expect in a `.cer` file.
    case der
    /// A trust store for Java (RFC 7292).
    case javaTrustStore = "p12-java"

    /// What a terminal cannot show; nil for text.
    fileprivate var binaryName: String? {
        switch self {
        case .pem: nil
        case .der: "DER"
        case .javaTrustStore: "PKCS#12"
        }
    }
}

/// `pinproof ca export`: the CA's certificate for a client to trust; never the key.
enum CaExportCommand {
    /// The password of Java's own trust store, which its programs expect: it protects against damage, not against readers.
    static let usualPassword = "changeit"

    static let table = OptionTable<CaExportOptions>(
        "ca export",
        summary: "Write a CA's certificate for a client to trust; never the key",
        discussion: [
            """
            p12-java is a trust store for Java: name it with -Djavax.net.ssl.trustStore=FILE and \
            -Djavax.net.ssl.trustStorePassword=\(usualPassword).
            """
        ],
        groups: [
            .init("Local CA", [.authorityCertificate(\.authority), .stateFolder(\.state)]),
            .init(
                "Output",
                [
                    .value("format", .word, \.format, "How to write it"),
                    .value(
                        "out", .path("FILE"), \.out, standard: "standard output",
                        "Write a new FILE; one that is there already is left alone"),
                    .value(
                        "password", .passwordSource, \.password, standard: usualPassword,
                        "Password of a p12-java"
                    ).unquoted,
                ]),
        ],
        examples: [
            "pinproof ca export --format der --out pinproof-ca.cer",
            "pinproof ca export --format p12-java --out pinproof-ca.p12",
        ],
        check: { (options) throws(CommandError) in
            guard options.password == nil || options.format == .javaTrustStore else {
                throw CommandError(
                    "--password contradicts --format \(options.format.rawValue)",
                    mend: "only --format p12-java has a password")
            }
        })

    static func run(_ options: CaExportOptions) throws -> ExitCode {
        if let name = options.format.binaryName, options.out == nil, StandardStream.output.isTerminal {
            throw CommandError(
                "refusing to write \(name) to a terminal", mend: "name a file with --out, or use --format pem")
        }
        let certificate = try CaCertificateFile(authority: options.authority, state: options.state).anchor
        let bytes = try encode(certificate, options)
        if let out = options.out {
            try Files.create(out, bytes)
        } else {
            try StandardStream.output.write(bytes)
        }
        return .asExpected
    }

    private static func encode(_ certificate: Certificate, _ options: CaExportOptions) throws -> [UInt8] {
        switch options.format {
        case .pem: return [UInt8](certificate.pem.utf8)
        case .der: return certificate.der
        case .javaTrustStore:
            let password = try options.password?.read() ?? [UInt8](usualPassword.utf8)
            try PasswordSource.warn(about: password)
            do {
                return try PKCS12Writer.javaTrustStore([("pinproof-ca", certificate)], password: password)
            } catch let error as OpenSSLError {
                throw CommandError("cannot write the trust store", at: "\(error)", code: .internalError)
            }
        }
    }
}
