import Testing
import Transcript
import TranscriptFiles

/// Lines that no Pinproof writes: each is an error that says what is wrong and where.
@Suite struct HostileLineTests {
    /// Lines that are no JSON.
    @Test(arguments: [
        ("{", "it is cut off"), ("}", "'{' is expected"), ("[]", "'{' is expected"), ("null", "'{' is expected"),
        (#"{"t"}"#, "':' is expected"), (#"{"t":1,}"#, #"'"' is expected"#), (#"{"t":}"#, "a value is expected"),
        (#"{"t":01}"#, "'}' is expected"), (#"{"t":NaN}"#, "a value is expected"), (#"{"t":-}"#, "a value is expected"),
        (#"{"t":.5}"#, "a value is expected"), (#"{"t":1.}"#, "a value is expected"),
        (#"{"t":1e}"#, "a value is expected"), (#"{"t":tru}"#, "a value is expected"),
        (#"{"t":"a"#, "a string does not end"), (#"{"t":"\"#, "a string does not end"),
        (#"{"t":"\x41"}"#, "an escape is none"), (#"{"t":"\u12g4"}"#, "an escape is none"),
        ("{\"t\":\"a\tb\"}", "a string holds a control code"), ("{\"t\":\u{0}}", "a value is expected"),
        (#"{"t":[1,2}"#, "']' is expected"), (#"{"t":1} {"t":2}"#, "something follows the object"),
        (#"{'t':1}"#, #"'"' is expected"#), (#"{t:1}"#, #"'"' is expected"#),
    ])
    func isNoJSON(_ text: String, _ reason: String) {
        #expect(complaint(secondLine: text.utf8) == "line 2: \(reason)")
    }

    /// Lines that are JSON, and say something else than events do.
    @Test(arguments: [
        ("{}", "t: it is missing"),
        (#"{"t":true}"#, "t: a number is expected"),
        (#"{"t":"5"}"#, "t: a number is expected"),
        (#"{"t":-1}"#, "t: a whole number from 0 to 18446744073709551615 is expected"),
        (#"{"t":18446744073709551616}"#, "t: a whole number from 0 to 18446744073709551615 is expected"),
        (#"{"t":1e3}"#, "t: a whole number from 0 to 18446744073709551615 is expected"),
        (#"{"t":1.0}"#, "t: a whole number from 0 to 18446744073709551615 is expected"),
        (#"{"t":1E400}"#, "t: a whole number from 0 to 18446744073709551615 is expected"),
        (#"{"t":1,"t":1}"#, "a name is there twice"),
        (#"{"\ud800":1}"#, "a name is no Unicode"),
        (#"{"t":1,"time":5}"#, #"time: a time such as "2026-03-01T14:02:07.123456Z" is expected"#),
        (
            #"{"t":1,"time":"2026-03-01T14:02:07.123456Z","connection":-1}"#,
            "connection: a whole number from 0 to 18446744073709551615 is expected"
        ),
        (line(#""event":7"#), "event: a string is expected"),
        (line(#""event":null"#), "event: a string is expected"),
    ])
    func isNoEvent(_ text: String, _ reason: String) {
        #expect(complaint(secondLine: text.utf8) == "line 2: \(reason)")
    }

    /// Events of which one field is wrong.
    @Test(arguments: [
        (#""event":"gap""#, "gap.lost: it is missing"),
        (#""event":"gap","lost":null"#, "gap.lost: a number is expected"),
        (#""event":"opened","client":"\ud83d","listener":"""#, "opened.client: a string is expected"),
        (#""event":"opened","client":"\udE00\ud83d","listener":"""#, "opened.client: a string is expected"),
        (#""event":"opened","client":"\ud83d\u0041","listener":"""#, "opened.client: a string is expected"),
        (#""event":"opened","client":"\ud83d\n","listener":"""#, "opened.client: a string is expected"),
        (#""event":"opened","client":"a","listener":["b"]"#, "opened.listener: a string is expected"),
        (
            #""event":"requested","method":"","target":"","host":"a b","port":1"#,
            "requested.host: a host name is expected"
        ),
        (
            #""event":"requested","method":"","target":"","host":null,"port":1"#,
            "requested.port: a port without a host"
        ),
        (
            #""event":"requested","method":"","target":"","host":"a.test","port":0"#,
            "requested.port: a port is not zero"
        ),
        (
            #""event":"requested","method":"","target":"","host":"a.test","port":65536"#,
            "requested.port: a whole number from 0 to 65535 is expected"
        ),
        (#""event":"decided","decision":"drop","rule":null"#, "decided.decision: the word is not known"),
        (#""event":"firstData","side":"Client""#, "firstData.side: the word is not known"),
        (#""event":"ended","side":"client","end":null,"phase":"relay""#, "ended.end: an object is expected"),
        (
            #""event":"ended","side":"client","end":{"how":"alert"},"phase":"relay""#, "ended.end.code: it is missing"
        ),
        (
            #""event":"ended","side":"client","end":{"how":"alert","code":256},"phase":"relay""#,
            "ended.end.code: a whole number from 0 to 255 is expected"
        ),
        (
            #""event":"ended","side":"client","end":{"how":"left"},"phase":"relay""#,
            "ended.end.how: the word is not known"
        ),
        (
            #""event":"wire","side":"client","direction":"sent","bytes":"AAA""#, "wire.bytes: base64 is expected"
        ),
        (#""event":"wire","side":"client","direction":"sent","bytes":"AB==""#, "wire.bytes: base64 is expected"),
        (#""event":"wire","side":"client","direction":"sent","bytes":"A\u0041==""#, "wire.bytes: base64 is expected"),
        (#""event":"chain","side":"client","digests":["a",1]"#, "chain.digests[1]: a string is expected"),
        (#""event":"chain","side":"client","digests":"a""#, "chain.digests: an array is expected"),
        (
            #""event":"forged","host":"","digest":"","key":"","fromCache":1,"mirroredFaults":[]"#,
            "forged.fromCache: true or false is expected"
        ),
        (
            #""event":"forged","host":"","digest":"","key":"","fromCache":true,"mirroredFaults":["expired","old"]"#,
            "forged.mirroredFaults[1]: the word is not known"
        ),
        (#""event":"acceptingPaused","reason":"rain""#, "acceptingPaused.reason: the word is not known"),
        (
            #""event":"acceptingPaused","reason":"system","errno":-2147483649"#,
            "acceptingPaused.errno: a whole number from -2147483648 to 2147483647 is expected"
        ),
        (
            #""event":"commandEnded","how":"exit","number":null,"nanoseconds":1"#,
            "commandEnded.number: a number is expected"
        ),
        (#""event":"secured","side":"client","cipherSuite":[]"#, "secured.cipherSuite: an object is expected"),
        (
            #""event":"secured","side":"client","cipherSuite":{"number":"1301"}"#,
            #"secured.version: it is missing"#
        ),
        (
            #""event":"secured","side":"client","cipherSuite":{},"version":{"number":"1301"}"#,
            #"secured.version.number: a protocol number such as "0x1301" is expected"#
        ),
    ])
    func saysTheField(_ members: String, _ reason: String) {
        #expect(complaint(secondLine: line(members).utf8) == "line 2: \(reason)")
    }

    /// What no ClientHello can hold (RFC 8446 section 4.1.2).
    @Test(arguments: [
        ("random", String(repeating: "00", count: 31), "[]", "[]", "hello.random: 32 octets are expected"),
        ("sessionID", String(repeating: "00", count: 33), "[]", "[]", "hello: it is no ClientHello"),
        (
            "sessionID", String(repeating: "00", count: 256), "[]", "[]",
            "hello.sessionID: it is too long for a ClientHello"
        ),
        ("sessionID", "0g", "[]", "[]", "hello.sessionID: an even number of hexadecimal digits is expected"),
        ("sessionID", "0", "[]", "[]", "hello.sessionID: an even number of hexadecimal digits is expected"),
        (
            "compressionMethods", String(repeating: "00", count: 256), "[]", "[]",
            "hello.compressionMethods: it is too long for a ClientHello"
        ),
        (
            "", "", "[" + String(repeating: #""0x1301","#, count: 32_768) + #""0x1301"]"#, "[]",
            "hello.cipherSuites: it is too long for a ClientHello"
        ),
        (
            "", "", "[]",
            #"[{"type":"0x0000","body":""},{"type":"0x0001","body":"#
                + "\"" + String(repeating: "00", count: 65_536) + "\"}]",
            "hello.extensions[1].body: it is too long for a ClientHello"
        ),
        (
            "", "", "[]", #"[{"type":"0x0000","body":""# + String(repeating: "00", count: 65_532) + "\"}]",
            "hello.extensions: it is too long for a ClientHello"
        ),
        (
            "", "", "[]", #"[{"type":"0x0000","body":null}]"#,
            "hello.extensions[0].body: an even number of hexadecimal digits is expected"
        ),
    ])
    func isNoHello(_ field: String, _ value: String, _ suites: String, _ extensions: String, _ reason: String) {
        func hex(_ name: String, _ usual: String) -> String { "\"\(name)\":\"\(name == field ? value : usual)\"" }
        let members =
            #""event":"hello","legacyVersion":{"number":"0x0303"},"#
            + hex("random", String(repeating: "00", count: 32)) + "," + hex("sessionID", "") + ","
            + #""cipherSuites":\#(suites),"# + hex("compressionMethods", "00") + #","extensions":\#(extensions),"#
            + #""ja3":"","ja3Text":"","ja4":"""#
        #expect(complaint(secondLine: line(members).utf8) == "line 2: \(reason)")
    }

    @Test func deepNestingIsRefused() {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            for depth in [32, 100_000] {
                let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                let text = line(#""event":"gap","lost":1,"new":"# + value)
                #expect(complaint(secondLine: text.utf8) == "line 2: it is nested too deeply")
            }
            let value = String(repeating: open, count: 31) + "1" + String(repeating: close, count: 31)
            #expect(complaint(secondLine: line(#""event":"gap","lost":1,"new":"# + value).utf8) == nil)
        }
    }

    @Test func manyNamesAreRefused() {
        let names = (0..<300).map { "\"n\($0)\":0" }.joined(separator: ",")
        #expect(complaint(secondLine: "{\(names)}".utf8) == "line 2: there are too many names")
    }

    /// UTF-8 that is none, and text in Latin-1.
    @Test(arguments: [[0xFF], [0xC3], [0xE9, 0x20], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func isNoText(_ octets: [UInt8]) {
        let text = Array(line(#""event":"opened","listener":"","client":"@""#).utf8)
        let spoilt = text.flatMap { $0 == UInt8(ascii: "@") ? octets : [$0] }
        #expect(complaint(secondLine: spoilt) == "line 2: opened.client: a string is expected")
    }

    @Test(arguments: [
        "2026-02-29T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "2026-00-01T00:00:00.000000Z",
        "2026-04-31T00:00:00.000000Z", "2026-04-00T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z",
        "2026-01-01T00:60:00.000000Z", "2026-01-01T00:00:60.000000Z", "2026-01-01T00:00:00.00000Z",
        "2026-01-01T00:00:00.000000+", "2026-01-01 00:00:00.000000Z", "-026-01-01T00:00:00.000000Z", "",
        "1900-02-29T00:00:00.000000Z",
    ])
    func isNoTime(_ time: String) {
        let text = #"{"t":1,"time":"\#(time)","connection":null,"event":"gap","lost":1}"#
        #expect(
            complaint(secondLine: text.utf8)
                == #"line 2: time: a time such as "2026-03-01T14:02:07.123456Z" is expected"#)
    }
}
