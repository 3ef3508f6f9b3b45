internal import Glibc

/// The options of `pinproof ca show`.
struct CaShowOptions: OptionValues, Equatable {
    /// The file with the certificate; nil for the one in the state folder.
    var authority: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// Whether to print JSON.
    var json = false
}

/// `pinproof ca show`: what a person needs to recognise the CA.
enum CaShowCommand {
    static let table = OptionTable<CaShowOptions>(
        "ca show",
        summary: "Show a CA's fingerprints, validity, key and pin",
        groups: [
            .init("Local CA", [.authorityCertificate(\.authority), .stateFolder(\.state)]),
            .init("Output", [.flag("json", \.json, "Print JSON")]),
        ],
        examples: ["pinproof ca show"])

    static func run(_ options: CaShowOptions) throws -> ExitCode {
        let file = try CaCertificateFile(authority: options.authority, state: options.state)
        let summary = AuthoritySummary(
            anchor: file.anchor, certificate: file.certificate, path: file.path, now: Int64(time(nil)))
        try StandardStream.output.write(options.json ? summary.json : [UInt8](summary.text.utf8))
        return .asExpected
    }
}
