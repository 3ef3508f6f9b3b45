import Crypto
import PinClient
import Testing
import Wire

@testable import pinproof

/// What is particular to the options of single commands.
@Suite struct CommandOptionsTests {
    private func complaint<Values>(_ parse: () throws(CommandError) -> Parsed<Values>) -> String? {
        do {
            _ = try parse()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `check has a policy that pins nothing unless told otherwise`() throws {
        var expected = CheckOptions()
        expected.url = try CheckURL("https://api.example.com/")
        #expect(try CheckCommand.options(from: ["--url", "https://api.example.com/"]) == .values(expected))
        #expect(expected.trust == .system)
        #expect(expected.mode == nil)
        #expect(!expected.allowsInvalidCertificates)
        #expect(expected.validatesDomainName)
    }

    @Test func `check reads every option`() throws {
        var expected = CheckOptions()
        expected.url = try CheckURL("https://api.example.com:8443/a")
        expected.proxy = Endpoint("127.0.0.1:8080")
        expected.resolve = [try #require(ResolveOverride("api.example.com:127.0.0.1"))]
        expected.trust = .file("ca.pem")
        expected.mode = .certificate
        expected.pins = ["a.cer", "b.cer"]
        expected.allowsInvalidCertificates = true
        expected.validatesDomainName = false
        expected.timeout = .milliseconds(500)
        expected.json = true
        let parsed = try CheckCommand.options(from: [
            "--url", "https://api.example.com:8443/a", "--proxy", "127.0.0.1:8080", "--resolve",
            "api.example.com:127.0.0.1", "--trust", "ca.pem", "--af-mode", "certificate", "--pin", "a.cer", "--pin",
            "b.cer", "--allow-invalid", "--no-validate-domain", "--timeout", "0.5", "--json",
        ])
        #expect(parsed == .values(expected))
    }

    @Test func `check needs a URL, except for its help`() throws {
        #expect(
            complaint { () throws(CommandError) in try CheckCommand.options(from: ["--json"]) }
                == "pinproof: missing option: --url; name what to fetch: --url https://HOST/, "
                + "or a saved --chain")
        #expect(try CheckCommand.options(from: ["--help"]) == .help)
    }

    @Test func `check says what is wrong with a URL`() {
        #expect(
            complaint { () throws(CommandError) in try CheckCommand.options(from: ["--url", "http://a.test/"]) }
                == "pinproof: not an https URL: --url: http://a.test/; "
                + "the scheme is http: only https has a certificate to check")
    }

    @Test func `origin reads every option`() throws {
        var expected = OriginOptions()
        #expect(expected.port == 8443)
        expected.listen = try #require(HostName("::1"))
        expected.port = 0
        expected.names = [try #require(HostName("api.example.com")), try #require(HostName("127.0.0.1"))]
        expected.json = true
        let parsed = try OriginCommand.options(from: [
            "--listen", "::1", "--port", "0", "--name", "api.example.com", "--name", "127.0.0.1", "--json",
        ])
        #expect(parsed == .values(expected))
    }

    @Test(arguments: [
        (["--cert", "a.pem"], "pinproof: --cert needs --key; give both or neither"),
        (["--key", "a.key"], "pinproof: --key needs --cert; give both or neither"),
        (
            ["--cert", "a.pem", "--key", "a.key", "--name", "a.test"],
            "pinproof: --name contradicts --cert; the names are those of the certificate file"
        ),
        (["--config", "x"], "pinproof: unknown option: --config; 'pinproof origin --help' lists the options"),
    ])
    func originComplains(arguments: [String], expected: String) {
        #expect(complaint { () throws(CommandError) in try OriginCommand.options(from: arguments) } == expected)
    }

    @Test func `demo's hidden option works, and is not suggested`() throws {
        var expected = DemoOptions()
        expected.swapsAuthorities = true
        #expect(try DemoCommand.options(from: ["--swap-cas"]) == .values(expected))
        #expect(
            complaint { () throws(CommandError) in try DemoCommand.options(from: ["--swap-ca"]) } == nil,
            "an abbreviation is enough")
        #expect(
            complaint { () throws(CommandError) in try DemoCommand.options(from: ["--swip-cas"]) }
                == "pinproof: unknown option: --swip-cas; 'pinproof demo --help' lists the options")
    }
    @Test(
        arguments: [
            ([], .p256), (["--key", "ec"], .p256), (["--key=rsa:2048"], .rsa(2048)),
            (["--key", "rsa:4096"], .rsa(4096)),
        ] as [([String], KeyKind)])
    func keyKind(arguments: [String], expected: KeyKind) throws {
        var options = CaInitOptions()
        options.key = expected
        #expect(try CaInitCommand.table.parse(arguments) == .values(options))
    }
}
