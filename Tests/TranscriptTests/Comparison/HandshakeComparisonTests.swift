import TestSupport
import Testing
import Transcript
import Wire

/// What makes a difference between two handshakes, and what does not.
@Suite struct HandshakeComparisonTests {
    /// A hello with these suites, extensions in this order, and groups (RFC 8446 section 4.1.2).
    private func hello(
        random: UInt8 = 0, suites: [UInt16] = [0x1301, 0x1302], extensions: [UInt16] = [0x000A, 0x0017, 0x002B],
        groups: [UInt16] = [0x001D, 0x0017], ja3: String = "3", ja4: String = "4"
    ) throws -> HelloRecord {
        func pair(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        let list = groups.flatMap { pair(Int($0)) }
        let block = extensions.flatMap { type -> [UInt8] in
            let body: [UInt8] =
                switch type {
                case 0x000A: pair(list.count) + list
                case 0x002B: [2, 3, 4]
                default: []
                }
            return pair(Int(type)) + pair(body.count) + body
        }
        let message =
            [3, 3] + [UInt8](repeating: random, count: 32) + [1, random] + pair(suites.count * 2)
            + suites.flatMap { pair(Int($0)) } + [1, 0] + pair(block.count) + block
        return HelloRecord(hello: try ClientHello(message: message), ja3Text: "", ja3: ja3, ja4: ja4)
    }

    private func record(_ conversation: Conversation) -> HandshakeRecord {
        var record = HandshakeRecord(connection: 1)
        for (index, kind) in conversation.kinds.enumerated() {
            record.add(Event(connection: 1, monotonic: UInt64(index) * 1_000_000, wall: 0, kind: kind))
        }
        return record
    }

    private func record(_ hello: HelloRecord) -> HandshakeRecord { record(.tunnel() + [.hello(hello)]) }

    private func differences(_ first: HandshakeRecord, _ second: HandshakeRecord) -> [HandshakeDifference] {
        HandshakeComparison(first, second).differences
    }

    @Test func `what is random by nature makes none`() throws {
        let first = record(try hello(random: 1, suites: [0x0A0A, 0x1301], extensions: [0x2A2A, 0x000A, 0x002B]))
        let second = record(
            try hello(random: 2, suites: [0x1301, 0xFAFA], extensions: [0x000A, 0x002B, 0x3A3A, 0x0015], ja3: "33"))
        #expect(differences(first, second) == [])
    }

    @Test func `suites that were added and removed, and their order`() throws {
        let first = record(try hello())
        #expect(
            differences(first, record(try hello(suites: [0x1302, 0x1303]))) == [
                HandshakeDifference(
                    .clientHello, "cipher suites", ["TLS_AES_128_GCM_SHA256"], ["TLS_CHACHA20_POLY1305_SHA256"])
            ])
        #expect(
            differences(first, record(try hello(suites: [0x1302, 0x1301]))) == [
                HandshakeDifference(
                    .clientHello, "order of cipher suites", ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"],
                    ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"])
            ])
    }

    @Test func `the order of extensions is information, and none where a stack shuffles them`() throws {
        let turned: [UInt16] = [0x0017, 0x000A, 0x002B]
        let difference = differences(record(try hello()), record(try hello(extensions: turned, ja3: "33")))
        #expect(difference.map(\.what) == ["order of extensions", "JA3"])
        #expect(difference.map(\.isInformation) == [true, true])
        #expect(difference.first?.second == ["extended_master_secret", "supported_groups", "supported_versions"])
        let grease: [UInt16] = [0x5A5A]
        let shuffled = differences(
            record(try hello(extensions: grease + [0x000A, 0x0017, 0x002B])),
            record(try hello(extensions: grease + turned, ja3: "33")))
        #expect(shuffled == [])
    }

