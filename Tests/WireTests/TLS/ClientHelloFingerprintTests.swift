import Testing
import Wire

@Suite("Fingerprints of a ClientHello")
struct ClientHelloFingerprintTests {
    /// What Wireshark 4.0 prints as the full string of JA3.
    private static let ja3Texts: [(CapturedHello, String)] = [
        (
            .curl,
            """
            771,4866-4867-4865-49196-49200-159-52393-52392-52394-49195-49199-158-49188-49192-107-49187-49191-103-49162-\
            49172-57-49161-49171-51-157-156-61-60-53-47-255,0-11-10-16-22-23-49-13-43-45-51-21,\
            29-23-30-25-24-256-257-258-259-260,0-1-2
            """
        ),
        (
            .python,
            """
            771,4866-4867-4865-49196-49200-49195-49199-52393-52392-49188-49192-49187-49191-159-158-107-103-255,\
            0-11-10-35-22-23-13-43-45-51-21,29-23-30-25-24-256-257-258-259-260,0-1-2
            """
        ),
        (
            .opensslTLS12,
            """
            771,49196-49200-159-52393-52392-52394-49195-49199-158-49188-49192-107-49187-49191-103-49162-49172-57-49161-\
            49171-51-157-156-61-60-53-47-255,11-10-35-22-23-13,29-23-30-25-24,0-1-2
            """
        ),
        (
            .go,
            """
            771,49195-49199-49196-49200-52393-52392-49161-49171-49162-49172-156-157-47-53-49170-10-4865-4866-4867,\
            0-5-10-11-13-65281-16-18-43-51,29-23-24-25,0
            """
        ),
        (
            .browser,
            """
            771,4865-4866-4867-49195-49199-49196-49200-52393-52392-49171-49172-156-157-47-53,\
            0-23-65281-10-11-35-16-5-13-18-51-45-43-27-17613-65037,4588-29-23-24,0
            """
        ),
    ]

    @Test("JA3 of real clients; C67: GREASE is left out", arguments: ja3Texts)
    func ja3Text(captured: CapturedHello, text: String) throws {
        #expect(try captured.hello.ja3Text == text)
    }

