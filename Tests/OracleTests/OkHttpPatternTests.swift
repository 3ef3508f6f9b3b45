import Crypto
import Foundation
import Pinning
import Testing
import Wire

/// Which hosts a pattern of OkHttp 3.13 is for.
enum OkHttpPatternTable {
    /// Hosts as OkHttp's URLs have them.
    static let hosts = [
        "foo.test", "a.foo.test", "a.b.foo.test", "foo.test.evil.test", "a.foo.test.evil.test", "xfoo.test",
        "foo.test.",
        "a.foo.test.", "test", "localhost", "192.0.2.1", "2.0.2.1", "2001:db8::1", "xn--bcher-kva.test",
        "a.xn--bcher-kva.test", "https", "a*.foo.test", "*.foo.test", "*", "**.foo.test",
    ]

    /// Patterns and the hosts among those that they are for; nil where the builder throws.
    static let rows: [(pattern: String, matches: Set<String>?)] = [
        ("foo.test", ["foo.test"]), ("FOO.Test", ["foo.test"]), ("foo.test.", ["foo.test."]),
        ("*.foo.test", ["a.foo.test", "*.foo.test", "a*.foo.test", "**.foo.test"]),
        ("*.FOO.test", ["a.foo.test", "*.foo.test", "a*.foo.test", "**.foo.test"]),
        ("*.foo.test.", ["a.foo.test."]),
        // What follows the first dot is compared, so that a host without one is compared as a whole.
        ("*.localhost", ["localhost"]), ("*.test", ["foo.test", "xfoo.test", "xn--bcher-kva.test", "test"]),
        ("a.foo.test", ["a.foo.test"]),
        // Up to 4.2 asterisks elsewhere are letters.
        ("**.foo.test", ["**.foo.test"]), ("a*.foo.test", ["a*.foo.test"]), ("*", ["*"]), ("*.*.foo.test", []),
        ("a.*.foo.test", []), ("*foo.test", []),
        ("b\u{FC}cher.test", ["xn--bcher-kva.test"]), ("B\u{DC}CHER.test", ["xn--bcher-kva.test"]),
        ("*.b\u{FC}cher.test", ["a.xn--bcher-kva.test"]), ("xn--bcher-kva.test", ["xn--bcher-kva.test"]),
        ("192.0.2.1", ["192.0.2.1"]), ("*.0.2.1", ["192.0.2.1", "2.0.2.1"]), ("[2001:DB8::1]", ["2001:db8::1"]),
        ("[2001:db8:0:0:0:0:0:1]", ["2001:db8::1"]), ("2001:db8::1", nil), ("foo\u{3002}test", ["foo.test"]),
        // What else a URL may have is cut off: the host of this one is "https".
        ("https://foo.test/v1/", ["https"]), ("foo.test/v1/", ["foo.test"]), ("foo.test:8443", ["foo.test"]),
        ("user@foo.test", ["foo.test"]), ("foo.test?x", ["foo.test"]), ("foo.test#x", ["foo.test"]),
        ("foo.test:x", nil), ("foo.test:70000", nil), ("", nil), ("*.", nil), ("foo..test", nil),
        (".foo.test", nil), ("foo test", nil), ("foo.test..", nil), ("*.*.", []),
        ("test", ["test"]), ("foo_bar.test", []),
    ]

    static var questions: [Question] {
        rows.flatMap { row in hosts.map { Question("matches", Array(row.pattern.utf8), Array($0.utf8)) } }
    }
}

/// What the text of a pin is to OkHttp 3.13.
struct OkHttpPinTable {
    enum Answer: String {
        case yes, no, `throws`
    }

    static let minted = Result { try OkHttpPinTable() }

    let leaf: Certificate
    let rows: [(text: String, answer: Answer)]

