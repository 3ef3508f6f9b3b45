import Crypto
import PinClient
import Pinning
import Testing
import Wire

/// AFNetworking's policies against right and wrong servers, over real TLS.
///
/// Expectations from PS-1.1 to PS-1.3.
@Suite(.timeLimit(.minutes(5))) struct CheckPolicyTests {
    /// Which server the client meets.
    enum Server: Sendable {
        /// The one that it expects.
        case genuine
        /// One of another authority, which the platform trusts too.
        case otherAuthority
        /// One of an authority that nobody trusts.
        case untrusted
        case expired, otherHost
    }

    /// What the policy pins.
    enum Pinned: Sendable {
        case nothing, leaf, authority, renewedLeaf, stranger
    }

    struct Row: Sendable, CustomStringConvertible {
        var mode: AFSecurityPolicy.Mode
        var pinned = Pinned.nothing
        var allowInvalid = false
        var validatesDomain = true
        var server: Server
        var decision: PolicyVerdict.Decision
        var rule: String
        /// The alert that the server gets; nil if it is accepted.
        var alert: UInt8?

        var description: String { "\(rule): \(mode), \(pinned) pinned, \(server)" }
    }

    static let rows: [Row] = [
        Row(mode: .none, server: .genuine, decision: .accept, rule: "PS-1.1-7"),
        Row(mode: .none, server: .otherAuthority, decision: .accept, rule: "PS-1.1-7"),
        Row(mode: .none, server: .untrusted, decision: .reject, rule: "PS-1.1-7", alert: 48),
        Row(mode: .none, server: .expired, decision: .reject, rule: "PS-1.1-7", alert: 45),
        Row(mode: .none, server: .otherHost, decision: .reject, rule: "PS-1.1-7", alert: 42),
        Row(mode: .none, validatesDomain: false, server: .otherHost, decision: .accept, rule: "PS-1.1-7"),
        Row(
            mode: .none, allowInvalid: true, validatesDomain: false, server: .untrusted, decision: .accept,
            rule: "PS-1.1-7"),
        Row(mode: .none, allowInvalid: true, server: .genuine, decision: .reject, rule: "PS-1.1-G", alert: 42),

        Row(mode: .certificate, pinned: .leaf, server: .genuine, decision: .accept, rule: "PS-1.3-1"),
        Row(mode: .certificate, pinned: .authority, server: .genuine, decision: .accept, rule: "PS-1.3-1"),
        Row(
            mode: .certificate, pinned: .authority, server: .otherAuthority, decision: .reject, rule: "PS-1.3-1",
            alert: 42),
        Row(mode: .certificate, pinned: .stranger, server: .genuine, decision: .reject, rule: "PS-1.3-1", alert: 42),
        Row(
            mode: .certificate, pinned: .renewedLeaf, server: .genuine, decision: .reject, rule: "PS-1.3-1",
            alert: 42),
        Row(
            mode: .certificate, pinned: .authority, server: .untrusted, decision: .reject, rule: "PS-1.1-7",
            alert: 48),
        Row(
            mode: .certificate, pinned: .leaf, allowInvalid: true, server: .untrusted, decision: .accept,
            rule: "PS-1.3-1"),
        Row(
            mode: .certificate, pinned: .authority, allowInvalid: true, server: .untrusted, decision: .accept,
            rule: "PS-1.3-1"),
        Row(
            mode: .certificate, pinned: .leaf, allowInvalid: true, server: .expired, decision: .reject,
            rule: "PS-1.3-1", alert: 45),
        Row(
            mode: .certificate, pinned: .leaf, allowInvalid: true, server: .otherHost, decision: .reject,
            rule: "PS-1.3-1", alert: 42),
        Row(
            mode: .certificate, pinned: .leaf, allowInvalid: true, validatesDomain: false, server: .otherHost,
            decision: .accept, rule: "PS-1.3-1"),

        Row(mode: .publicKey, pinned: .leaf, server: .genuine, decision: .accept, rule: "PS-1.3-2"),
        Row(mode: .publicKey, pinned: .renewedLeaf, server: .genuine, decision: .accept, rule: "PS-1.3-2"),
        Row(mode: .publicKey, pinned: .authority, server: .genuine, decision: .accept, rule: "PS-1.3-2"),
        Row(mode: .publicKey, pinned: .stranger, server: .genuine, decision: .reject, rule: "PS-1.3-2", alert: 42),
        Row(mode: .publicKey, pinned: .leaf, server: .untrusted, decision: .reject, rule: "PS-1.1-7", alert: 48),
        Row(
            mode: .publicKey, pinned: .leaf, allowInvalid: true, server: .untrusted, decision: .accept,
            rule: "PS-1.3-2"),
        Row(
            mode: .publicKey, pinned: .leaf, allowInvalid: true, server: .expired, decision: .accept,
            rule: "PS-1.3-2"),
        // The server does not send its root, so it is not on the path.
        Row(
            mode: .publicKey, pinned: .authority, allowInvalid: true, server: .untrusted, decision: .reject,
            rule: "PS-1.3-2", alert: 42),
    ]

    @Test(arguments: rows) func decidesWithinTheHandshake(_ row: Row) async throws {
        let chain = try TestChain { template in
            if row.server == .expired { template.notAfter = testTime - 1 }
            if row.server == .otherHost { template.alternativeNames = [.dns("other.pinproof.test")] }
        }
        let stranger = try TestChain()
        let pinnedChain = row.server == .otherAuthority ? stranger : chain
        let pin: Certificate? =
            switch row.pinned {
            case .nothing: nil
            case .leaf: pinnedChain.leaf
            case .authority: pinnedChain.root
            case .renewedLeaf: try pinnedChain.renewed()
            case .stranger: try TestChain().leaf
            }
        let policy = AFSecurityPolicy(
            mode: row.mode, pins: pin.map { [.init("pin.cer", $0)] } ?? [],
            allowInvalidCertificates: row.allowInvalid, validatesDomainName: row.validatesDomain)
        let test = try TestLoop()
        let server = try await TestServer.start(on: test, chain.server)
        let anchors = row.server == .untrusted ? [stranger.root] : [chain.root, stranger.root]
        let result = try await Check(policy, trusting: anchors, at: server.address).run(on: test.loop)

        let verdict = try #require(result.verdict)
        #expect(verdict.decision == row.decision)
        #expect(verdict.reason.rule.description == row.rule)
        #expect(result.failure == nil)
        #expect(result.sentChain == [chain.leaf])
        #expect(result.alert == row.alert)
        let record = try #require(await server.nextRecord())
        if row.decision == .accept {
            #expect(result.response?.statusLine == "HTTP/1.1 200 OK")
            #expect(record.requestText.hasPrefix("GET /path?query HTTP/1.1\r\nHost: \(testHost)\r\n"))
        } else {
            #expect(result.response == nil)
            #expect(result.parameters == nil)
            #expect(record.request == [], "no byte of the request leaves before the verdict")
            #expect(record.alerts == [row.alert])
        }
    }
}
