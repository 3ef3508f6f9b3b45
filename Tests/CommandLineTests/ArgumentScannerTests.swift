import Testing

@testable import pinproof

@Suite struct ArgumentScannerTests {
    static let names: [ArgumentScanner.Name] = [
        .init(long: "ca", takesValue: true), .init(long: "ca-key", takesValue: true),
        .init(long: "json", takesValue: false), .init(long: "resolve", takesValue: true),
        .init(long: "refuse", takesValue: true), .init(long: "follow", takesValue: false, letter: "f"),
    ]

    @Test(
        arguments: [
            ([], []),
            (["--json"], [.option(2, nil)]),
            (["--ca", "a.pem"], [.option(0, "a.pem")]),
            (["--ca=a.pem"], [.option(0, "a.pem")]),
            (["--ca="], [.option(0, "")]),
            (["--ca", "--json"], [.option(0, "--json")]),
            // An exact name wins over longer ones; other abbreviations have to be unambiguous.
            (["--ca-k", "k"], [.option(1, "k")]),
            (["--js"], [.option(2, nil)]),
            // Operands keep their place; nothing is an option after "--", nor is a lone dash.
            (["a", "--json", "b"], [.operand("a"), .option(2, nil), .operand("b")]),
            (["--", "--json", "-h"], [.operand("--json"), .operand("-h")]),
            (["-", ""], [.operand("-"), .operand("")]),
            // Help ends the reading, so that it works in front of anything.
            (["--json", "--help", "--wrong"], [.option(2, nil), .help]),
            (["-h"], [.help]),
            // A letter stands for a switch.
            (["-f", "a"], [.option(5, nil), .operand("a")]),
            (["-fh"], [.option(5, nil), .help]),
            (["--ca", "schlüssel.pem"], [.option(0, "schlüssel.pem")]),
        ] as [([String], [ArgumentScanner.Item])])
    func splits(arguments: [String], into expected: [ArgumentScanner.Item]) throws {
        #expect(try ArgumentScanner.scan(arguments, names: Self.names) == expected)
    }

    @Test(
        arguments: [
            (["--wrong"], .unknown("--wrong")),
            (["--wrong=value"], .unknown("--wrong")),
            (["-x"], .unknown("-x")),
            (["-xh"], .unknown("-x")),
            (["--re", "x"], .ambiguous("--re")),
            (["--json", "--ca"], .missingValue("--ca")),
            (["--json=yes"], .unexpectedValue("--json")),
            (["--help=yes"], .unexpectedValue("--help")),
        ] as [([String], ArgumentScanner.Fault)])
    func refuses(arguments: [String], with expected: ArgumentScanner.Fault) {
        #expect(throws: expected) { try ArgumentScanner.scan(arguments, names: Self.names) }
    }

    @Test func `scans do not disturb each other on several threads`() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let words = (0..<50).flatMap { ["--ca", "\(number)-\($0)"] }
                    let expected = (0..<50).map { ArgumentScanner.Item.option(0, "\(number)-\($0)") }
                    return (try? ArgumentScanner.scan(words, names: Self.names)) == expected
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
