import Authority
import Crypto
import Foundation
import Reactor
import TestOrigin
import TestSupport
import Testing
import Transcript
import Wire

/// The name that the origin's certificate is for; nobody resolves it.
let originHost = "origin.pinproof.test"

/// A running test origin, and clients for it.
final class OriginFixture: Sendable {
    let loop: TestLoop
    let server: TestOriginServer
    let trust: TrustStore
    let host: HostName

    init() throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        let authority = try CertificateAuthority.ephemeral(name: "Origin", now: now)
        host = try #require(HostName(originHost))
        loop = try TestLoop()
        server = try TestOriginServer(
            listen: .anyLoopbackPort, identity: authority.issue(LeafRequest(host: host), now: now))
        trust = try TrustStore(anchors: [authority.certificate])
    }

    deinit { server.stop() }

    /// A connection on which nothing was sent.
    func connect(receiveBuffer: Int32? = nil) async throws -> Peer {
        try await .connect(on: loop.loop, to: server.address, receiveBuffer: receiveBuffer)
    }

    /// A client whose handshake is complete.
    func client(
        alpn: [String] = ["http/1.1"], version: UInt16? = nil, receiveBuffer: Int32? = nil
    ) async throws -> Peer {
        let client = try await connect(receiveBuffer: receiveBuffer)
        try await client.beginTLS(to: host, .client(trust: trust, maximumVersion: version), alpn: alpn)
        try await client.secured()
        return client
    }

    /// Asks for something over HTTP/1.1 on a connection of its own.
    func ask(
        _ request: String, body: [UInt8] = [], alpn: [String] = ["http/1.1"], version: UInt16? = nil
    ) async throws -> OriginAnswer {
        let client = try await client(alpn: alpn, version: version)
        try await client.send(Array("\(request)\r\nHost: \(originHost)\r\nConnection: close\r\n\r\n".utf8) + body)
        #expect(try await client.ended() == .fin)
        #expect(client.seen.sawCloseNotify)
        try await client.sendCloseNotify()
        try await client.close()
        return try OriginAnswer(client.seen.received)
    }
}

/// An answer over HTTP/1.1, taken apart.
struct OriginAnswer {
    let head: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        body = Array(bytes[end.upperBound...])
    }

    var status: Substring { head.dropFirst("HTTP/1.1 ".count).prefix(3) }

    /// The body as JSON.
    var json: NSDictionary {
        get throws { try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary) }
    }
}

/// A pattern body as it was documented: Knuth's generator, the highest octet of each state, a period of 65,521.
func patternBody(_ count: Int) -> [UInt8] {
    var body: [UInt8] = []
    while body.count < count { body += patternPeriod.prefix(count - body.count) }
    return body
}

private let patternPeriod: [UInt8] = {
    var state: UInt64 = 0
    return (0..<65_521).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
    }
}()
