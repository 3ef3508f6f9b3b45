import TestSupport
import Testing
import Transcript

struct EventEncoderTests {
    @Test(arguments: EventSample.everyKind + EventSample.variants)
    func encodesTheLineWrittenByHand(_ sample: EventSample) {
        #expect(encode(sample.event) == sample.line)
    }

    @Test func aHelloWithoutExtensionsHasEmptyListsAndNulls() {
        let line = encode(Event(connection: 1, monotonic: 2, wall: 0, kind: .hello(.bare)))
        let expected =
            #"{"t":2,"time":"1970-01-01T00:00:00.000000Z","connection":1,"event":"hello","#
            + #""legacyVersion":{"number":"0x0301","name":"TLS 1.0"},"#
            + #""random":"0000000000000000000000000000000000000000000000000000000000000000","sessionID":"","#
            + #""cipherSuites":["0x002f"],"compressionMethods":"00","extensions":[],"serverName":null,"alpn":null,"#
            + #""supportedVersions":[],"supportedGroups":[],"signatureAlgorithms":[],"keyShareGroups":[],"#
            + #""pointFormats":"","offersEarlyData":false,"offersECH":false,"ja3":"","ja3Text":"769,47,,,","ja4":""}"#
        #expect(line == expected + "\n")
    }

    @Test func appendsToWhatTheBufferHolds() {
        let event = Event(connection: nil, monotonic: 0, wall: 0, kind: .gap(lost: 1))
        let line = #"{"t":0,"time":"1970-01-01T00:00:00.000000Z","connection":null,"event":"gap","lost":1}"# + "\n"
        var buffer = Array("before\n".utf8)
        EventEncoder().encode(event, into: &buffer)
        EventEncoder().encode(event, into: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == "before\n" + line + line)
    }

    /// The escapes of RFC 8259 section 7; what is not ASCII goes as UTF-16, beyond the first plane as two halves.
    @Test(arguments: [
        (#"a"b\c"#, #"a\"b\\c"#),
        ("\n\r\t", #"\n\r\t"#),
        ("\0\u{1}\u{1B}[31m\u{1F}\u{7F}", #"\u0000\u0001\u001b[31m\u001f\u007f"#),
        ("/", "/"),
        ("\u{85}\u{9B}é", #"\u0085\u009b\u00e9"#),
        ("\u{2028}\u{202E}\u{FFFD}", #"\u2028\u202e\ufffd"#),
        ("😀\u{10FFFF}", #"\ud83d\ude00\udbff\udfff"#),
    ])
    func escapesStrings(_ text: String, _ escaped: String) {
        let line = encode(Event(connection: 1, monotonic: 0, wall: 0, kind: .opened(client: text, listener: "")))
        #expect(line.contains(#""client":"\#(escaped)","listener":"""#))
    }

    /// Names of protocols are bytes (RFC 7301 section 3.1), so two of them must never look alike.
    @Test(
        arguments: [
            ([0x68, 0x74, 0x74, 0x70, 0x2F, 0x31, 0x2E, 0x31], "http/1.1"),
            ([0x22, 0x5C, 0x78], #"\"\\x5cx"#),
            ([0x00, 0x1B, 0x7F, 0x80, 0xFF], #"\\x00\\x1b\\x7f\\x80\\xff"#),
            ([0xC3, 0xA9], #"\\xc3\\xa9"#),
        ] as [([UInt8], String)])
    func writesProtocolNamesThatAreNotText(_ name: [UInt8], _ written: String) {
        let line = encode(Event(connection: 1, monotonic: 0, wall: 0, kind: .hello(.offering([name]))))
        #expect(line.contains(#""alpn":["\#(written)"],"#))
    }

    private func encode(_ event: Event) -> String {
        var buffer: [UInt8] = []
        EventEncoder().encode(event, into: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }
}
