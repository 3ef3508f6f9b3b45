import Testing
import Wire

/// When a client of HTTP/2 makes its first request: RFC 9113 sections 3.4, 4.1 and 6.
@Suite struct HTTP2RequestWatchTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// SETTINGS with one setting of six octets.
    private static let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]
    /// WINDOW_UPDATE, PRIORITY, PING and GOAWAY, each of its length.
    private static let others: [UInt8] =
        [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0] + [0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 16]
        + [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1] + [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    /// The header of a HEADERS frame for stream 1 that ends both headers and stream.
    private static let headers: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1]

    private func watch(_ bytes: [UInt8], piece: Int = .max) -> Bool {
        var watch = HTTP2RequestWatch()
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(piece)).withUnsafeBytes { watch.observe($0) }
            rest = rest.dropFirst(piece)
        }
        return watch.hasRequest
    }

    @Test(arguments: [Int.max, 1, 7])
    func preludesAreNoRequest(piece: Int) {
        let prelude = Self.preface + Self.settings + Self.others
        for length in 0...prelude.count { #expect(!watch(Array(prelude.prefix(length)), piece: piece)) }
        for length in 1..<Self.headers.count {
            #expect(!watch(prelude + Self.headers.prefix(length), piece: piece))
        }
        #expect(watch(prelude + Self.headers, piece: piece))
    }

    /// A payload that holds what looks like a frame is skipped.
    @Test func payloadsAreNotLookedAt() {
        let ping: [UInt8] = [0, 0, 9, 6, 0, 0, 0, 0, 0] + Self.headers
        #expect(!watch(Self.preface + ping))
        #expect(watch(Self.preface + ping + Self.headers))
        let endless: [UInt8] = [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]
        #expect(!watch(Self.preface + endless + [UInt8](repeating: 1, count: 100_000), piece: 1000))
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n", "PRI * HTTP/1.1", "x"])
    func whatIsNoHTTP2IsTakenForARequest(_ text: String) {
        #expect(watch(Array(text.utf8)))
    }
}
