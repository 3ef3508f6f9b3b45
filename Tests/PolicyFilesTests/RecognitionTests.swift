import PolicyFiles
import Testing

@Suite("Recognising formats")
struct RecognitionTests {
    @Test("a file is recognised by what is in it")
    func recognised() throws {
        let cases: [(String, PolicyFormat)] = [
            ("<!-- a > b -->\n<network-security-config/>", .networkSecurityConfig),
            (
                """
                <network-security-config><domain-config><domain>a.com</domain><trustkit-config/></domain-config>
                </network-security-config>
                """, .trustKitAndroid
            ),
            ("<?xml version=\"1.0\"?><plist><dict/></plist>", .infoPlist),
            ("{\"a.test\": []}", .okHttp),
            ("{\"a.test\": {\"publicKeyHashes\": []}}", .reactNative),
            ("{\"library\": \"urllib3\"}", .profile),
            ("# comment\n\ninsecure", .curl), ("-k", .curl), ("--no-insecure", .curl),
            ("\n/usr/bin/curl https://a.test/", .curl),
        ]
        for (text, format) in cases { #expect(try load(text).format == format, "\(text)") }
    }

    @Test("long files take no longer than they are long", .timeLimit(.minutes(1)))
    func long() {
        let size = 1 << 18
        #expect(complaint("curl " + String(repeating: "a", count: size)) == nil)
        #expect(complaint(String(repeating: "<!a>", count: size / 4)) != nil)
        #expect(complaint(String(repeating: "<!-- -->", count: size / 8)) != nil)
        #expect(complaint("pinnedpubkey \"" + String(repeating: "\\\"", count: size / 2)) == nil)
    }

    @Test("what fits no format is an error that says what was seen and which formats there are")
    func unknown() throws {
        let end = """
            ; the formats are android, trustkit-android, info-plist, okhttp, curl, react-native, profile: name the right one
            """
        let start = "policy: it is none of the formats that are recognised; it holds "
        let cases: [(String, String)] = [
            ("", "nothing"), (" \n", "nothing"), ("<html>", "XML, whose outermost element is <html>"),
            ("[]", "a JSON array, perhaps"), ("{}", "an empty JSON object"),
            ("{\"a\": 1}", "a JSON object, whose member \"a\" is a number"),
            ("{\"a\": [], \"b\": {}}", "a JSON object, whose member \"a\" is an array"),
            ("-----BEGIN CERTIFICATE-----", "PEM, which is no policy but may be named in one"),
            ("Dear all,\nno", "text that begins with \"Dear all,\""),
        ]
        for (text, seen) in cases { #expect(complaint(text) == start + seen + end) }
        let der = try pinnedCertificate()
        let error = #expect(throws: PolicyFileError.self) {
            try PolicyFile(der, named: "policy", resources: MemoryResources())
        }
        #expect(error?.reason.hasSuffix("DER, perhaps, which is no policy but may be named in one") == true)
    }
}
