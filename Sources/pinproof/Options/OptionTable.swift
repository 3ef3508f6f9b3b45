/// The one description of a command's options; flags, `--help` and the configuration file are all made from it.
struct OptionTable<Values: OptionValues>: Sendable {
    /// Options that belong together, under a heading in help.
    struct Group: Sendable {
        let title: String
        let options: [Option<Values>]

        init(_ title: String, _ options: [Option<Values>]) {
            self.title = title
            self.options = options
        }
    }

    /// The words that follow the options.
    enum Operands: Sendable {
        /// A command of the user's with its arguments; its first word ends the options.
        case command(Target<Values, [String]>)
        /// One file, called `placeholder` in help; options may stand on both sides of it.
        case file(placeholder: String, Target<Values, String>)
        /// The same, which may be left out.
        case optionalFile(placeholder: String, Target<Values, String?>)
        /// Several words, called `placeholders` in help, of which the first so many have to be there.
        case words(placeholders: [String], required: Int, Target<Values, [String]>)
        /// One file or several, in their order.
        case files(placeholder: String, Target<Values, [String]>)
    }

    /// The words that call the command, such as `ca init`.
    let command: String
    /// What the command does, in one line.
    let summary: String
    /// More about it: one paragraph each.
    let discussion: [String]
    /// The options of the command's own, in the order of help.
    let groups: [Group]
    /// What follows the options; nil where nothing may.
    let operands: Operands?
    /// Whether `--config FILE` is one of the options.
    let readsConfiguration: Bool
    /// Command lines to copy.
    let examples: [String]
    /// Looks at the options together, once all were read, and says what is missing or contradicts itself.
    let check: @Sendable (Values) throws(CommandError) -> Void

    init(
        _ command: String, summary: String, discussion: [String] = [], groups: [Group],
        operands: Operands? = nil,
        readsConfiguration: Bool = false,
        examples: [String],
        check: @escaping @Sendable (Values) throws(CommandError) -> Void = { (_) throws(CommandError) in }
    ) {
        self.command = command
        self.summary = summary
        self.discussion = discussion
        self.groups = groups
        self.operands = operands
        self.readsConfiguration = readsConfiguration
        self.examples = examples
        self.check = check
    }

    /// All options, in the order of help, without `--help`, which every command has.
    var options: [Option<Values>] { groups.flatMap(\.options) + (readsConfiguration ? [.configuration] : []) }
}