    @Test("JA3: the examples of its definition")
    func ja3Examples() throws {
        let suites = [4, 5, 10, 9, 100, 98, 3, 6, 19, 18, 99]
        let bare = HelloLayout(version: 0x0301, suites: suites)
        #expect(try ClientHello(message: bare.body).ja3Text == "769,4-5-10-9-100-98-3-6-19-18-99,,,")
        let full = HelloLayout(
            version: 0x0301, suites: [47, 53, 5, 10, 49161, 49162, 49171, 49172, 50, 56, 19, 4],
            extensions: [(0, []), (10, bytes("0006001700180019")), (11, bytes("0100"))])
        #expect(
            try ClientHello(message: full.body).ja3Text
                == "769,47-53-5-10-49161-49162-49171-49172-50-56-19-4,0-10-11,23-24-25,0")
    }

    /// JA4 of the captured hellos, from the separate script.
    private static let ja4Fingerprints: [(CapturedHello, String)] = [
        (.curl, "t13d3112h2_e8f1e7e78f70_b26ce05bbdd6"),
        (.curlToAddress, "t13i3111h2_e8f1e7e78f70_b26ce05bbdd6"),
        (.python, "t13d181100_85036bcba153_d41ae481755e"),
        (.opensslTLS12, "t12i280600_d943125447b4_e7e480e5a997"),
        (.openssl, "t13d3111mt_e8f1e7e78f70_1f22a2ca17c4"),
        (.go, "t13d1910h2_9dc949149365_97f8aa674fd9"),
        (.node, "t13d5911h1_a33745022dd6_1f22a2ca17c4"),
        (.browser, "t13d1516h2_8daaf6152771_d8a2da3f94cd"),
    ]

    @Test("JA4 of real clients; C67: GREASE is left out", arguments: ja4Fingerprints)
    func ja4(captured: CapturedHello, fingerprint: String) throws {
        #expect(try captured.hello.ja4(sha256: KnownDigest.sha256) == fingerprint)
    }

    @Test("JA4: the example of its definition, in its order and with GREASE everywhere")
    func ja4Example() throws {
        let types = [
            0x001b, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002d, 0x000d, 0x0005, 0x0023, 0x0012, 0x002b, 0xff01,
            0x000b, 0x000a, 0x0015,
        ]
        let bodies = [
            0x0010: vector16(vector8(bytes(of: "h2"))),
            0x000d: vector16(bytes("0a0a04030804040105030805050108060601")),
            0x002b: vector8(bytes("fafa03040303")),
        ]
        let layout = HelloLayout(
            suites: [
                0xeaea, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c,
                0x009d, 0x002f, 0x0035,
            ],
            extensions: ([0x1a1a] + types + [0xcaca]).map { ($0, bodies[$0] ?? []) })
        let hello = try ClientHello(message: layout.body)
        #expect(hello.ja4(sha256: KnownDigest.sha256) == "t13d1516h2_8daaf6152771_e5627efa2ab1")
    }

    @Test("JA4: nothing to hash gives zeros, and nothing is hashed")
    func ja4Empty() throws {
        let layout = HelloLayout(suites: [], extensions: [(0, []), (16, [])])
        let fingerprint = try ClientHello(message: layout.body).ja4 { _ in
            Issue.record("hashed nothing")
            return []
        }
        #expect(fingerprint == "t12d000200_000000000000_000000000000")
    }

    @Test(
        "JA4: the first application protocol, in the examples of the definition",
        arguments: [
            ("6832", "h2"), ("687474702f312e31", "h1"), ("68", "hh"), ("", "00"), ("ab", "ab"), ("abcd", "ad"),
            ("30ab", "3b"), ("3031abcd", "3d"), ("30abcd31", "01"), ("2f68", "28"), ("682d", "6d"),
        ])
    func ja4Protocol(name: String, characters: String) throws {
        let layout = HelloLayout.with(16, vector16(vector8(bytes(name)) + vector8(bytes(of: "xy"))))
        let fingerprint = try ClientHello(message: layout.body).ja4 { _ in [] }
        #expect(fingerprint.hasPrefix("t12i0101\(characters)_"))
    }

    @Test(
        "JA4: the highest version counts; the hello's own only without supported_versions",
        arguments: [
            (0x0303, nil, "12"), (0x0302, nil, "11"), (0x0301, nil, "10"), (0x0300, nil, "s3"), (0x0002, nil, "s2"),
            (0x1234, nil, "00"), (0x0303, "030303040302", "13"), (0x0303, "0302", "11"), (0x0303, "", "00"),
            (0x0303, "0a0a", "00"), (0xfeff, nil, "d1"), (0xfefd, nil, "d2"), (0xfefc, nil, "d3"),
        ] as [(Int, String?, String)])
    func ja4Version(legacy: Int, offered: String?, characters: String) throws {
        var layout = HelloLayout(version: legacy)
        if let offered { layout.extensions = [(43, vector8(bytes(offered)))] }
        #expect(try ClientHello(message: layout.body).ja4 { _ in [] }.hasPrefix("t\(characters)i"))
    }

    @Test("JA4: counts have two digits and stop at 99")
    func ja4Counts() throws {
        let nine = HelloLayout(suites: [Int](1...9), extensions: (100..<109).map { ($0, []) })
        #expect(try ClientHello(message: nine.body).ja4 { _ in [] }.hasPrefix("t12i090900_"))
        let many = HelloLayout(suites: [Int](1...100), extensions: (100..<300).map { ($0, []) })
        #expect(try ClientHello(message: many.body).ja4 { _ in [] }.hasPrefix("t12i999900_"))
    }
}
