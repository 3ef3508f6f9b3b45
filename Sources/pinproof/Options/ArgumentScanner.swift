@preconcurrency internal import CGetopt
internal import Glibc
internal import Synchronization

/// Splits a command line into options and operands with the system's `getopt_long`, so that everything users know of it
/// holds: `--name value`, `--name=value`, unambiguous abbreviations, `--` ends the options.
enum ArgumentScanner {
    /// What `getopt_long` has to know of an option.
    struct Name: Equatable {
        let long: String
        let takesValue: Bool
        /// The letter that stands for a switch too, as in `-f`.
        var letter: Character?
    }

    /// One piece of the command line.
    enum Item: Equatable {
        /// The option at this index of the names, and its value.
        case option(Int, String?)
        /// `--help` or `-h`; whatever follows was not looked at.
        case help
        /// A word that is no option.
        case operand(String)
    }

    /// Why the command line cannot be split: the option as it was written, or its whole name where it was understood.
    enum Fault: Error, Equatable {
        case unknown(String)
        case ambiguous(String)
        case missingValue(String)
        case unexpectedValue(String)
    }

    /// `getopt_long` keeps its place in global variables.
    private static let turn = Mutex(())

    /// Values that `getopt_long` returns for long options start here, clear of its letters.
    private static let firstLongValue: Int32 = 0x100

    /// Splits `arguments`, which do not include the program's name.
    ///
    /// - Parameters:
    ///   - arguments: The words.
    ///   - names: The options.
    ///   - endsAtOperand: Whether the first operand ends the options, as where a command with options of its own follows.
    /// - Returns: The pieces, in order.
    /// - Throws: `Fault` for the first word that cannot be understood.
    static func scan(
        _ arguments: [String], names: [Name], endsAtOperand: Bool = false
    ) throws(Fault) -> [Item] {
        let result: Result<[Item], Fault> = turn.withLock { _ in
            Result { () throws(Fault) in
                try scanInTurn(arguments, names: names, order: endsAtOperand ? "+" : "-")
            }
        }
        return try result.get()
    }

    private static func scanInTurn(_ arguments: [String], names: [Name], order: String) throws(Fault) -> [Item] {
        let names = names + [Name(long: "help", takesValue: false)]
        var words: [UnsafeMutablePointer<CChar>?] = (["pinproof"] + arguments).map { strdup($0) } + [nil]
        let rows = names.enumerated().map { index, name in
            option(
                name: strdup(name.long), has_arg: name.takesValue ? required_argument : no_argument, flag: nil,
                val: firstLongValue + Int32(index))
        }
        defer {
            for word in words { free(word) }
            for row in rows { free(UnsafeMutablePointer(mutating: row.name)) }
        }
        let letters = String(names.compactMap(\.letter))
        let terminated = rows + [option(name: nil, has_arg: 0, flag: nil, val: 0)]

        var items: [Item] = []
        optind = 0  // glibc: start afresh
        while true {
            // "-": operands come in their place, as 1; "+": the first ends the options. ":": nothing is printed, and a missing value is told apart.
            let found = getopt_long(Int32(words.count - 1), &words, order + ":h" + letters, terminated, nil)
            let value = optarg.map { String(cString: $0) }
            switch found {
            case -1:
                let rest = words.dropLast().dropFirst(Int(optind))
                return items + rest.compactMap { $0.map { .operand(String(cString: $0)) } }
            case 1: items.append(.operand(value ?? ""))
            case Int32(UInt8(ascii: "h")), firstLongValue + Int32(names.count - 1): return items + [.help]
            case firstLongValue...: items.append(.option(Int(found - firstLongValue), value))
            case Int32(UInt8(ascii: ":")): throw .missingValue(understood(names))
            case let found where names.contains { $0.isCalled(found) }:
                items.append(.option(names.firstIndex { $0.isCalled(found) } ?? 0, value))
            default: throw fault(at: words[Int(optind) - 1].map { String(cString: $0) } ?? "", names: names)
            }
        }
    }

    /// Names what `getopt_long` only calls wrong (`?`).
    private static func fault(at word: String, names: [Name]) -> Fault {
        if optopt >= firstLongValue { return .unexpectedValue(understood(names)) }
        if optopt != 0 { return .unknown("-" + String(UnicodeScalar(UInt8(truncatingIfNeeded: optopt)))) }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let isAmbiguous = names.contains { $0.long.hasPrefix(name) }
        return isAmbiguous ? .ambiguous("--" + name) : .unknown("--" + name)
    }

    /// The option about which `getopt_long` complains.
    private static func understood(_ names: [Name]) -> String { "--" + names[Int(optopt - firstLongValue)].long }
}

extension ArgumentScanner.Name {
    /// Whether `getopt_long` means this option by a letter.
    fileprivate func isCalled(_ found: Int32) -> Bool { letter?.asciiValue.map(Int32.init) == found }
}