    @Test func `an extension or a group that is new`() throws {
        let second = try hello(extensions: [0x000A, 0x0017, 0x002B, 0x0010], groups: [0x001D], ja3: "33", ja4: "44")
        #expect(
            differences(record(try hello()), record(second)) == [
                HandshakeDifference(.clientHello, "extensions", [], ["application_layer_protocol_negotiation"]),
                HandshakeDifference(.clientHello, "groups", ["secp256r1"], []),
                HandshakeDifference(.clientHello, "JA4", ["4"], ["44"]),
                HandshakeDifference(.clientHello, "JA3", ["3"], ["33"]),
            ])
    }

    @Test func `what was agreed on, and how the client took it`() {
        let differences = differences(
            record(.secured(version: 0x0304, alpn: "h2").alert(48)),
            record(.secured(version: 0x0303, alpn: "http/1.1").exchanged()))
        #expect(
            differences.map { [$0.what] + $0.first + $0.second } == [
                ["version agreed", "TLS 1.3", "TLS 1.2"], ["ALPN agreed", "h2", "http/1.1"],
                ["verdict", "rejected: unknown_ca (48) after the handshake", "accepted"],
                ["client's alerts", "unknown_ca (48)"],
                ["client ended with", "alert unknown_ca (48)", "close_notify"],
            ])
        #expect(!differences.contains { $0.isInformation })
    }

    @Test func `bytes, ports and times make none, but for times that differ by more than five times`() {
        let slow = Conversation(
            kinds: [.message(.origin, .sent, [1])] + (0..<20).map { _ in .firstRequest(protocol: "") })
        let one = record(.secured().exchanged(client: 5, origin: 6))
        #expect(differences(one, record(.secured().exchanged(client: 500, origin: 600))) == [])
        let first = record(Conversation(kinds: slow.kinds + [.secured(.origin, .agreed(0x0304, nil, false))]))
        let second = record(
            Conversation(
                kinds: [
                    .message(.origin, .sent, [1]), .firstData(.client), .secured(.origin, .agreed(0x0304, nil, false)),
                ]))
        let difference = differences(first, second)
        #expect(
            difference.first { $0.what == "handshake took" }
                == HandshakeDifference(.originSession, "handshake took", ["21 ms"], ["2 ms"], isInformation: true))
    }

    @Test func `the origin's chain is compared certificate by certificate, the client's by key and names`() {
        func outline(_ digest: String, _ key: String, _ names: [String]) -> CertificateOutline {
            CertificateOutline(
                digest: digest, subject: "CN=a", issuer: "CN=b", names: names, key: key, notBefore: 0,
                notAfter: 86_400, isSelfSigned: false)
        }
        let certificates = [
            "aa": outline("aa", "EC P-256", ["DNS:a"]), "bb": outline("bb", "RSA 2048", ["DNS:a", "DNS:b"]),
        ]
        let first = record(.tunnel() + [.chain(.origin, ["aa"]), .chain(.client, ["aa"])])
        let second = record(.tunnel() + [.chain(.origin, ["bb", "aa"]), .chain(.client, ["bb"])])
        let found = HandshakeComparison(first, second, certificates: certificates).differences
        #expect(
            found == [
                HandshakeDifference(.clientSession, "names in the forged leaf", [], ["DNS:b"]),
                HandshakeDifference(.originSession, "certificates shown", ["1"], ["2"]),
                HandshakeDifference(.originSession, "leaf, SHA-256", ["aa"], ["bb"]),
                HandshakeDifference(.originSession, "leaf, key", ["EC P-256"], ["RSA 2048"]),
                HandshakeDifference(.originSession, "leaf, names", [], ["DNS:b"]),
            ])
    }

    @Test func `client certificates that were asked for and given`() {
        let asked = IdentityExchange(side: .origin, authorities: ["CN=x"], chain: [])
        let given = IdentityExchange(side: .origin, authorities: ["CN=y"], chain: ["cc"])
        let found = differences(record(.tunnel() + [.identity(asked)]), record(.tunnel() + [.identity(given)]))
        #expect(
            found
                == [
                    HandshakeDifference(.originSession, "CAs asked for", ["CN=x"], ["CN=y"]),
                    HandshakeDifference(.originSession, "client certificate given", [], ["cc"]),
                    HandshakeDifference(.originSession, "its SHA-256", [], ["cc"]),
                ].dropLast())
        #expect(
            differences(record(.tunnel()), record(.tunnel() + [.identity(asked)])).map(\.what) == [
                "client certificate asked for", "CAs asked for",
            ])
    }

    @Test func `a second connection to the origin begins its session anew`() {
        let retried = record(
            .tunnel() + [
                .alert(.origin, .received, level: 2, code: 120), .withheldHTTP2(after: .alert(120), offered: []),
                .connected(origin: "192.0.2.1:443", nanoseconds: 5),
            ])
        #expect(differences(record(.tunnel()), retried).map(\.what) == ["HTTP/2 withheld"])
    }

    /// OpenSSL calls the group of TLS 1.2 "X25519" and P-256 "prime256v1"; the registry does not.
    @Test(arguments: [("X25519", 0x001D, []), ("prime256v1", 0x0017, []), ("secp384r1", 0x001D, ["group"])])
    func `a group is compared by its number, whatever it is called`(
        _ name: String, _ number: UInt16, _ found: [String]
    ) throws {
        func agreed(_ version: UInt16, _ group: String) -> Event.Kind {
            .secured(
                .client,
                TLSParameters(
                    version: version, cipherSuite: 0x1301, cipherSuiteName: "", group: group, alpn: nil,
                    serverName: nil,
                    resumed: false))
        }
        func hello(_ version: [UInt8], _ share: [UInt8]) throws -> Event.Kind {
            let block = [0x00, 0x2B, 0, 2] + version + share
            let message =
                [3, 3] + [UInt8](repeating: 1, count: 32) + [0, 0x13, 0x01, 0, 0, UInt8(block.count)] + block
            return .serverHello(
                .client,
                ServerHelloRecord(hello: try ServerHello(message: message[...]), ja3sText: "", ja3s: "", ja4s: ""))
        }
        let share = [0x00, 0x33, 0, 6, UInt8(number >> 8), UInt8(number & 0xFF), 0, 2, 0xAB, 0xCD]
        let modern = record(.tunnel() + [try hello([3, 4], share), agreed(0x0304, "anything")])
        let old = record(.tunnel() + [agreed(0x0303, name)])
        #expect(differences(modern, old).map(\.what).filter { $0 == "group" } == found)
        #expect(differences(old, modern).flatMap(\.first).contains("secp384r1") == !found.isEmpty)
    }

    @Test func `where events are missing the verdicts differ for information only`() throws {
        let whole = record(.accepting())
        var gapped = HandshakeRecord(connection: 1)
        for (index, kind) in Conversation.accepting().kinds.enumerated() {
            if index == 3 { gapped.add(Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1))) }
            gapped.add(Event(connection: 1, monotonic: UInt64(index) * 1_000_000, wall: 0, kind: kind))
        }
        let found = differences(whole, gapped).filter { $0.part == .outcome }
        #expect(
            found == [
                HandshakeDifference(
                    .outcome, "verdict", ["accepted"], ["not tested: events missing"],
                    isInformation: true),
                HandshakeDifference(.outcome, "events", ["all there"], ["some missing"], isInformation: true),
            ])
    }
}
