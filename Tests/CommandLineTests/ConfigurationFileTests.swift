import Testing

@testable import pinproof

@Suite struct ConfigurationFileTests {
    typealias Entry = ConfigurationFile.Entry

    /// Lines, and the name and the value in them.
    static let lines: [(String, String, String?)] = [
        // The three ways to write a value, and the dashes that may stay.
        ("port 8080", "port", "8080"), ("port = 8080", "port", "8080"), ("port=8080", "port", "8080"),
        ("port: 8080", "port", "8080"), ("port : 8080", "port", "8080"), ("port:8080", "port", "8080"),
        ("--port 8080", "port", "8080"), ("--port=8080", "port", "8080"), ("\t port \t 8080 \t", "port", "8080"),
        // Only one separator is one: the rest is the value.
        ("ca = =x", "ca", "=x"), ("ca ==x", "ca", "=x"), ("ca ::x", "ca", "::x"),
        // A colon after a blank begins an IPv6 address, unless a blank follows it.
        ("listen ::1", "listen", "::1"), ("listen: ::1", "listen", "::1"), ("listen = ::1", "listen", "::1"),
        ("listen ::", "listen", "::"), ("listen : ::", "listen", "::"),
        ("resolve a.test:443:[::1]:8443", "resolve", "a.test:443:[::1]:8443"),
        // Quotes and escapes.
        (#"ca "my ca.pem""#, "ca", "my ca.pem"), (#"ca="my ca.pem" # mine"#, "ca", "my ca.pem"),
        (#"ca "a\"b\\c\td\ne\rf""#, "ca", "a\"b\\c\td\ne\rf"), (##"ca "#1""##, "ca", "#1"), (#"ca """#, "ca", ""),
        // Inside a value a quote or a number sign is itself.
        ("ca a#b", "ca", "a#b"), (#"ca a"b"#, "ca", #"a"b"#), ("tunnel *.example.com # all", "tunnel", "*.example.com"),
        // No value.
        ("json", "json", nil), ("json # please", "json", nil), ("json =", "json", nil), ("json = # x", "json", nil),
    ]

    @Test(arguments: lines)
    func line(text: String, name: String, value: String?) throws {
        #expect(try ConfigurationFile.parse([UInt8](text.utf8)) == [Entry(name: name, value: value, line: 1)])
    }

    @Test(arguments: ["", "\n\n", "# comment", "   # comment", "#port 1", "\r\n", "\u{FEFF}# comment"])
    func nothing(text: String) throws {
        #expect(try ConfigurationFile.parse([UInt8](text.utf8)).isEmpty)
    }

    @Test func `lines are counted whatever ends them, and a byte order mark is no text`() throws {
        let text = "\u{FEFF}port 1\r\n\r\n# comment\r\nlisten ::1\n\n\nquiet"
        #expect(
            try ConfigurationFile.parse([UInt8](text.utf8)) == [
                Entry(name: "port", value: "1", line: 1), Entry(name: "listen", value: "::1", line: 4),
                Entry(name: "quiet", value: nil, line: 7),
            ])
    }

    /// Texts, what is wrong with them, and in which line.
    static let faults: [(String, String, Int)] = [
        ("ca my ca.pem", "text after the value", 1),
        ("port 1\nca \"a\" b", "text after the value", 2),
        ("ca \"a\"# no blank", "text after the value", 1),
        ("ca \"my ca.pem", "quote is not closed", 1),
        ("ca \"a\\", "unknown escape", 1),
        ("ca \"C:\\x\"", "unknown escape", 1),
        ("\n\n= 8080", "no option name", 3),
        ("-- 8080", "no option name", 1),
        ("port 1\nca \u{0}", "control character", 2),
        ("port 1\rlisten ::1", "control character", 1),
        ("ca \u{1B}[2J", "control character", 1),
    ]

    @Test(arguments: faults)
    func fault(text: String, what: String, line: Int) {
        let fault = #expect(throws: ConfigurationFile.Fault.self) {
            try ConfigurationFile.parse([UInt8](text.utf8))
        }
        #expect(fault?.what == what)
        #expect(fault?.line == line)
    }

    @Test func `bytes that are no text are refused in their line`() {
        let fault = #expect(throws: ConfigurationFile.Fault.self) {
            try ConfigurationFile.parse([0x23, 0x0A, 0xFF, 0xFE])
        }
        #expect(fault?.what == "not UTF-8 text")
        #expect(fault?.line == 2)
    }
}
