/// `pinproof ca`: the local CA.
enum CaCommand {
    static let command = Command(
        "ca", summary: "Make the local CA, and issue certificates with it",
        commands: [
            Command(CaInitCommand.table, run: CaInitCommand.run),
            Command(CaShowCommand.table, run: CaShowCommand.run),
            Command(CaIssueCommand.table, run: CaIssueCommand.run),
            Command(CaExportCommand.table, run: CaExportCommand.run),
        ])
}

extension Option where Values: OptionValues {
    /// `--ca`: the certificate to look at.
    static func authorityCertificate(_ target: Target<Values, String?>) -> Option {
        .value(
            "ca", .path("FILE"), target, standard: "ca.pem in the state folder",
            "Certificate of the CA, PEM or DER")
    }
}
