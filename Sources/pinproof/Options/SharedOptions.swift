/// Rows that several commands have.
extension Option where Values: OptionValues {
    /// `--state`: where the local CA is kept.
    static func stateFolder(_ target: Target<Values, String?>) -> Option {
        .value(
            "state", .path("DIR"), target, standard: "${XDG_STATE_HOME:-~/.local/state}/pinproof",
            "Folder of the local CA")
    }

    /// `--resolve`: addresses that override DNS.
    static func resolve(_ target: Target<Values, [ResolveOverride]>) -> Option {
        .repeated(
            "resolve", .resolveOverride, target, "Connect to ADDR for HOST instead of asking DNS; IPv6 in brackets")
    }
}

/// Refuses one of two options without the other.
func expectBoth(_ first: String, _ one: String?, _ second: String, _ other: String?) throws(CommandError) {
    guard (one == nil) != (other == nil) else { return }
    let (given, missing) = one != nil ? (first, second) : (second, first)
    throw CommandError("--\(given) needs --\(missing)", mend: "give both or neither")
}
