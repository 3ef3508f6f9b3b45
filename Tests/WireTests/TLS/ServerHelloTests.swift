import TestSupport
import Testing
import Transcript

@testable import Wire

/// Server hellos, written by hand from RFC 8446 section 4.1.3, and their fingerprints.
@Suite struct ServerHelloTests {
    private func hello(
        suite: [UInt8] = [0x13, 0x01], random: [UInt8] = [UInt8](repeating: 7, count: 32), _ extensions: [UInt8]?
    ) throws -> ServerHello {
        var body: [UInt8] = [0x03, 0x03] + random + [0] + suite + [0]
        if let extensions { body += [UInt8(extensions.count >> 8), UInt8(extensions.count & 0xFF)] + extensions }
        return try ServerHello(message: body[...])
    }

    private let versions: [UInt8] = [0x00, 0x2B, 0x00, 0x02, 0x03, 0x04]
    private let share: [UInt8] = [0x00, 0x33, 0x00, 0x05, 0x00, 0x1D, 0x00, 0x01, 0xAB]

    @Test func `its parts are read`() throws {
        let hello = try hello(versions + share)
        #expect(hello.legacyVersion == 0x0303)
        #expect(hello.version == 0x0304)
        #expect(hello.cipherSuite == 0x1301)
        #expect(hello.keyShareGroup == 0x001D)
        #expect(!hello.isRetryRequest)
        #expect(hello.alpn == nil)
        #expect(try self.hello(nil).version == 0x0303)
        // A list of one name, "h2".
        #expect(try self.hello([0x00, 0x10, 0x00, 0x05, 0x00, 0x03, 0x02, 0x68, 0x32]).alpn == Array("h2".utf8))
    }

    /// SHA-256("HelloRetryRequest"), as RFC 8446 section 4.1.3 prints it.
    @Test func `a HelloRetryRequest is one by its random`() throws {
        let random: [UInt8] = [
            0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2, 0xA2,
            0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
        ]
        let hello = try hello(random: random, [0x00, 0x33, 0x00, 0x02, 0x00, 0x17] + versions)
        #expect(hello.isRetryRequest)
        #expect(hello.keyShareGroup == 0x0017)
    }

    /// The JA4S is the published example t130200_1301_234ea6891581; the extensions count in the server's order.
    @Test func `fingerprints`() throws {
        // By sha256sum.
        let digests = [
            "0033,002b": "234ea6891581", "002b,0033": "a56c5b993250",
            "ff01,0000,000b,0023,0010,0017": "17136cd5846b",
        ]
        func digest(_ bytes: [UInt8]) -> [UInt8] {
            Hex.decode((digests[String(decoding: bytes, as: UTF8.self)] ?? "").utf8) ?? []
        }
        let modern = try hello(share + versions)
        #expect(modern.ja3sText == "771,4865,51-43")
        #expect(modern.ja4s(sha256: digest) == "t130200_1301_234ea6891581")
        #expect(try hello(versions + share).ja4s(sha256: digest) == "t130200_1301_a56c5b993250")
        let old = try hello(
            suite: [0xC0, 0x30],
            [0xFF, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x0B, 0, 0, 0, 0x23, 0, 0] + [0, 0x10, 0, 5, 0, 3, 2, 0x68, 0x32]
                + [0, 0x17, 0, 0])
        #expect(old.ja3sText == "771,49200,65281-0-11-35-16-23")
        #expect(old.ja4s(sha256: digest) == "t1206h2_c030_17136cd5846b")
        #expect(try hello(nil).ja4s(sha256: digest) == "t120000_1301_000000000000")
    }

    @Test func `what does not fit is refused`() throws {
        let body = ServerHelloRecord.sampleBody
        // Before TLS 1.3 the block of extensions may be missing: the first 39 octets are a hello.
        for count in 0..<body.count where count != 39 {
            #expect(throws: WireError.self) { try ServerHello(message: body.prefix(count)) }
        }
        #expect(throws: WireError.self) { try ServerHello(message: (body + [0])[...]) }
    }
}
