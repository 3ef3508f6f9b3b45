internal import Crypto

/// The options of `pinproof ca export`.
struct CaExportOptions: OptionValues, Equatable {
    /// The file with the certificate; nil for the one in the state folder.
    var authority: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// How to write it.
    var format = CertificateFormat.pem
    /// The file to write; nil for standard output.
    var out: String?
}

/// How a certificate is written.
enum CertificateFormat: String, Sendable, CaseIterable {
    /// Base64 between lines of dashes (RFC 7468).
    case pem
    /// As it is (X.690), which phones expect in a `.cer` file.
    case der
}

/// `pinproof ca export`: the CA's certificate for a client to trust; never the key.
enum CaExportCommand {
    static let table = OptionTable<CaExportOptions>(
        "ca export",
        summary: "Write a CA's certificate for a client to trust; never the key",
        groups: [
            .init("Local CA", [.authorityCertificate(\.authority), .stateFolder(\.state)]),
            .init(
                "Output",
                [
                    .value("format", .word, \.format, "How to write it"),
                    .value(
                        "out", .path("FILE"), \.out, standard: "standard output",
                        "Write a new FILE; one that is there already is left alone"),
                ]),
        ],
        examples: ["pinproof ca export --format der --out pinproof-ca.cer"])

    static func run(_ options: CaExportOptions) throws -> ExitCode {
        if options.format == .der, options.out == nil, StandardStream.output.isTerminal {
            throw CommandError(
                "refusing to write DER to a terminal", mend: "name a file with --out, or use --format pem")
        }
        let certificate = try CaCertificateFile(authority: options.authority, state: options.state).certificate
        let bytes = options.format == .der ? certificate.der : [UInt8](certificate.pem.utf8)
        if let out = options.out {
            try Files.create(out, bytes)
        } else {
            try StandardStream.output.write(bytes)
        }
        return .asExpected
    }
}
