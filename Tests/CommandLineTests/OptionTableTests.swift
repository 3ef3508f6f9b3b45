import Authority
import Testing
import Transcript
import Wire

@testable import pinproof

/// How a table reads command lines, shown on `proxy`'s, which has every kind of option.
@Suite struct OptionTableTests {
    /// Reads a command line; `files` are the configuration files that there are.
    private func parse(
        _ arguments: [String], files: [String: String] = [:]
    ) throws(CommandError) -> Parsed<ProxyOptions> {
        try ProxyCommand.table.parse(arguments) { (path) throws(CommandError) in
            guard let text = files[path] else { throw CommandError("cannot open file", at: path) }
            return [UInt8](text.utf8)
        }
    }

    private func options(_ arguments: String..., files: [String: String] = [:]) throws -> ProxyOptions {
        guard case .values(let options) = try parse(arguments, files: files) else { throw HelpInstead() }
        return options
    }

    private struct HelpInstead: Error {}

    /// The line that is printed when a command line is wrong.
    private func complaint(_ arguments: [String], files: [String: String] = [:]) -> String? {
        do throws(CommandError) {
            _ = try parse(arguments, files: files)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `without arguments everything has its default`() throws {
        let options = try options()
        #expect(options.listen.text == "127.0.0.1")
        #expect(options.port == 8080)
        #expect(options.workers == nil)
        #expect(options.interception.resolve.isEmpty)
        #expect(options.interception.rules.isEmpty)
        #expect(!options.json)
        #expect(options.interception.connectTimeout == .seconds(10))
    }

    @Test func `every option reaches its value`() throws {
        let options = try options(
            "--listen", "::1", "--port", "0", "--workers", "2", "--ca", "ca.pem", "--ca-key", "ca.key", "--state",
            "/var/pinproof", "--resolve", "a.test:127.0.0.1", "--resolve", "b.test:127.0.0.2", "--origin-ca", "o1.pem",
            "--origin-ca", "o2.pem", "--tunnel", "*.apple.com", "--refuse", "*", "--transcript", "run.jsonl", "--json",
            "--capture", "heads", "--capture", "bytes=4K", "--transcript-size", "10M", "--transcript-keep", "3",
            "--sign", "signer.p12", "--sign-password", "env:SIGNER", "--keylog", "keys.log", "--pcapng", "run.pcapng",
            "--quiet", "--connect-timeout", "1.5", "--handshake-timeout", "2", "--idle-timeout", "3",
            "--drain-timeout", "0.25", "--greeting-timeout", "4", "--silence-timeout", "0.5", "--hello-timeout", "5",
            "--max-connections", "7", "--max-greeting", "2k", "--max-hello", "2048", "--max-chain", "8K",
            "--max-buffer", "1M",
            "--proxy-auth-file", "users.txt")
        #expect(options.listen.text == "::1")
        #expect(options.port == 0)
        #expect(options.workers == 2)
        #expect(options.authority == "ca.pem")
        #expect(options.authorityKey == "ca.key")
        #expect(options.state == "/var/pinproof")
        #expect(options.interception.resolve.map(\.host.text) == ["a.test", "b.test"])
        #expect(options.interception.originAuthorities == ["o1.pem", "o2.pem"])
        #expect(options.interception.rules.map(\.pattern.description) == ["*.apple.com", "*"])
        #expect(options.interception.rules.map(\.decision) == [.tunnel, .refuse])
        #expect(options.recording.transcript == "run.jsonl")
        #expect(options.recording.capture == Capture(heads: true, bytes: 4096))
        #expect(options.recording.size == 10 << 20)
        #expect(options.recording.kept == 3)
        #expect(options.recording.signer?.file == "signer.p12")
        #expect(options.recording.signerPassword == .environment("SIGNER"))
        #expect(options.recording.keyLog == "keys.log")
        #expect(options.recording.pcapng == "run.pcapng")
        #expect(options.json)
        #expect(options.quiet)
        #expect(options.interception.connectTimeout == .milliseconds(1500))
        #expect(options.interception.handshakeTimeout == .seconds(2))
        #expect(options.interception.idleTimeout == .seconds(3))
        #expect(options.drainTimeout == .milliseconds(250))
        #expect(options.interception.greetingTimeout == .seconds(4))
        #expect(options.interception.silenceTimeout == .milliseconds(500))
        #expect(options.interception.helloTimeout == .seconds(5))
        #expect(options.interception.maxConnections == 7)
        #expect(options.interception.maxGreeting == 2048)
        #expect(options.interception.maxHello == 2048)
        #expect(options.interception.maxChain == 8192)
        #expect(options.interception.maxBuffer == 1_048_576)
        #expect(options.credentials == "users.txt")
    }

    @Test func `the last of several single values stands`() throws {
        #expect(try options("--port", "1", "--port=2").port == 2)
    }

    @Test func `rules of both kinds keep their common order`() throws {
        let rules = try options("--refuse", "a.test", "--tunnel", "b.test", "--refuse", "c.test").interception.rules
        #expect(rules.map(\.decision) == [.refuse, .tunnel, .refuse])
    }

    @Test(arguments: [["--help"], ["-h"], ["--port", "1", "--help", "--wrong"]])
    func help(arguments: [String]) throws {
        #expect(try parse(arguments) == .help)
    }

    @Test func `the command line replaces single values of the file and adds to repeatable ones`() throws {
        let file = """
            port 1
            workers 3
            json
            quiet = true
            tunnel = file.test
            resolve: file.test:127.0.0.1
            """
        let options = try options(
            "--port", "2", "--tunnel", "line.test", "--config", "proxy.conf", "--resolve", "line.test:127.0.0.2",
            files: ["proxy.conf": file])
        #expect(options.port == 2)
        #expect(options.workers == 3)
        #expect(options.json)
        #expect(options.quiet)
        #expect(options.interception.rules.map(\.pattern.description) == ["file.test", "line.test"])
        #expect(options.interception.resolve.map(\.host.text) == ["file.test", "line.test"])
    }

    @Test func `of several files the later replaces the earlier`() throws {
        let options = try options(
            "--config", "a.conf", "--config", "b.conf",
            files: ["a.conf": "port 1\nworkers 3\nquiet", "b.conf": "port 2\nquiet = false"])
        #expect(options.port == 2)
        #expect(options.workers == 3)
        #expect(!options.quiet)
    }

    /// Command lines, and what is printed about them.
    static let complaints: [([String], String)] = [
        (["--lisen", "::1"], "pinproof: unknown option: --lisen; did you mean --listen?"),
        (["--halp"], "pinproof: unknown option: --halp; did you mean --help?"),
        (["--xyz=1"], "pinproof: unknown option: --xyz; 'pinproof proxy --help' lists the options"),
        (["-p", "1"], "pinproof: unknown option: -p; 'pinproof proxy --help' lists the options"),
        (
            ["--re", "x"],
            "pinproof: ambiguous option: --re; it could be --resolve or --request-client-cert or --require-client-cert or --refuse"
        ),
        (["--hel"], "pinproof: ambiguous option: --hel; it could be --hello-timeout or --help"),
        (["--max-hello=129K"], "pinproof: not a size in range: --max-hello: 129K; use octets from 1K to 128K"),
        (["--max-hello=K"], "pinproof: not a size in range: --max-hello: K; use octets from 1K to 128K"),
        (
            ["--max-buffer=99999999999999999M"],
            "pinproof: not a size in range: --max-buffer: 99999999999999999M; use octets from 16K to 16M"
        ),
        (["--port"], "pinproof: missing value: --port; write --port N"),
        (["--json=yes"], "pinproof: unexpected value: --json; it is a switch and takes none"),
        (["--help=yes"], "pinproof: unexpected value: --help; it is a switch and takes none"),
        (["example.com"], "pinproof: unexpected argument: example.com; 'pinproof proxy --help' lists the options"),
        (["--", "--json"], "pinproof: unexpected argument: --json; 'pinproof proxy --help' lists the options"),
        (
            ["--port", "99999"],
            "pinproof: not a port: --port: 99999; use a number from 0 (any free port) to 65535"
        ),
        (["--workers=0"], "pinproof: not a number in range: --workers: 0; use a whole number from 1 to 256"),
        (
            ["--listen", "localhost"],
            "pinproof: not an IP address: --listen: localhost; use one such as 127.0.0.1 or ::1"
        ),
        (
            ["--tunnel", "a b"],
            "pinproof: not a host pattern: --tunnel: a b; use a host, '*.example.com' or '*', with ':PORT' if need be"
        ),
        (
            ["--resolve", "a.test"],
            "pinproof: not an address for a host: --resolve: a.test; "
                + "write it as api.example.com:443:127.0.0.1:8443, both ports optional, IPv6 in brackets"
        ),
        (
            ["--idle-timeout", "1h"],
            "pinproof: not a time limit: --idle-timeout: 1h; use seconds from 0.001 to 86400, such as 2.5"
        ),
        (["--transcript", ""], "pinproof: empty path: --transcript: ; name a file or folder"),
        (["--ca", "ca.pem"], "pinproof: --ca needs --ca-key; give both or neither"),
        (["--ca-key", "ca.key"], "pinproof: --ca-key needs --ca; give both or neither"),
        (["--config", "absent.conf"], "pinproof: cannot open file: absent.conf"),
    ]

    @Test(arguments: complaints)
    func complains(arguments: [String], expected: String) {
        #expect(complaint(arguments) == expected)
    }

    /// Configuration files, and what is printed about them.
    static let fileComplaints: [(String, String)] = [
        ("# a\n\nlisen ::1", "pinproof: unknown option: p.conf:3: lisen; did you mean listen?"),
        ("xyz 1", "pinproof: unknown option: p.conf:1: xyz; 'pinproof proxy --help' lists the options"),
        // Abbreviations are for typing, not for files; files name no files, and give no help.
        ("conn 1", "pinproof: unknown option: p.conf:1: conn; 'pinproof proxy --help' lists the options"),
        ("config b.conf", "pinproof: unknown option: p.conf:1: config; 'pinproof proxy --help' lists the options"),
        ("help", "pinproof: unknown option: p.conf:1: help; 'pinproof proxy --help' lists the options"),
        ("-h", "pinproof: unknown option: p.conf:1: -h; 'pinproof proxy --help' lists the options"),
        ("Port 1", "pinproof: unknown option: p.conf:1: Port; did you mean port?"),
        ("port", "pinproof: missing value: p.conf:1: port; write it as N after the name"),
        ("port =", "pinproof: missing value: p.conf:1: port; write it as N after the name"),
        ("json yes", "pinproof: not true or false: p.conf:1: json: yes; give the name alone to switch it on"),
        (
            "\nport: http",
            "pinproof: not a port: p.conf:2: port: http; use a number from 0 (any free port) to 65535"
        ),
        ("ca \"x", "pinproof: quote is not closed: p.conf:1; end the value with a double quote"),
        ("ca ca.pem", "pinproof: --ca needs --ca-key; give both or neither"),
    ]

    @Test(arguments: fileComplaints)
    func complainsAboutFile(text: String, expected: String) {
        #expect(complaint(["--config", "p.conf"], files: ["p.conf": text]) == expected)
    }

    @Test func `a wrong value in the file is not hidden by the command line`() {
        #expect(
            complaint(["--port", "1", "--config", "p.conf"], files: ["p.conf": "port x"])
                == "pinproof: not a port: p.conf:1: port: x; use a number from 0 (any free port) to 65535")
    }
}
