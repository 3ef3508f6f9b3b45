import Authority
import Crypto
import Engine
import Glibc
import TestSupport
import Testing
import Wire

/// A channel with a peer, and what both need for TLS.
struct ChannelFixture {
    let loop: TestLoop
    let authority: CertificateAuthority
    let identity: TLSIdentity
    let channel: ChannelDriver
    let peer: Peer

    init(peerBuffer: Int32? = nil) async throws {
        loop = try TestLoop()
        let now = Int64(time(nil))
        authority = try .ephemeral(now: now)
        identity = try authority.issue(LeafRequest(host: .required(testHost)), now: now)
        (channel, peer) = try await ChannelDriver.pair(on: loop.loop, peerBuffer: peerBuffer)
    }

    func clientContext(_ version: UInt16? = nil) throws -> TLSContext {
        try .client(trust: TrustStore(anchors: [authority.certificate]), maximumVersion: version)
    }

    /// A fixture in which the channel has accepted the peer's handshake.
    static func accepted(version: UInt16? = nil, peerBuffer: Int32? = nil) async throws -> ChannelFixture {
        let fixture = try await ChannelFixture(peerBuffer: peerBuffer)
        try await fixture.peer.beginTLS(to: .required(testHost), fixture.clientContext(version))
        try await fixture.channel.accept(.server(), identity: fixture.identity)
        try await fixture.secured()
        return fixture
    }

    /// A fixture in which the channel has connected to the peer.
    static func connected(version: UInt16? = nil, peerBuffer: Int32? = nil) async throws -> ChannelFixture {
        let fixture = try await ChannelFixture(peerBuffer: peerBuffer)
        try await fixture.peer.beginTLS(.server(maximumVersion: version), identity: fixture.identity)
        try await fixture.channel.connect(fixture.clientContext(version), to: .required(testHost))
        try await fixture.secured()
        return fixture
    }

    private func secured() async throws {
        try await peer.secured()
        try await channel.wait("the channel's handshake") { $0.isSecured }
    }
}

/// Bytes that show when some are missing, doubled or in the wrong place.
func pattern(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        BodyPattern.fill(into: UnsafeMutableRawBufferPointer(buffer), offset: 0)
        length = count
    }
}

/// Expects two long runs of bytes to be the same; an expectation that compares them itself prints all of them.
func expectSame(
    _ bytes: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    guard bytes != expected else { return }
    let place = zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    Issue.record(
        "\(bytes.count) bytes in place of \(expected.count); the first that differs: \(place.map(String.init) ?? "none")",
        sourceLocation: sourceLocation)
}
