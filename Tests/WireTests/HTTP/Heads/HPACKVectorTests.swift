import TestSupport
import Testing
import Wire

/// The field blocks of RFC 7541 appendix C, which use all representations, Huffman codes, and tables that fill up.
@Suite struct HPACKVectorTests {
    typealias Observation = HTTPHeadWatch.Observation

    /// Appendix C.3, and C.4 with the same texts in Huffman codes: three requests on one connection.
    static let requests = [
        [
            "828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
            "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
        ],
        [
            "828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
            "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
        ],
    ]

    @Test("RFC 7541 C.3 and C.4", arguments: requests, [1, 3, 1000])
    func followsRequests(_ blocks: [String], pieces size: Int) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        var stream = HTTP2Client.preface
        for (index, block) in blocks.enumerated() {
            stream +=
                HTTP2Frame(
                    kind: .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: UInt8(2 * index + 1),
                    payload: bytes(block)
                ).bytes
        }
        let lengths = blocks.map { UInt64($0.count / 2) }
        let host = "www.example.com"
        #expect(
            watch.observe(.client, stream, pieces: size) == [
                .http2(.client, 1, method: "GET", scheme: "http", authority: host, target: "/", length: lengths[0]),
                .contentEnded(.client, exchange: 1, bytes: 0),
                .http2(
                    .client, 3, method: "GET", scheme: "http", authority: host, target: "/",
                    [("cache-control", "no-cache")], length: lengths[1]),
                .contentEnded(.client, exchange: 3, bytes: 0),
                // The field's value in the RFC is custom-value: what ends with "key" is taken for a secret.
                .http2(
                    .client, 5, method: "GET", scheme: "https", authority: host, target: "/index.html",
                    [("custom-key", "(redacted)")], length: lengths[2]),
                .contentEnded(.client, exchange: 5, bytes: 0),
            ])
    }

    /// Appendix C.5, and C.6 with Huffman codes: three responses, with a table of 256 octets that evicts.
    static let responses = [
        [
            """
            4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e176874747073
            3a2f2f7777772e6578616d706c652e636f6d
            """,
            "4803333037c1c0bf",
            """
            88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48
            514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31
            """,
        ],
        [
            """
            488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae
            43d3
            """,
            "4883640effc1c0bf",
            """
            88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af
            27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007
            """,
        ],
    ]

    /// SETTINGS_HEADER_TABLE_SIZE 256 of the client, and what an encoder says first when it obeys (sections 4.2, 6.3).
    private static let smallTable = HTTP2Frame(kind: .settings, payload: [0, 1, 0, 0, 1, 0])
    private static let tableUpdate = bytes("3fe101")

    @Test("RFC 7541 C.5 and C.6, after SETTINGS that were acknowledged", arguments: responses, [1, 3, 1000])
    func followsResponses(_ texts: [String], pieces size: Int) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        var requests = Array(HTTP2Client.preface.prefix(24)) + Self.smallTable.bytes
        var stream =
            HTTP2Frame(kind: .settings).bytes + HTTP2Frame(kind: .settings, flags: HTTP2Frame.acknowledge).bytes
        var blocks = texts.map { bytes($0) }
        blocks[0] = Self.tableUpdate + blocks[0]
        for (index, block) in blocks.enumerated() {
            requests += HTTP2Client.headers(UInt8(2 * index + 1)).bytes
            stream +=
                HTTP2Frame(
                    kind: .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: UInt8(2 * index + 1),
                    payload: block
                ).bytes
        }
        #expect(watch.observe(.client, requests).count == 6)
        let early = ("date", "Mon, 21 Oct 2013 20:13:21 GMT")
        let late = ("date", "Mon, 21 Oct 2013 20:13:22 GMT")
        let (cache, location) = (("cache-control", "private"), ("location", "https://www.example.com"))
        // The cookie's value in the RFC is ASDJKHQKBZXOQWEOPIUAXQWEOIU.
        let cookie = ("set-cookie", "foo=(redacted); max-age=3600; version=1")
        #expect(
            watch.observe(.origin, stream, pieces: size) == [
                .http2(.origin, 1, status: 302, [cache, early, location], length: UInt64(blocks[0].count)),
                .contentEnded(.origin, exchange: 1, bytes: 0),
                .http2(.origin, 3, status: 307, [cache, early, location], length: UInt64(blocks[1].count)),
                .contentEnded(.origin, exchange: 3, bytes: 0),
                .http2(
                    .origin, 5, status: 200, [cache, late, location, ("content-encoding", "gzip"), cookie],
                    length: UInt64(blocks[2].count)),
                .contentEnded(.origin, exchange: 5, bytes: 0),
            ])
    }

    @Test("A smaller table counts once it is acknowledged: then a block must begin with it, and not before")
    func acknowledgement() {
        let response = HTTP2Frame(kind: .headers, flags: HTTP2Frame.endHeaders, stream: 1, payload: [0x88])
        for isAcknowledged in [false, true] {
            for updates in [false, true] {
                let watch = HTTPHeadWatch(applicationProtocol: "h2")
                _ = watch.observe(
                    .client, HTTP2Client.preface + Self.smallTable.bytes + HTTP2Client.headers(1).bytes)
                let acknowledgements = (0..<(isAcknowledged ? 2 : 1)).flatMap { _ in
                    HTTP2Frame(kind: .settings, flags: HTTP2Frame.acknowledge).bytes
                }
                var block = response
                if updates { block.payload = Self.tableUpdate + block.payload }
                let found = watch.observe(.origin, acknowledgements + block.bytes)
                // An encoder may always use less than it is allowed.
                let expected: [Observation] =
                    isAcknowledged && !updates
                    ? [.stopped(.origin, .malformed)]
                    : [.http2(.origin, 1, status: 200, length: UInt64(block.payload.count))]
                #expect(found == expected, "\(isAcknowledged) \(updates)")
            }
        }
    }

    @Test("A larger table may be used once it is acknowledged", arguments: [false, true])
    func largerTable(isAcknowledged: Bool) {
        let watch = HTTPHeadWatch(applicationProtocol: "h2")
        // 8,192 = 31 + 97 + 63 * 128 (RFC 7541 section 5.1).
        let update: [UInt8] = [0x3f, 0xe1, 0x3f]
        _ = watch.observe(
            .client,
            Array(HTTP2Client.preface.prefix(24)) + HTTP2Frame(kind: .settings, payload: [0, 1, 0, 0, 0x20, 0]).bytes)
        let acknowledgement = HTTP2Frame(kind: .settings, flags: HTTP2Frame.acknowledge)
        let found = watch.observe(
            .origin,
            (isAcknowledged ? acknowledgement.bytes : [])
                + HTTP2Frame(kind: .headers, flags: HTTP2Frame.endHeaders, stream: 1, payload: update + [0x88]).bytes)
        #expect(
            found == (isAcknowledged ? [.http2(.origin, 1, status: 200, length: 4)] : [.stopped(.origin, .malformed)]))
    }
}
