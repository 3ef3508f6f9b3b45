import Pinning
import PolicyFiles
import Testing

/// Releases that there are not are refused, whether a file or the environment names them.
@Suite("Known releases")
struct KnownReleaseTests {
    private static let pin = "sha256/" + digest(0xAA)

    private static func profile(_ library: String, _ version: String) -> String {
        let pins = library == "okhttp" ? ", \"pins\": {\"a.test\": [\"\(pin)\"]}" : ""
        return "{\"library\": \"\(library)\", \"version\": \"\(version)\"\(pins)}"
    }

    @Test("a profile's release is refused with those that are known")
    func message() {
        #expect(
            complaint(Self.profile("okhttp", "99")) == """
                policy, /version: OkHttp 99.0.0 is no release that is known; known are 2.1 to 2.7.5, 3.0 to 3.14.9, \
                4.0 to 4.12.0, 5.0 to 5.4
                """)
        #expect(
            complaint(Self.profile("urllib3", "99")) == """
                policy, /version: urllib3 99.0.0 is no release that is known; known are 1.0 to 1.26, 2
                """)
    }

    @Test(
        "first and last releases of a row are known, and their neighbours are not",
        arguments: [
            (
                "okhttp", ["2.1", "2.7.5", "3.0", "3.14.9", "4.0", "4.12", "5.0", "5.4.3"],
                ["2.0", "2.8", "3.15", "5.5"]
            ),
            ("urllib3", ["1.26.20", "2.0", "2.99"], ["0.9", "1.27", "3.0"]),
            ("afnetworking", ["2.0", "2.7", "3.0", "3.2.1", "4.0.1"], ["1.3", "2.8", "3.3", "4.0.2"]),
            ("alamofire", ["4.0", "4.9.1", "5.0", "5.12.1"], ["3.5", "4.10", "5.13", "5.99"]),
        ])
    func profiles(library: String, known: [String], unknown: [String]) throws {
        for version in known {
            #expect(complaint(Self.profile(library, version)) == nil, "\(version)")
        }
        for version in unknown {
            #expect(complaint(Self.profile(library, version))?.contains("is no release that is known") == true)
            let file = try load(Self.profile(library, known[0]))
            let error = #expect(throws: PolicyFileError.self) {
                try file.appPolicy(in: environment(version: LibraryVersion(version)))
            }
            #expect(error?.reason.contains("is no release that is known") == true, "\(version)")
        }
    }

    @Test("curl, OkHttp, React Native and TrustKit take their release from the environment, which is looked at")
    func environments() throws {
        let trustKit = """
            <plist><dict><key>TSKPinnedDomains</key><dict><key>a.test</key><dict><key>TSKPublicKeyHashes</key><array>
            <string>\(digest(1))</string><string>\(digest(2))</string></array></dict></dict></dict></plist>
            """
        let reactNative = "{\"a.test\": {\"publicKeyHashes\": [\"\(digest(1))\", \"\(digest(2))\"]}}"
        let okHttp = "{\"a.test\": [\"\(Self.pin)\"]}"
        let cases: [(text: String, platform: PolicyEnvironment.Platform?, known: [String], unknown: [String])] = [
            ("insecure", nil, ["7.39", "7.88.1", "8.0", "8.20.5"], ["6", "7.38", "7.89", "8.21", "9"]),
            (okHttp, nil, ["3.2", "5.4"], ["2.0", "99"]), (reactNative, .android, ["4.3", "5.4"], ["99"]),
            (reactNative, .ios, ["3.0.7"], ["3.9"]),
            (trustKit, .ios, ["1.0", "1.7.1", "2.0.1", "3.0.7"], ["0.9", "1.8", "2.1", "3.0.8", "3.9", "9"]),
        ]
        for (text, platform, known, unknown) in cases {
            let file = try load(text)
            for version in known {
                #expect(throws: Never.self, "\(version)") {
                    try file.appPolicy(in: environment(platform, version: LibraryVersion(version)))
                }
            }
            for version in unknown {
                let error = #expect(throws: PolicyFileError.self, "\(version)") {
                    try file.appPolicy(in: environment(platform, version: LibraryVersion(version)))
                }
                #expect(error?.reason.contains("is no release that is known") == true)
            }
        }
    }
}