    private init() throws {
        // One whose pin is another text in the alphabet for URLs.
        var leaf = try server(by: authority("Pin Root")).certificate
        while !Self.base64(leaf.spkiSHA256).contains(where: { "+/".contains($0) }) {
            leaf = try server(by: authority("Pin Root")).certificate
        }
        self.leaf = leaf
        let pin = Self.base64(leaf.spkiSHA256)
        let sha1 = Self.base64(Digest.sha1(leaf.spki))
        rows = [
            ("sha256/\(pin)", .yes), ("sha1/\(sha1)", .yes), ("sha1/\(pin)", .no), ("sha256/\(sha1)", .no),
            ("sha256/\(Self.base64(leaf.sha256))", .no), ("sha1/\(Self.base64(leaf.sha1))", .no),
            ("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", .no), ("sha256/\(pin.dropLast())", .yes),
            ("sha256/\(pin.replacing("+", with: "-").replacing("/", with: "_"))", .yes), ("sha256/\(pin)=", .yes),
            ("sha256/ \(pin)", .yes), ("sha256/\(pin) \n", .yes),
            ("sha256/\(pin.prefix(20))\n\(pin.dropFirst(20))", .yes),
            ("sha256/\(pin.prefix(42))", .no), ("sha256/\(pin.prefix(41))", .throws), ("sha256/\(pin.prefix(4))", .no),
            ("sha256/\(pin.lowercased())", .no), ("sha256//\(pin)", .no), ("sha256/\(pin)!", .throws), ("sha256/", .no),
            ("sha256/A", .throws), ("sha256/\(pin.dropLast(2))*=", .throws), ("sha256/A=AA", .throws),
            ("SHA256/\(pin)", .throws), ("sha512/\(pin)", .throws), ("md5/\(pin)", .throws), (pin, .throws),
            (" sha256/\(pin)", .throws), ("sha256:\(pin)", .throws), ("", .throws), ("pin-sha256=\"\(pin)\"", .throws),
        ]
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    var questions: [Question] {
        rows.map { Question("pin", Array($0.text.utf8), Array(leaf.pem.utf8)) }
    }
}

@Suite(.asksOkHttp) struct OkHttpPatternTests {
    @Test("C43, C80, PS-4-2: which hosts a pattern is for, and which patterns throw")
    func patterns() throws {
        var answers = try OkHttpOracle.answers.patterns[...]
        for row in OkHttpPatternTable.rows {
            let matching = zip(OkHttpPatternTable.hosts, answers).filter { $0.1 == "yes" }.map(\.0)
            let isThrown = answers.first == "throws"
            answers = answers.dropFirst(OkHttpPatternTable.hosts.count)
            #expect((isThrown ? nil : Set(matching)) == row.matches, "OkHttp: '\(row.pattern)'")
            let policy = OkHttpCertificatePinner(
                version: okhttpVersion, entries: [.init(pattern: row.pattern, pins: ["sha256/AAAA"])])
            let emulated = OkHttpPatternTable.hosts.filter { policy.isPinned($0) }
            #expect(
                (policy.configurationProblem == nil ? Set(emulated) : nil) == row.matches, "Pinproof: '\(row.pattern)'")
        }
    }

    @Test("C80, PS-4-1: what a pin's text is")
    func pins() throws {
        let table = try OkHttpPinTable.minted.get()
        let leaf = [table.leaf].facts
        for (row, answer) in zip(table.rows, try OkHttpOracle.answers.pins) {
            #expect(answer == row.answer.rawValue, "OkHttp: '\(row.text)'")
            let policy = OkHttpCertificatePinner(
                version: okhttpVersion, entries: [.init(pattern: "api.oracle.test", pins: [row.text])])
            let server = ServerTrust(sent: leaf, host: HostName("api.oracle.test"), time: now)
            let emulated: OkHttpPinTable.Answer? =
                switch policy.evaluate(server, using: TrustsEverything()).decision {
                case .accept: .yes
                case .reject: .no
                case .configError: .throws
                case .default: nil
                }
            #expect(emulated == row.answer, "Pinproof: '\(row.text)'")
        }
    }
}
