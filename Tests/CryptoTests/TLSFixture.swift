import Crypto
import Glibc
import Wire

/// A CA of the test's own, and what hangs on it.
struct TestAuthority {
    static let hour: Int64 = 3600

    let root: TLSIdentity
    let now = Int64(time(nil))

    init(_ name: String = "Test root") throws {
        root = try CertificateTemplate.authority(
            subject: [("CN", name)], notBefore: now - 48 * Self.hour, notAfter: now + Self.hour
        ).identity()
    }

    var trust: TrustStore { get throws { try TrustStore(anchors: root.chain) } }

    /// An issuing CA below the root, valid until `notAfter` seconds from now.
    func intermediate(notAfter: Int64 = hour) throws -> TLSIdentity {
        try CertificateTemplate.authority(
            subject: [("CN", "Test intermediate")], notBefore: now - 48 * Self.hour, notAfter: now + notAfter
        ).identity(issuer: root)
    }

    /// A server's identity, valid from and until so many seconds from now.
    func server(
        _ names: AlternativeName..., notBefore: Int64 = -hour, notAfter: Int64 = hour, key: PrivateKey? = nil,
        issuer: TLSIdentity? = nil
    ) throws -> TLSIdentity {
        try CertificateTemplate.server(names: names, notBefore: now + notBefore, notAfter: now + notAfter)
            .identity(key: key, issuer: issuer ?? root)
    }
}

/// A protocol version as on the wire.
enum Version: UInt16, CaseIterable {
    case tls12 = 0x0303
    case tls13 = 0x0304
}

/// Thrown where a test's own preparation went wrong.
struct Unprepared: Error {}

/// The host that most tests are about.
func host(_ text: String = "api.pinproof.test") throws -> HostName {
    guard let host = HostName(text) else { throw Unprepared() }
    return host
}

/// Two sessions, and the wire between them.
final class TLSPair {
    let client: TLSSession
    let server: TLSSession
    /// How many bytes the wire delivers at once.
    var segment = Int.max

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    /// A pair that agrees, unless told otherwise.
    convenience init(
        _ authority: TestAuthority, identity: TLSIdentity? = nil, trust: TrustStore? = nil, to name: String? = nil,
        verify: TLSSession.Verification = .trustAndName, version: Version = .tls13, offering: [String] = [],
        agreeing: String? = nil
    ) throws {
        let clients = try TLSContext.client(trust: trust ?? authority.trust, maximumVersion: version.rawValue)
        let host = try name.map(host) ?? host()
        self.init(
            client: try .connecting(clients, to: host, verify: verify, alpn: offering.map { [UInt8]($0.utf8) }),
            server: try .accepting(
                .server(), identity: identity ?? authority.server(.dns(host.text)),
                alpn: agreeing.map { [UInt8]($0.utf8) }))
    }

    /// Takes both handshakes as far as they go.
    @discardableResult
    func handshake() -> (client: TLSSession.HandshakeStep, server: TLSSession.HandshakeStep) {
        var steps = (client: client.handshake(), server: TLSSession.HandshakeStep.needsInput)
        while !client.outbound.isEmpty || !server.outbound.isEmpty {
            if carry(client.outbound, to: server.inbound) { steps.server = server.handshake() }
            if carry(server.outbound, to: client.inbound) { steps.client = client.handshake() }
        }
        return steps
    }

    /// Delivers one segment; false if there was nothing to deliver.
    @discardableResult
    func carry(_ source: ByteQueue, to target: ByteQueue) -> Bool {
        let bytes = source.withBytes { [UInt8]($0.prefix(segment)) }
        target.append(bytes)
        source.consume(bytes.count)
        return !bytes.isEmpty
    }

    /// Sends `bytes` and returns what the other end read, with the last thing that reading said.
    func send(_ bytes: [UInt8], from sender: TLSSession, to receiver: TLSSession) -> (
        bytes: [UInt8], end: TLSSession.ReadStep
    ) {
        let plain = ByteQueue()
        let arrived = ByteQueue()
        plain.append(bytes)
        while case .bytes(1...) = sender.write(from: plain, upTo: 262_144) {}
        var end = receiver.read(into: arrived, upTo: .max)
        while carry(sender.outbound, to: receiver.inbound) { end = receiver.read(into: arrived, upTo: .max) }
        while case .bytes(1...) = end { end = receiver.read(into: arrived, upTo: .max) }
        return (arrived.takeAll(), end)
    }
}
