/// The options of `pinproof transcript verify`.
struct VerifyOptions: OptionValues, Equatable {
    /// The files of the run, in their order.
    var files: [String] = []
    /// The closing digest that was kept elsewhere.
    var digest: [UInt8]?
    /// The file with the signature; nil for the one beside the last file, if there is one.
    var signature: String?
    /// Files with the certificates of those who may have signed.
    var signers: [String] = []
    /// Files with the certificates of CAs.
    var authorities: [String] = []
    /// The connection to tell everything of; nil for the summary.
    var connection: UInt64?
    /// Whether to print JSON.
    var json = false
}

/// `pinproof transcript verify`: recorded handshakes, proven again from the files alone.
enum VerifyCommand {
    static let table = OptionTable<VerifyOptions>(
        "transcript verify",
        summary: "Prove recorded handshakes again, offline, from the files alone",
        discussion: [
            """
            Recomputes what a transcript claims: signatures and Finished of every handshake, chains, hellos and \
            fingerprints, the records on the wire, alerts, verdicts, and the digest that leads from each line to the \
            next. Says what is proven, what is not and why, and what is false. Where a run goes on in run.2.jsonl, that \
            is read after run.jsonl by itself; of a run whose first file is gone all files are given, in their order.
            """,
            """
            A forger can compute all digests again. Compare the closing digest with the one that was printed when the \
            run was recorded (--digest), or have the run signed (--sign) and name the signer (--signer): both catch it.
            """,
            """
            Exit codes: 0 if everything that can be checked holds; 1 if something is false; 2 if a file cannot be \
            read; 3 if nothing could be proven of any connection.
            """,
        ],
        groups: [
            .init(
                "Evidence from elsewhere",
                [
                    .value("digest", .digest, \.digest, "The closing digest as it was kept elsewhere"),
                    .value(
                        "signature", .path("FILE"), \.signature,
                        standard: "the last TRANSCRIPT with .p7s, if it is there",
                        "The signature over the last TRANSCRIPT: detached CMS, DER"),
                    .repeated(
                        "signer", .path("FILE"), \.signers,
                        "Certificate of who has to have signed, PEM or DER"),
                    .repeated(
                        "ca", .path("FILE"), \.authorities,
                        "Certificate of a CA that the run names by its digest, PEM or DER"),
                ]),
            .init(
                "Output",
                [
                    .value("connection", .connection, \.connection, "Tell every claim of this connection"),
                    .flag("json", \.json, "Print JSON: a line for each connection, then a summary"),
                ]),
        ],
        operands: .files(placeholder: "TRANSCRIPT", \.files),
        examples: [
            "pinproof transcript verify run.jsonl",
            "pinproof transcript verify run.jsonl run.2.jsonl --connection 12",
        ])
}
