import Testing

@testable import Wire

/// Handshake messages, written by hand from RFC 8446 section 4, RFC 5246 section 7.4 and RFC 8422 section 5.4.
@Suite struct HandshakeMessageTests {
    private static let tls12: UInt16 = 0x0303
    private static let tls13: UInt16 = 0x0304

    private func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }

    private func decode(_ type: UInt8, _ body: [UInt8], _ version: UInt16) throws -> HandshakeMessage {
        try HandshakeMessage(message(type, body), version: version)
    }

    @Test func `certificates, before TLS 1.3 and since`() throws {
        guard case .certificate(let old) = try decode(11, [0, 0, 9, 0, 0, 2, 1, 2, 0, 0, 1, 3], Self.tls12),
            case .certificate(let new) = try decode(
                11, [1, 0xAA, 0, 0, 13, 0, 0, 2, 1, 2, 0, 6, 0, 5, 0, 2, 7, 8], Self.tls13)
        else {
            Issue.record("no certificates")
            return
        }
        #expect(old.entries.map(\.der) == [[1, 2], [3]])
        #expect(old.context.isEmpty)
        #expect(new.context == [0xAA])
        #expect(new.entries.map(\.der) == [[1, 2]])
        #expect(new.entries[0].extensions == [TLSExtension(type: 5, body: [7, 8])])
    }

    @Test func `requests for a certificate, before TLS 1.3 and since`() throws {
        guard
            case .certificateRequest(let old) = try decode(
                13, [2, 1, 64, 0, 4, 4, 3, 8, 4, 0, 5, 0, 3, 0x30, 1, 0], Self.tls12),
            case .certificateRequest(let new) = try decode(
                13, [0, 0, 19, 0, 13, 0, 4, 0, 2, 4, 3, 0, 47, 0, 7, 0, 5, 0, 3, 0x30, 1, 0], Self.tls13)
        else {
            Issue.record("no request")
            return
        }
        #expect(old.certificateTypes == [1, 64])
        #expect(old.signatureAlgorithms == [0x0403, 0x0804])
        #expect(old.authorities == [[0x30, 1, 0]])
        #expect(new.certificateTypes.isEmpty)
        #expect(new.signatureAlgorithms == [0x0403])
        #expect(new.authorities == [[0x30, 1, 0]])
    }

    @Test func `a server's share on a curve and over a field`() throws {
        guard
            case .serverKeyExchange(let curve) = try decode(
                12, [3, 0, 0x1D, 2, 0xAB, 0xCD, 8, 4, 0, 1, 0x55], Self.tls12),
            case .serverKeyExchange(let field) = try decode(
                12, [0, 1, 23, 0, 1, 2, 0, 1, 9, 4, 1, 0, 2, 0x55, 0x66], Self.tls12)
        else {
            Issue.record("no share")
            return
        }
        let ecdhe = try curve.ellipticCurve(version: Self.tls12)
        #expect(ecdhe.group == 0x001D)
        #expect(ecdhe.parameters == [3, 0, 0x1D, 2, 0xAB, 0xCD])
        #expect(ecdhe.scheme == 0x0804)
        #expect(ecdhe.signature == [0x55])
        let dhe = try field.finiteField(version: Self.tls12)
        #expect(dhe.group == nil)
        #expect(dhe.parameters == [0, 1, 23, 0, 1, 2, 0, 1, 9])
        #expect(dhe.scheme == 0x0401)
        #expect(dhe.signature == [0x55, 0x66])
        #expect(throws: WireError.unsupported("curve type")) { try field.ellipticCurve(version: Self.tls12) }
    }

    @Test func `tickets, before TLS 1.3 and since`() throws {
        guard case .newSessionTicket(let old) = try decode(4, [0, 0, 0x1C, 0x20, 0, 2, 5, 6], Self.tls12),
            case .newSessionTicket(let new) = try decode(
                4, [0, 0, 0x1C, 0x20, 1, 2, 3, 4, 1, 9, 0, 2, 5, 6, 0, 8, 0, 42, 0, 4, 0, 0, 0x40, 0], Self.tls13)
        else {
            Issue.record("no ticket")
            return
        }
        #expect(old.lifetime == 7200 && old.ticket == [5, 6] && old.maxEarlyData == nil)
        #expect(new.lifetime == 7200 && new.ticket == [5, 6] && new.maxEarlyData == 16384)
    }

    @Test func `the others`() throws {
        #expect(
            try decode(15, [4, 3, 0, 2, 1, 2], Self.tls13) == .certificateVerify(scheme: 0x0403, signature: [1, 2]))
        // Before TLS 1.2 the key decides alone.
        #expect(try decode(15, [0, 2, 1, 2], 0x0302) == .certificateVerify(scheme: nil, signature: [1, 2]))
        #expect(try decode(20, [1, 2, 3], Self.tls13) == .finished([1, 2, 3]))
        #expect(try decode(24, [1], Self.tls13) == .keyUpdate(isRequested: true))
        #expect(try decode(24, [0], Self.tls13) == .keyUpdate(isRequested: false))
        #expect(try decode(0, [], Self.tls12) == .helloRequest)
        #expect(try decode(14, [], Self.tls12) == .serverHelloDone)
        #expect(try decode(5, [], Self.tls13) == .endOfEarlyData)
        #expect(try decode(16, [1, 2], Self.tls12) == .clientKeyExchange([1, 2]))
        #expect(try decode(22, [1, 0, 0, 2, 5, 6], Self.tls12) == .certificateStatus([5, 6]))
        #expect(
            try decode(8, [0, 6, 0, 16, 0, 2, 1, 2], Self.tls13)
                == .encryptedExtensions([TLSExtension(type: 16, body: [1, 2])]))
        #expect(try decode(99, [1], Self.tls13) == .other(type: 99, body: [1]))
    }

    /// Every message cut off anywhere, or with something behind it, is refused, and nothing traps.
    @Test func `what does not fit is refused`() {
        let bodies: [(UInt8, [UInt8], UInt16)] = [
            (11, [0, 0, 5, 0, 0, 2, 1, 2], Self.tls12), (15, [4, 3, 0, 2, 1, 2], Self.tls13), (24, [1], Self.tls13),
            (13, [2, 1, 64, 0, 2, 4, 3, 0, 0], Self.tls12), (4, [0, 0, 0, 1, 0, 1, 5], Self.tls12),
            (8, [0, 4, 0, 16, 0, 0], Self.tls13),
        ]
        for (type, body, version) in bodies {
            for count in 0..<body.count {
                #expect(throws: WireError.self) { try decode(type, Array(body.prefix(count)), version) }
            }
            #expect(throws: WireError.self) { try decode(type, body + [0], version) }
            #expect(throws: WireError.self) {
                try HandshakeMessage(message(type, body).dropLast(), version: version)
            }
        }
        #expect(throws: WireError.self) { try HandshakeMessage([], version: Self.tls13) }
        #expect(throws: WireError.self) { try HandshakeMessage([1, 0xFF, 0xFF, 0xFF], version: Self.tls13) }
    }
}
