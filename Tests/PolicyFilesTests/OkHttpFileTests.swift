import Pinning
import PolicyFiles
import Testing

@Suite("OkHttp's and React Native's JSON")
struct OkHttpFileTests {
    @Test("patterns and pins become a pinner, on a JVM unless Android is named")
    func pinner() throws {
        let file = try load("{\"*.example.com\": [\"sha256/\(digest(0xAA))\"]}")
        #expect(file.format == .okHttp)
        #expect(file.remarks.isEmpty)
        let jvm = try file.appPolicy(in: environment())
        #expect(jvm.name == "OkHttp 5.4.0 on a JVM")
        #expect(
            jvm.redirects == RedirectConduct(limit: 20, changesScheme: true, statuses: [300, 301, 302, 303, 307, 308]))
        #expect(try file.appPolicy(in: environment(.android)).name == "OkHttp 5.4.0 on Android")
        for environment in [environment(), environment(.android)] {
            #expect(try file.verdict(on: "a.example.com", in: environment).decision == .reject)
            #expect(try file.verdict(on: "a.example.com", key: 0xAA, in: environment).reason.kind.isMatch)
        }
        #expect(throws: PolicyFileError.self) { try file.appPolicy(in: environment(.ios)) }
    }

    @Test("C80: bad pins are errors with their key path, and never no pins")
    func badPins() throws {
        let mend = "write sha256/ and the Base64 of the key's SHA-256, 44 characters"
        let unknown = "does not begin with a kind of digest that this version knows"
        let cases: [(String, String)] = [
            (
                "{\"a.test\": [\"sha256/\(digest(1))\", \"md5/AAAA\"]}",
                "policy, /a.test/1: pin md5/AAAA \(unknown); \(mend)"
            ),
            ("{\"a.test\": [\"\(digest(1))\"]}", "policy, /a.test/0: pin \(digest(1)) \(unknown); \(mend)"),
            ("{\"a.test\": [\"sha256/?\"]}", "policy, /a.test/0: pin sha256/? is not Base64; \(mend)"),
            (
                "{\"a.test\": \"sha256/x\"}",
                "policy, /a.test: a text where an array of pins is expected; put it into [ ]"
            ),
            ("{\"a.test\": [7]}", "policy, /a.test/0: a number where pins are expected"),
            (
                "{\"a.test\": [], \"a.test\": []}",
                "policy, /a.test: it is there twice, and readers would take one or the other; write each name once"
            ),
            ("{\n\"a.test\": [\n}", "policy, line 3: it is no JSON: a value is expected"),
            (
                "\u{FEFF}{}",
                """
                policy, line 1: it begins with a byte order mark; remove it: save the file as UTF-8 without a byte order \
                mark
                """
            ),
            ("[]", "policy: an array where an object of patterns with arrays of pins is expected"),
        ]
        for (text, expected) in cases { #expect(complaint(text, as: .okHttp) == expected) }
    }

    @Test("C80: a truncated digest, which the library takes, is remarked on; a SHA-1 is one of its own length")
    func lengths() throws {
        let short = String(digest(1).prefix(42))
        #expect(
            try remarks("{\"a.test\": [\"sha256/\(short)\", \"sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=\"], \"b.test\": []}")
                == [
                    "/a.test/0: a digest of 31 octets matches no key, and the library does not say so: it has to have 32",
                    "/b.test: without a pin nothing is pinned for it",
                ])
        let sha1 = "{\"a.test\": [\"sha1/\(digest(1))\"]}"
        #expect(try remarks(sha1).first?.hasSuffix("it has to have 20") == true)
    }

    @Test("C80: a pattern that the release throws at is an error, and one that it takes is none")
    func patterns() throws {
        let url = try load("{\"https://a.test/v1/\": [\"sha256/\(digest(1))\"]}")
        let error = #expect(throws: PolicyFileError.self) { try url.appPolicy(in: environment()) }
        #expect(
            error?.description == """
                policy, /https://a.test/v1/: OkHttp 5.4.0: the pattern https://a.test/v1/ is none; write a host, *. and \
                a host, or **. and a host; no URL
                """)
        let stars = try load("{\"a.*.test\": [\"sha256/\(digest(1))\"]}")
        #expect(throws: PolicyFileError.self) { try stars.appPolicy(in: environment()) }
        let sha256 = try load("{\"a.test\": [\"sha256/\(digest(1))\"]}")
        let old = #expect(throws: PolicyFileError.self) {
            try sha256.appPolicy(in: environment(version: LibraryVersion(3, 1)))
        }
        #expect(old?.place == .key(["a.test", "0"]))
        // The host is put into its canonical form, the pin's SHA-1 compared with the key's.
        let upper = try load(
            "{\"EXAMPLE.test\": [\"sha256/\(digest(0xAA))\"], \"bücher.test\": [\"sha256/\(digest(0xAA))\"]}")
        #expect(try upper.verdict(on: "example.test", in: environment()).decision == .reject)
        #expect(try upper.verdict(on: "xn--bcher-kva.test", in: environment()).decision == .reject)
    }

    @Test("OkHttp before 4.3 takes a host out of a URL, and **. for text: the release's policy remarks on it")
    func remarksOfReleases() throws {
        func remarks(_ text: String, _ version: LibraryVersion) throws -> [String] {
            try load(text).appPolicy(in: environment(version: version)).remarks.map(\.line)
        }
        func pattern(_ text: String) -> String { "{\"\(text)\": [\"sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=\"]}" }
        let (old, mute, new) = (LibraryVersion(4, 2, 2), LibraryVersion(3, 3), LibraryVersion(4, 3))
        let cases: [(pattern: String, version: LibraryVersion, remark: String?)] = [
            ("https://a.test", old, "OkHttp 4.2.2 takes the host \"https\" out of it: write the host alone"),
            ("a.test/v1", old, "OkHttp 4.2.2 takes the host \"a.test\" out of it: write the host alone"),
            ("*.a.test:443", old, "OkHttp 4.2.2 takes the host \"a.test\" out of it: write the host alone"),
            ("user@a.test", old, "OkHttp 4.2.2 takes the host \"a.test\" out of it: write the host alone"),
            ("a.test/v1", mute, "OkHttp 3.3.0 compares the text as it is, which no host is: write the host alone"),
            ("**.a.test", old, "OkHttp 4.2.2 knows no **., which is of 4.3.0: the text matches no host"),
            ("**.a.test", new, nil), ("a.test", old, nil), ("*.a.test", mute, nil), ("[::1]", mute, nil),
        ]
        for (text, version, remark) in cases {
            let expected = remark.map { ["/\(text): \($0)"] } ?? []
            #expect(try remarks(pattern(text), version) == expected, "\(text)")
        }
        // In a profile the release is the profile's own, and the pattern stands deeper.
        let profile = try load(
            "{\"library\": \"okhttp\", \"version\": \"4.2\", \"pins\": \(pattern("**.a.test"))}"
        ).appPolicy(in: environment())
        #expect(profile.remarks.map(\.place) == [.key(["pins", "**.a.test"])])

        let subdomains = """
            {"a.test": {"publicKeyHashes": ["\(digest(1))", "\(digest(2))"], "includeSubdomains": true}}
            """
        #expect(
            try remarks(subdomains, old) == [
                "/a.test/includeSubdomains: OkHttp 4.2.2 knows no **., which is of 4.3.0: the text matches no host"
            ])
        #expect(try remarks(subdomains, new).isEmpty)
    }

    @Test("React Native's configuration is OkHttp's on Android and TrustKit's on iOS")
    func reactNative() throws {
        let text = """
            {"example.com": {"includeSubdomains": true, "publicKeyHashes": ["\(digest(0xAA))", "\(digest(0xAB))"]}}
            """
        let file = try load(text)
        #expect(file.format == .reactNative)
        #expect(file.remarks.isEmpty)
        let library = "react-native-ssl-public-key-pinning"
        #expect(try file.appPolicy(in: environment()).name == "\(library), OkHttp 5.4.0 on Android")
        #expect(try file.appPolicy(in: environment(.ios)).name == "\(library), TrustKit 3.0.7 on iOS")
        for environment in [environment(), environment(.ios)] {
            #expect(try file.verdict(on: "a.b.example.com", in: environment).decision == .reject)
            #expect(try file.verdict(on: "a.b.example.com", key: 0xAB, in: environment).reason.kind.isMatch)
        }
        #expect(throws: PolicyFileError.self) { try file.appPolicy(in: environment(.macos)) }
    }

    @Test("React Native: what one platform takes and the other throws at is told")
    func reactNativeHalves() throws {
        #expect(
            try remarks("{\"a.test\": {\"publicKeyHashes\": [\"\(digest(1))\"]}}") == [
                """
                /a.test/publicKeyHashes: on iOS TrustKit raises an exception: a.test has one pin and the library wants two
                """
            ])
        let bare = String(digest(1).dropLast())
        #expect(
            try remarks("{\"a.test\": {\"publicKeyHashes\": [\"\(bare)\", \"\(digest(2))\"]}}").map {
                $0.prefix(49)
            } == ["/a.test/publicKeyHashes/0: on iOS TrustKit raises"])
        let cases: [(String, String)] = [
            ("{\"a.test\": {}}", "policy, /a.test: publicKeyHashes is missing; it is an array of Base64 texts"),
            (
                "{\"a.test\": {\"publicKeyHashes\": [], \"includeSubDomain\": true}}",
                "policy, /a.test/includeSubDomain: there is no such field; did you mean includeSubdomains?"
            ),
            (
                "{\"a.test\": {\"publicKeyHashes\": [\"?\"]}}",
                """
                policy, /a.test/publicKeyHashes/0: pin sha256/? is not Base64; write the Base64 of the key's SHA-256, 44 \
                characters, without sha256/
                """
            ),
            (
                "{\"a.test\": {\"publicKeyHashes\": [], \"expirationDate\": \"2026-02-30\"}}",
                """
                policy, /a.test/expirationDate: "2026-02-30" is no day, and Android throws at it; write a day of the \
                calendar as yyyy-MM-dd
                """
            ),
            (
                "{\"a.test\": {\"publicKeyHashes\": [], \"includeSubdomains\": 1}}",
                "policy, /a.test/includeSubdomains: a number where true or false is expected"
            ),
        ]
        for (text, expected) in cases { #expect(complaint(text) == expected) }
    }
}
