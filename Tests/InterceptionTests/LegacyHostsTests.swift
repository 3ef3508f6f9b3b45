import Interception
import Testing
import Transcript
import Wire

/// C55: peers that speak old versions only are told so, unless their host is open to them.
@Suite struct LegacyHostsTests {
    private static let pattern = HostPattern("api.example.com")!

    /// Feeds a hello and returns what is done about it.
    private func actions(for hello: [UInt8], _ legacy: LegacyHosts = LegacyHosts()) -> (
        actions: [ConnectionAction], failures: [Failure]
    ) {
        var book = Playbook.at(.hello, legacy: legacy)
        let actions = book.feed(.bytes(hello))
        let failures = book.recorded.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
        return (actions, failures)
    }

    @Test(
        "C55: a client below TLS 1.2 is refused with protocol_version in its own version",
        arguments: [
            (0x0301, "not tested: the client offers TLS 1.0 only", true),
            (0x0302, "not tested: the client offers nothing above TLS 1.1", true),
            (0x0300, "not tested: the client offers SSL 3.0 only", false),
        ] as [(UInt16, String, Bool)])
    func oldClient(_ version: UInt16, _ detail: String, _ isMendable: Bool) {
        let (actions, failures) = actions(for: Sample.oldHello(version))
        guard case .recordHello? = actions.first else {
            Issue.record("the hello is not recorded")
            return
        }
        #expect(
            Array(actions.dropFirst())
                == [.reply([0x15, 0x03, UInt8(version & 0xFF), 0x00, 0x02, 0x02, 70])] + Sample.politeEnd)
        #expect(
            failures == [
                Failure(
                    party: .client, code: .clientOutdated, phase: .hello, detail: detail,
                    hint: isMendable ? "open old versions to it with --legacy-client HOST" : nil)
            ])
    }

    @Test("C55: an old client of a host that is open to it goes on", arguments: ["api.example.com", "*", "*:443"])
    func openHost(_ pattern: String) throws {
        let legacy = LegacyHosts(clients: [try #require(HostPattern(pattern))])
        let (actions, failures) = actions(for: Sample.oldHello(0x0301), legacy)
        #expect(actions.last == .secureOrigin(Sample.secured, alpn: []))
        #expect(failures.isEmpty)
    }

    @Test("C55: what is open to other hosts, and to origins, is not open to this client")
    func otherHosts() throws {
        let elsewhere = LegacyHosts(
            clients: [try #require(HostPattern("other.example.com"))], origins: [Self.pattern])
        #expect(actions(for: Sample.oldHello(0x0301), elsewhere).failures.map(\.code) == [.clientOutdated])
    }

    @Test("C55: a client of TLS 1.2 and later is not old") func newClients() {
        #expect(actions(for: Sample.oldHello(0x0303)).failures.isEmpty)
        // TLS 1.3 says its version in an extension; the field of the hello is 0x0303 or, before that was fixed, anything.
        #expect(actions(for: Sample.hello()).failures.isEmpty)
    }

    @Test("C55: an RSA leaf for a client that says nothing of signatures") func leafForOldClient() {
        var book = Playbook.at(
            .originHandshake, hello: Sample.oldHello(0x0301), legacy: LegacyHosts(clients: [Self.pattern]))
        #expect(book.feed(.originSecured(alpn: nil)).contains(.forge(Sample.endpoint, key: .rsa2048)))
    }

    @Test("C55: an origin that answers with protocol_version may be an old one") func oldOrigin() {
        var book = Playbook.at(.originHandshake)
        _ = book.feed(.ended(.origin, .alert(70)))
        let failures = book.failures
        #expect(failures == [.originOutdated])

        var open = Playbook.at(.originHandshake, legacy: LegacyHosts(origins: [Self.pattern]))
        _ = open.feed(.ended(.origin, .alert(70)))
        let others = open.failures
        #expect(others == [.originHandshake])
    }
}
