import Testing

@testable import Wire

/// The framing of request bodies (RFC 9112 sections 6.2 and 7.1).
@Suite struct AnswerHTTP1BodyTests {
    /// Reads `text` in pieces; returns the content and what was left over, or nil if it was refused.
    private func read(
        _ reader: HTTP1BodyReader, _ text: String, pieces: Int
    ) -> (content: String, rest: String, isComplete: Bool)? {
        var reader = reader
        var bytes = [UInt8](text.utf8)[...]
        var content: [UInt8] = []
        while !bytes.isEmpty, !reader.isComplete {
            let step = try? bytes.prefix(pieces).withUnsafeBytes { input in
                let (taken, piece) = try reader.read(input)
                return (taken, [UInt8](piece))
            }
            guard let (taken, piece) = step, taken > 0 else { return nil }
            bytes = bytes.dropFirst(taken)
            content += piece
        }
        return (String(decoding: content, as: UTF8.self), String(decoding: bytes, as: UTF8.self), reader.isComplete)
    }

    @Test(arguments: [1, 2, 3, 1000])
    func readsALength(pieces: Int) throws {
        let body = try #require(read(.length(5), "helloGET", pieces: pieces))
        #expect(body == ("hello", "GET", true))
        let part = try #require(read(.length(5), "hell", pieces: pieces))
        #expect(part == ("hell", "", false))
    }

    @Test(arguments: [1, 2, 3, 1000])
    func readsChunks(pieces: Int) throws {
        let text = "5\r\nhello\r\n00A;name=\"v\" \r\n, world...\r\n1 \r\n!\r\n000\r\nTrailer: x\r\nOther: y\n\r\nGET"
        let body = try #require(read(.chunked, text, pieces: pieces))
        #expect(body == ("hello, world...!", "GET", true))
    }

    @Test(arguments: ["0\r\n\r\n", "0\r\n\n", "0;x\r\nA: b\r\n\r\n"])
    func readsAnEmptyChunkedBody(text: String) throws {
        let body = try #require(read(.chunked, text + "next", pieces: 4))
        #expect(body == ("", "next", true))
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "-1\r\n", "0x5\r\nhello\r\n", "5\nhello\r\n", "5\r\rhello", "5\r\nhello0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r0", ";x\r\n", "5;x\nhello\r\n",
        "00000000000000005\r\nhello\r\n0\r\n\r\n", "1ffffffffffffffff\r\n",
    ])
    func refusesWhatCouldBeReadInTwoWays(text: String) {
        #expect(read(.chunked, text, pieces: 1000) == nil)
    }

    @Test func boundsExtensionsAndTrailers() throws {
        let extensions = String(repeating: "e", count: 4095)
        #expect(try #require(read(.chunked, "0;\(extensions)\r\n\r\n", pieces: 1000)).isComplete)
        #expect(read(.chunked, "0;\(extensions)e\r\n\r\n", pieces: 1000) == nil)
        let trailers = String(repeating: "T: x\r\n", count: 10_922)
        #expect(try #require(read(.chunked, "0\r\n\(trailers)\r\n", pieces: 1000)).isComplete)
        #expect(read(.chunked, "0\r\n\(trailers)T: x\r\n\r\n", pieces: 1000) == nil)
    }

    @Test func takesTheLargestChunk() throws {
        let body = try #require(read(.chunked, "ffffffffffffffff\r\nabc", pieces: 1000))
        #expect(body == ("abc", "", false))
    }
}
