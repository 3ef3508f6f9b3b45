import Testing
import Wire

@testable import pinproof

@Suite struct ValueFormatTests {
    @Test(arguments: [("0", 0), ("8080", 8080), ("65535", 65535), ("007", 7)])
    func port(text: String, expected: UInt16) throws {
        #expect(try ValueFormat.listeningPort.parse(text) == expected)
    }

    @Test(arguments: ["", "65536", "-1", "+1", " 1", "1 ", "0x50", "1e3", "http", "99999999999999999999", "٣"])
    func notAPort(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.listeningPort.parse(text) }
    }

    @Test(arguments: [("1", 1), ("256", 256)])
    func number(text: String, expected: Int) throws {
        #expect(try ValueFormat.number("N", in: 1...256).parse(text) == expected)
    }

    @Test(arguments: ["", "0", "257", "-1", "+1", "1.0", "99999999999999999999"])
    func notANumber(text: String) {
        #expect(throws: ValueError(what: "not a number in range", remedy: "use a whole number from 1 to 256")) {
            try ValueFormat.number("N", in: 1...256).parse(text)
        }
    }

    @Test(arguments: [
        ("1", Duration.seconds(1), "1"), ("2.5", .milliseconds(2500), "2.5"), ("0.001", .milliseconds(1), "0.001"),
        ("0.05", .milliseconds(50), "0.05"), ("86400", .seconds(86400), "86400"), ("086400", .seconds(86400), "86400"),
        ("10.250", .milliseconds(10250), "10.25"),
    ])
    func seconds(text: String, expected: Duration, shown: String) throws {
        #expect(try ValueFormat.seconds.parse(text) == expected)
        #expect(ValueFormat.seconds.describe(expected) == shown)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "0", "0.0", "0.0001", "-1", "+1", "1e3", "inf", "nan", "0x1", "1,5", "1.5.5", "86400.001",
        "86401", "99999999999999999999",
    ])
    func notSeconds(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.seconds.parse(text) }
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), ("[::]", "::")])
    func address(text: String, expected: String) throws {
        #expect(try ValueFormat.address.parse(text).text == expected)
    }

    @Test(arguments: ["", "localhost", "127.0.0.1:80", "127.1", "[::1", "*"])
    func notAnAddress(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.address.parse(text) }
    }

    @Test(arguments: ["", "a b", "api.example.com:443", "*.example.com"])
    func notAHost(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.host.parse(text) }
    }

    @Test(arguments: ["", "127.0.0.1", "127.0.0.1:0", "http://127.0.0.1:8080", ":8080", "a:b"])
    func notAnEndpoint(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.endpoint.parse(text) }
    }

    @Test(arguments: ["", "**", "a.*.example.com", "*.127.0.0.1", "*:0", "example.com:https"])
    func notAPattern(text: String) {
        #expect(throws: ValueError.self) { try ValueFormat.pattern.parse(text) }
    }

    @Test func `an empty path is none`() {
        #expect(throws: ValueError.self) { try ValueFormat.path("FILE").parse("") }
    }

    @Test func `the placeholder of words lists them`() throws {
        #expect(ValueFormat<PinningMode>.word.placeholder == "none|certificate|publickey")
        #expect(try ValueFormat<PinningMode>.word.parse("publickey") == .publickey)
        #expect(throws: ValueError(what: "not one of the choices", remedy: "use none, certificate, publickey")) {
            try ValueFormat<PinningMode>.word.parse("PublicKey")
        }
    }

    @Test(arguments: [("system", TrustSource.system), ("./system", .file("./system")), ("ca.pem", .file("ca.pem"))])
    func trust(text: String, expected: TrustSource) throws {
        #expect(try ValueFormat.trust.parse(text) == expected)
    }
}
