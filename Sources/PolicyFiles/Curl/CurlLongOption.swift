/// A long option's word, taken apart as curl does.
struct CurlLongOption {
    /// The word as it is written, up to `=`.
    let written: String
    /// The name without dashes, `no-` and `expand-`.
    let name: String
    /// Whether it was given as `no-name`.
    let isNegated: Bool
    /// Whether its parameter holds variables: `expand-name` (8.3).
    let isExpanded: Bool
    /// The parameter that `=` joins to it; nil if none does.
    let joined: String?

    /// Reads a word: a name, behind `--` or not; only behind `--` does `=` end it.
    init(_ word: String) {
        let isDashed = word.hasPrefix("--")
        let option = isDashed ? word.prefix { $0 != "=" } : word[...]
        written = String(option)
        joined = option.endIndex < word.endIndex ? String(word[option.endIndex...].dropFirst()) : nil
        let bare = isDashed ? option.dropFirst(2) : option
        isNegated = bare.hasPrefix("no-")
        isExpanded = bare.hasPrefix("expand-")
        name = String(isNegated ? bare.dropFirst(3) : isExpanded ? bare.dropFirst(7) : bare)
    }
}

/// An option whose parameter is joined to it by `=`, which older releases do not take apart.
struct CurlJoinedOption: Sendable {
    /// The option with its dashes.
    var option: String
    /// The line.
    var line: Int
}
