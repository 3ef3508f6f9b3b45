/// The options of `pinproof demo`.
struct DemoOptions: OptionValues, Equatable {
    /// The file for the transcript; nil for one in the folder for temporary files.
    var transcript: String?
    /// Whether to print JSON.
    var json = false
    /// Whether to give the client the wrong one of the two CAs, so that the table must differ from the expected one.
    var swapsAuthorities = false
}

/// `pinproof demo`: the main job in one command.
enum DemoCommand {
    static let table = OptionTable<DemoOptions>(
        "demo",
        summary: "Show everything on loopback, with nothing to configure",
        discussion: [
            """
            Starts a test server, a proxy whose CA the client trusts and one whose CA it does not, and sends clients \
            with different pinning policies directly and through both. Prints what was expected of each, what \
            happened, and why.
            """,
            "Exit codes: 0 if every cell is as expected, 1 if not, 3 if a client could not be asked.",
        ],
        groups: [
            .init(
                "Output",
                [
                    .value(
                        "transcript", .path("FILE"), \.transcript, standard: "a new file, which is printed",
                        "Record every event to FILE as JSON Lines"),
                    .flag("json", \.json, "Print JSON"),
                    .flag("swap-cas", \.swapsAuthorities, "Give the client the wrong CA").hidden,
                ])
        ],
        examples: ["pinproof demo"])

    /// Reads the options of the command line.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<DemoOptions> {
        try table.parse(arguments)
    }
}
