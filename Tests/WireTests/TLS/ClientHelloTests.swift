import Testing
import Wire

@Suite("ClientHello")
struct ClientHelloTests {
    @Test("curl's hello, field by field")
    func curl() throws {
        let hello = try CapturedHello.curl.hello
        #expect(hello.legacyVersion == 0x0303)
        #expect(hello.random == bytes("e37a3919cab91f31b7ad3f9d5db84ddccb4504385a5d904064469204600e905f"))
        #expect(hello.sessionID == bytes("e6324902574c532a701b9a3e7f2df34ec3a98dc2b5ed14baf21723702bbef33d"))
        #expect(
            hello.cipherSuites == [
                0x1302, 0x1303, 0x1301, 0xc02c, 0xc030, 0x009f, 0xcca9, 0xcca8, 0xccaa, 0xc02b, 0xc02f, 0x009e, 0xc024,
                0xc028, 0x006b, 0xc023, 0xc027, 0x0067, 0xc00a, 0xc014, 0x0039, 0xc009, 0xc013, 0x0033, 0x009d, 0x009c,
                0x003d, 0x003c, 0x0035, 0x002f, 0x00ff,
            ])
        #expect(hello.compressionMethods == [0])
        #expect(hello.extensions.map(\.type) == [0, 11, 10, 16, 22, 23, 49, 13, 43, 45, 51, 21])
        #expect(hello.extensions[9].body == [1, 1])
        #expect(hello.serverName == "api.pinproof.test")
        #expect(hello.alpn == [bytes(of: "h2"), bytes(of: "http/1.1")])
        #expect(hello.supportedVersions == [0x0304, 0x0303, 0x0302, 0x0301])
        #expect(hello.supportedGroups == [29, 23, 30, 25, 24, 256, 257, 258, 259, 260])
        #expect(
            hello.signatureAlgorithms == [
                0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0809, 0x080a, 0x080b, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501,
                0x0601, 0x0303, 0x0301, 0x0302, 0x0402, 0x0502, 0x0602,
            ])
        #expect(hello.keyShareGroups == [29])
        #expect(hello.pointFormats == [0, 1, 2])
        #expect(!hello.offersECH)
        #expect(!hello.offersEarlyData)
    }

    @Test("A TLS 1.2 hello without server name has none of what came later")
    func opensslTLS12() throws {
        let hello = try CapturedHello.opensslTLS12.hello
        #expect(hello.legacyVersion == 0x0303)
        #expect(hello.sessionID == [])
        #expect(hello.cipherSuites.count == 28)
        #expect(hello.extensions.map(\.type) == [11, 10, 35, 22, 23, 13])
        #expect(hello.serverName == nil)
        #expect(hello.alpn == nil)
        #expect(hello.supportedVersions == [])
        #expect(hello.keyShareGroups == [])
        #expect(hello.supportedGroups == [29, 23, 30, 25, 24])
    }

    @Test("Go's hello: other order, other schemes")
    func goHello() throws {
        let hello = try CapturedHello.go.hello
        #expect(hello.serverName == "go.pinproof.test")
        #expect(hello.extensions.map(\.type) == [0, 5, 10, 11, 13, 65281, 16, 18, 43, 51])
        #expect(
            hello.signatureAlgorithms == [
                0x0804, 0x0403, 0x0807, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0503, 0x0603, 0x0201, 0x0203,
            ])
        #expect(hello.supportedGroups == [29, 23, 24, 25])
        #expect(hello.pointFormats == [0])
    }

    @Test("C67: GREASE and encrypted_client_hello are listed as sent; the visible name is the outer one")
    func browser() throws {
        let hello = try CapturedHello.browser.hello
        #expect(hello.serverName == "public.test")
        #expect(hello.offersECH)
        #expect(hello.cipherSuites.prefix(2) == [0x5a5a, 0x1301])
        #expect(hello.supportedVersions == [0x2a2a, 0x0304, 0x0303])
        #expect(hello.supportedGroups == [0x1a1a, 0x11ec, 29, 23, 24])
        #expect(hello.keyShareGroups == [0x1a1a, 0x11ec, 29])
        #expect(hello.extensions.first?.type == 0x4a4a)
        #expect(hello.extensions.last?.type == 0x3a3a)
        #expect(hello.extensions.last?.body == [0])
    }

    @Test("The sixteen GREASE values of RFC 8701 section 2, and no others")
    func grease() {
        let expected: [UInt16] = [
            0x0a0a, 0x1a1a, 0x2a2a, 0x3a3a, 0x4a4a, 0x5a5a, 0x6a6a, 0x7a7a, 0x8a8a, 0x9a9a, 0xaaaa, 0xbaba, 0xcaca,
            0xdada, 0xeaea, 0xfafa,
        ]
        #expect((0...UInt16.max).filter(ClientHello.isGREASE) == expected)
    }

    @Test("Early data is seen; the block of extensions may be missing")
    func smallHellos() throws {
        #expect(try ClientHello(message: HelloLayout.with(42, []).body).offersEarlyData)
        let bare = try ClientHello(message: HelloLayout().body)
        #expect(bare.extensions == [])
        #expect(!bare.offersEarlyData)
        #expect(bare.serverName == nil)
    }

    /// One row of C41: the extension's body (nil: no extension), the name as sent, the host that it is.
    private struct SentName: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: [UInt8]?
        let name: String?
        let host: String?

        init(_ what: String, _ body: [UInt8]?, name: String? = nil, host: String? = nil) {
            testDescription = what
            self.body = body
            self.name = name
            self.host = host
        }
    }

    private static let sentNames = [
        SentName("no extension", nil),
        SentName("zero-length extension", []),
        SentName("empty list", [0, 0]),
        SentName("list longer than the extension", [0, 9, 0, 0, 1, 97]),
        SentName("name longer than the list", [0, 4, 0, 0, 9, 97]),
        SentName("octet behind the list", [0, 4, 0, 0, 1, 97, 0]),
        SentName("two names", [0, 8, 0, 0, 1, 97, 0, 0, 1, 98]),
        SentName("another type of name", [0, 4, 1, 0, 1, 97]),
        SentName("empty name", [0, 3, 0, 0, 0], name: ""),
        SentName("NUL", [0, 6, 0, 0, 3, 97, 0, 98], name: "a\0b"),
        SentName("not UTF-8", [0, 5, 0, 0, 2, 0xff, 97], name: "\u{fffd}a"),
        SentName(
            "300 octets", [1, 47, 0, 1, 44] + [UInt8](repeating: 97, count: 300),
            name: String(repeating: "a", count: 300)),
        SentName(
            "address", [0, 12, 0, 0, 9] + bytes(of: "127.0.0.1"), name: "127.0.0.1", host: "127.0.0.1"),
        SentName(
            "dot and upper case", [0, 12, 0, 0, 9] + bytes(of: "API.test."), name: "API.test.", host: "api.test"),
    ]

    @Test("C41: server names as sent; a malformed extension gives none and no error", arguments: sentNames)
    private func serverNames(sent: SentName) throws {
        let layout = sent.body.map { HelloLayout.with(0, $0) } ?? HelloLayout()
        let hello = try ClientHello(message: layout.body)
        #expect(hello.serverName == sent.name)
        #expect(hello.serverName.flatMap { HostName($0)?.text } == sent.host)
        #expect(hello.extensions.map(\.body) == (sent.body.map { [$0] } ?? []))
    }

    @Test("Other extensions that do not decode look absent")
    func malformedExtensions() throws {
        func hello(_ type: Int, _ body: [UInt8]) throws -> ClientHello {
            try ClientHello(message: HelloLayout.with(type, body).body)
        }
        #expect(try hello(16, [0, 3, 3, 104, 50]).alpn == nil)
        #expect(try hello(16, [0, 3, 2, 104, 50, 0]).alpn == nil)
        #expect(try hello(16, [0, 0]).alpn == [])
        #expect(try hello(43, [3, 3, 4, 3]).supportedVersions == [])
        #expect(try hello(10, [0, 4, 0, 29]).supportedGroups == [])
        #expect(try hello(13, []).signatureAlgorithms == [])
        #expect(try hello(51, [0, 5, 0, 29, 0, 2, 1]).keyShareGroups == [])
        #expect(try hello(51, [0, 6, 0, 29, 0, 2, 1, 1]).keyShareGroups == [29])
        #expect(try hello(11, [2, 0]).pointFormats == [])
    }

    @Test("Of repeated extensions the first counts")
    func repeatedExtensions() throws {
        let layout = HelloLayout(extensions: [
            (0, HelloLayout.serverName(bytes(of: "first.test"))), (0, HelloLayout.serverName(bytes(of: "second.test"))),
        ])
        let hello = try ClientHello(message: layout.body)
        #expect(hello.serverName == "first.test")
        #expect(hello.extensions.count == 2)
    }

    @Test("Every hello that ends early is truncated, never accepted")
    func truncated() {
        // Cut before the extensions, what is left is a whole hello of its own.
        let body = HelloLayout.with(42, [1, 2]).body
        let withoutExtensions = HelloLayout().body.count
        for length in 0..<body.count where length != withoutExtensions {
            #expect {
                try ClientHello(message: [UInt8](body.prefix(length)))
            } throws: {
                if case .truncated = $0 as? WireError { true } else { false }
            }
        }
    }

    @Test("Lengths that do not fit are named")
    func malformed() {
        #expect(throws: WireError.malformed(field: "session identifier")) {
            try ClientHello(message: HelloLayout(sessionID: [UInt8](repeating: 0, count: 33)).body)
        }
        #expect(throws: WireError.malformed(field: "end of the hello")) {
            try ClientHello(message: HelloLayout.with(42, []).body + [0])
        }
        #expect(throws: WireError.malformed(field: "cipher suites")) {
            try ClientHello(message: [3, 3] + [UInt8](repeating: 0, count: 33) + [0, 3, 0x13, 0x01, 0x13, 1, 0])
        }
        #expect(throws: WireError.truncated(field: "extension")) {
            try ClientHello(message: HelloLayout().body + [0, 4, 0, 0, 0, 1])
        }
        #expect(throws: WireError.truncated(field: "extension type")) {
            try ClientHello(message: HelloLayout().body + [0, 1, 0])
        }
    }
}
