import Testing
import Transcript
import Wire

@testable import pinproof

/// The annotated `config/pinproof.conf` against the table of `pinproof proxy`.
@Suite struct SampleConfigurationTests {
    /// The lines that hold an option behind a `#`, without it.
    private func samples() throws -> [String] {
        try Repository.text("config/pinproof.conf").split(separator: "\n").filter { line in
            line.hasPrefix("#") && line.dropFirst().first?.isLetter == true
        }.map { String($0.dropFirst()) }
    }

    private func options(_ text: String) throws -> ProxyOptions {
        let parsed = try ProxyCommand.table.parse(["--config", "pinproof.conf"]) { (_) throws(CommandError) in
            [UInt8](text.utf8)
        }
        guard case .values(let options) = parsed else { throw HelpInstead() }
        return options
    }

    private struct HelpInstead: Error {}

    @Test func `as it is delivered it changes nothing`() throws {
        #expect(try options(Repository.text("config/pinproof.conf")) == ProxyOptions())
    }

    @Test func `it names every option, in the order of help`() throws {
        let names = try ConfigurationFile.parse([UInt8](samples().joined(separator: "\n").utf8)).map(\.name)
        #expect(
            names == [
                "listen", "port", "workers", "proxy-auth-file", "ca", "ca-key", "state", "phases", "label",
                "junit", "expect", "default", "only", "resolve", "origin-ca", "origin-pin", "scenario", "aia",
                "identity", "identity-password", "identity-allow-weak",
                "request-client-cert",
                "require-client-cert", "client-ca", "legacy-client", "legacy-origin", "intercept", "tunnel", "answer",
                "refuse",
                "json", "quiet", "transcript", "capture", "transcript-size", "transcript-keep", "sign",
                "sign-password", "keylog", "pcapng", "connect-timeout", "greeting-timeout", "silence-timeout",
                "hello-timeout", "handshake-timeout", "idle-timeout", "drain-timeout", "max-connections",
                "max-greeting", "max-hello", "max-chain", "max-buffer",
            ])
        #expect(names + ["config"] == ProxyCommand.table.options.map(\.name))
    }

    @Test func `all its lines together are understood`() throws {
        let options = try options(samples().joined(separator: "\n"))
        #expect(options.authority == "/path/to/ca.pem")
        #expect(
            options.interception.rules.map(\.pattern.description) == [
                "api.example.com", "*.apple.com", "api.example.net", "ads.example.com",
            ])
    }

    @Test func `a line shows the default, where there is one`() throws {
        let examples: Set = [
            "workers", "proxy-auth-file", "max-connections", "ca", "ca-key", "state", "resolve", "origin-ca",
            "origin-pin", "scenario", "identity", "identity-password", "request-client-cert", "require-client-cert",
            "client-ca",
            "legacy-client", "legacy-origin", "intercept", "tunnel", "answer", "refuse", "transcript", "capture",
            "transcript-size", "transcript-keep", "sign", "sign-password", "keylog", "pcapng", "phases",
            "label", "junit", "expect", "only", "idle-timeout",
        ]
        for sample in try samples() {
            let name = String(sample.prefix { $0 != " " })
            guard !examples.contains(name) else { continue }
            #expect(try options(sample) == ProxyOptions(), "\(sample)")
        }
    }

    @Test func `the expectations are understood as well`() throws {
        let expectations = try Expectations(Repository.text("config/expectations.txt"))
        // Nobody was asked for, so that each of its four lines is left.
        #expect(expectations.compare([]).map(\.expected) == [.pinned, .unpinned, .tunnelled, .refused])
    }
}
