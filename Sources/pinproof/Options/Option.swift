/// One row of a command's option table: everything that flags, help and the configuration file need to know of it.
struct Option<Values>: Sendable {
    /// What follows the name.
    enum Argument: Sendable {
        /// Nothing on the command line; `true` or `false` may follow in a configuration file.
        case none(apply: @Sendable (inout Values, Bool) -> Void)
        /// A value, called `placeholder` in help.
        case value(placeholder: String, apply: @Sendable (inout Values, String) throws(ValueError) -> Void)
        /// The path of a configuration file.
        case configurationFile
    }

    /// The long name, without dashes.
    let name: String
    /// What follows the name.
    let argument: Argument
    /// What it does, for help: a phrase without a full stop.
    let summary: String
    /// What holds without it, for help; nil if there is nothing to say.
    let standard: String?
    /// Whether each use adds to the ones before instead of replacing them.
    let isRepeatable: Bool
    /// The letter that stands for it too, if it is a switch: `-f`.
    private(set) var letter: Character?
    /// Whether help and suggestions leave it out.
    private(set) var isHidden = false
    /// Whether errors repeat the value that was given.
    private(set) var isQuoted = true

    /// The same option, whose value errors do not repeat: it may be a secret, given by mistake.
    var unquoted: Option {
        var copy = self
        copy.isQuoted = false
        return copy
    }

    /// The same switch, for which a letter stands too.
    func called(_ letter: Character) -> Option {
        var copy = self
        copy.letter = letter
        return copy
    }

    /// The same option, left out of help and suggestions.
    var hidden: Option {
        var copy = self
        copy.isHidden = true
        return copy
    }
}

/// The options of a command as plain values; a fresh one holds the defaults.
protocol OptionValues: Sendable {
    init()
}

/// Where an option's value goes.
typealias Target<Values, Value> = any WritableKeyPath<Values, Value> & Sendable

extension Option where Values: OptionValues {
    /// A switch; giving it sets `target` to `value`.
    static func flag(
        _ name: String, _ target: Target<Values, Bool>, setting value: Bool = true,
        _ summary: String
    ) -> Option {
        Option(
            name: name, argument: .none(apply: { $0[keyPath: target] = $1 ? value : !value }), summary: summary,
            standard: nil, isRepeatable: false)
    }

    /// A value with a default.
    static func value<Value>(
        _ name: String, _ format: ValueFormat<Value>, _ target: Target<Values, Value>,
        _ summary: String
    ) -> Option {
        Option(
            name: name,
            argument: .value(
                placeholder: format.placeholder,
                apply: { (values, text) throws(ValueError) in values[keyPath: target] = try format.parse(text) }),
            summary: summary, standard: format.describe(Values()[keyPath: target]), isRepeatable: false)
    }

    /// A value that may be absent; `standard` says what holds then.
    static func value<Value>(
        _ name: String, _ format: ValueFormat<Value>, _ target: Target<Values, Value?>,
        standard: String? = nil, _ summary: String
    ) -> Option {
        Option(
            name: name,
            argument: .value(
                placeholder: format.placeholder,
                apply: { (values, text) throws(ValueError) in values[keyPath: target] = try format.parse(text) }),
            summary: summary, standard: standard, isRepeatable: false)
    }

    /// A value that may be given several times; `standard` says what holds without any.
    static func repeated<Value>(
        _ name: String, _ format: ValueFormat<Value>, _ target: Target<Values, [Value]>,
        standard: String? = nil, _ summary: String
    ) -> Option {
        Option(
            name: name,
            argument: .value(
                placeholder: format.placeholder,
                apply: { (values, text) throws(ValueError) in values[keyPath: target].append(try format.parse(text)) }),
            summary: summary, standard: standard, isRepeatable: true)
    }

    /// The option that names a configuration file.
    static var configuration: Option {
        Option(
            name: "config", argument: .configurationFile,
            summary: "Read options from FILE: long names, one a line; the command line wins", standard: nil,
            isRepeatable: false)
    }
}
