import Pinning
import PolicyFiles
import Testing

@Suite("Android's network security configuration")
struct AndroidFileTests {
    private func config(_ inside: String) -> String {
        "<network-security-config>\n\(inside)\n</network-security-config>"
    }

    private func domain(_ inside: String) -> String {
        config("<domain-config>\n<domain>example.com</domain>\n\(inside)\n</domain-config>")
    }

    @Test("C46: every domain of a configuration is covered, and text is trimmed")
    func severalDomains() throws {
        let file = try load(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config>
              <domain-config>
                <domain includeSubdomains="true">
                   one.example.com
                </domain>
                <domain>two.example.com</domain>
                <pin-set expiration="2026-03-02">
                  <pin digest="SHA-256">
                    \(digest(0xAA))
                  </pin>
                </pin-set>
              </domain-config>
            </network-security-config>
            """)
        #expect(file.format == .networkSecurityConfig)
        #expect(file.remarks.isEmpty)
        for host in ["one.example.com", "deep.one.example.com", "two.example.com"] {
            #expect(try file.verdict(on: host, in: environment()).decision == .reject, "\(host)")
            #expect(try file.verdict(on: host, key: 0xAA, in: environment()).reason.kind.isMatch, "\(host)")
        }
        #expect(try file.verdict(on: "sub.two.example.com", in: environment()).reason.kind == .chainValid)
        #expect(
            try file.appPolicy(in: environment()).name == "Android network security configuration, targetSdk 34")
        #expect(
            try file.appPolicy(in: environment()).redirects
                == RedirectConduct(limit: 20, changesScheme: false, statuses: [300, 301, 302, 303, 307, 308]))
    }

    @Test("C46: what the platform's parser throws at is an error with its line")
    func structureErrors() {
        let cases: [(String, String)] = [
            (config("<base-config/>\n<base-config/>"), "policy, line 3: a second <base-config>; one is allowed"),
            (
                config("<base-config>\n<pin-set/></base-config>"),
                "policy, line 3: a <pin-set> in <base-config>; put it into a <domain-config>"
            ),
            (
                config("<domain-config>\n</domain-config>"),
                "policy, line 2: a <domain-config> without a <domain>; name at least one domain in it"
            ),
            (domain("<pin-set/>\n<pin-set/>"), "policy, line 5: a second <pin-set>; put all pins into one"),
            (
                domain("<trust-anchors/>\n<trust-anchors/>"),
                "policy, line 5: a second <trust-anchors>; put all into one"
            ),
            (
                domain("<domain>EXAMPLE.com</domain>"),
                "policy, line 4: \"example.com\" is there twice: in line 3 too"
            ),
            (
                config("<domain-config><domain>a.test<pin-set/></domain></domain-config>"),
                "policy, line 2: a <pin-set> in <domain>; put it beside the <domain>, not into it"
            ),
            (config("<domain-config><domain> </domain></domain-config>"), "policy, line 2: a <domain> without a name"),
            (
                config("<debug-overrides><domain>a.test</domain></debug-overrides>"),
                "policy, line 2: a <domain> in <debug-overrides>; put it into a <domain-config>"
            ),
            (
                domain("<trust-anchors><certificates/></trust-anchors>"),
                "policy, line 4: <certificates> without src; src is system, user, or a resource such as @raw/name"
            ),
            (
                domain("<trust-anchors><certificates src=\"System\"/></trust-anchors>"),
                "policy, line 4: certificates from \"System\"; src is system, user, or a resource such as @raw/name"
            ),
        ]
        for (text, expected) in cases { #expect(complaint(text) == expected) }
    }

    @Test("C46: a digest, Base64 or a day that the platform throws at is an error with its line")
    func pinErrors() {
        func pins(_ inside: String, _ attributes: String = "") -> String {
            domain("<pin-set\(attributes)>\n\(inside)\n</pin-set>")
        }
        let mend = "write digest=\"SHA-256\" and the Base64 of the key's SHA-256, which is 44 characters"
        let day = "write a day of the calendar as yyyy-MM-dd"
        let cases: [(String, String)] = [
            (
                pins("<pin digest=\"SHA-1\">\(digest(1))</pin>"),
                "policy, line 5: the digest SHA-1 is not supported; \(mend)"
            ),
            (pins("<pin>\(digest(1))</pin>"), "policy, line 5: a pin does not name its digest; \(mend)"),
            (
                pins("<pin digest=\"SHA-256\">AAAA</pin>"),
                "policy, line 5: pin AAAA is of 3 octets, which is no SHA-256 digest; \(mend)"
            ),
            (pins("<pin digest=\"SHA-256\">A=A</pin>"), "policy, line 5: pin A=A is not Base64; \(mend)"),
            (pins("<pin digest=\"SHA-256\"/>"), "policy, line 5: a <pin> without a digest"),
            (pins("", " expiration=\"2024-02-30\""), "policy, line 4: the expiration 2024-02-30 is no day; \(day)"),
            (pins("", " expiration=\"soon\""), "policy, line 4: the expiration soon is no day; \(day)"),
        ]
        for (text, expected) in cases { #expect(complaint(text) == expected) }
        #expect(complaint(pins("<pin digest=\"sha-256\">\(digest(1))</pin>", " expiration=\"2024-02-29\"")) == nil)
    }

    @Test("C46: XML that is not well-formed is an error with its line, in words")
    func malformed() {
        let quotes = "<network-security-config>\n<domain-config>\n<domain includeSubdomains=“true”>a.test</domain>"
        #expect(
            complaint(quotes) == """
                policy, line 3: an attribute's value does not begin with a quotation mark; typographic quotation marks \
                are none: write " or '
                """)
        #expect(
            complaint("<network-security-config>\n<base-config>\n</network-security-config>")
                == "policy, line 3: an element ends with another one's tag")
        #expect(
            complaint("<network-security-config>\n<base-config>")
                == "policy, line 2: the file ends before its elements do, or something follows them")
        #expect(
            complaint(config("<domain>&nbsp;</domain>"))
                == "policy, line 2: an entity that is not declared; XML knows &amp; &lt; &gt; &quot; and &apos; only")
        #expect(
            complaint("<resources/>", as: .networkSecurityConfig)
                == "policy, line 1: the outermost element is <resources>; <network-security-config> is expected")
        #expect(complaint("", as: .networkSecurityConfig) == "policy: it is no XML")
        let wide = Array("\u{FEFF}<network-security-config/>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(throws: PolicyFileError("it is UTF-16, which is not read", in: "policy", mend: "save it as UTF-8")) {
            try PolicyFile(wide, named: "policy", as: .networkSecurityConfig, resources: MemoryResources())
        }
    }

    @Test(
        "An encoding other than UTF-8 is refused before the parser hears of it, which crashes at some",
        arguments: [
            (#"encoding="utf-7""#, "utf-7"), (#"encoding = 'UTF-16'"#, "UTF-16"),
            (#"encoding="iso-8859-1""#, "iso-8859-1"),
            ("encoding=utf-7", "utf-7?"), (#"encoding="""#, ""),
        ])
    func encodings(declared: String, name: String) {
        #expect(
            complaint("<?xml version=\"1.0\" \(declared)?>\n<network-security-config/>")
                == "policy, line 1: the encoding \"\(name)\" is not read; save it as UTF-8, and say so")
    }

    @Test("UTF-8 may be declared", arguments: [#"encoding="utf-8""#, "encoding='UTF-8'", #"encoding="US-ASCII""#, ""])
    func ownEncodings(declared: String) throws {
        let text = "<?xml version=\"1.0\" \(declared)?>\n<network-security-config/>"
        #expect(
            try PolicyFile(Array(text.utf8), named: "policy", resources: MemoryResources()).format
                == .networkSecurityConfig)
    }

    @Test("Entities, inside and outside, are never read, and nesting and size are bounded")
    func bounds() {
        let outside =
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"secret\">]>\n<network-security-config>&x;</network-security-config>"
        let refused =
            "policy, line 1: a document type declaration, which may declare entities, is not read; remove it"
        #expect(complaint(outside, as: .networkSecurityConfig, beside: ["secret": [0x41]]) == refused)
        let deep = String(repeating: "<a>\n", count: 65)
        #expect(
            complaint("<network-security-config>\n\(deep)", as: .networkSecurityConfig)
                == "policy, line 65: elements are nested too deeply")
        let wide = config(String(repeating: "<a/>", count: 20_000))
        #expect(complaint(wide) == "policy, line 2: there are too many elements")
        let long = config(String(repeating: " ", count: PolicyFile.sizeLimit))
        #expect(complaint(long) == "policy: it is longer than 4 MiB")
    }

    @Test("C46: what the platform skips without a word is skipped, and remarked on with its line")
    func skipped() throws {
        let text = config(
            """
            <base-confg/>
            <domain-config cleartextTraficPermitted="false" tools:ignore="x" xmlns:tools="urn:tools">
            <domain includeSubDomains="true">a.test</domain>
            <domain includeSubdomains="yes">b.test</domain>
            <domain>*.c.test</domain>
            <domain>https://d.test</domain>
            <domain>“e.test”</domain>
            <pin-set>
            <pin digest="SHA-256">“\(digest(0xAA))”</pin>
            <pins/>
            </pin-set>
            </domain-config>
            <domain-config><domain>f.test</domain><pin-set/><trust-anchors/></domain-config>
            """)
        #expect(
            try remarks(text) == [
                "line 2: <base-confg> means nothing in <network-security-config>: it is skipped; did you mean base-config?",
                """
                line 3: <domain-config> has no attribute "cleartextTraficPermitted": it is skipped; did you mean \
                cleartextTrafficPermitted?
                """,
                "line 4: <domain> has no attribute \"includeSubDomains\": it is skipped; did you mean includeSubdomains?",
                "line 5: includeSubdomains is \"yes\", neither true nor false: it counts as absent",
                "line 6: \"*.c.test\" matches no host: asterisks mean nothing, includeSubdomains=\"true\" does",
                "line 7: \"https://d.test\" is no host as the platform spells them, and matches none",
                "line 8: \"“e.test”\" is no host as the platform spells them, and matches none",
                "line 10: characters that are no Base64 in the pin are skipped",
                "line 11: <pins> means nothing in <pin-set>: it is skipped; did you mean pin?",
                "line 14: <trust-anchors> without <certificates> trusts nobody",
                "line 14: a <pin-set> without a <pin> pins nothing, and takes away inherited pins",
            ])
        let file = try load(text)
        // The typographic quotation marks around the pin are skipped, so that it counts.
        #expect(try file.verdict(on: "a.test", key: 0xAA, in: environment()).reason.kind.isMatch)
        #expect(try file.verdict(on: "sub.a.test", in: environment()).reason.kind == .chainValid)
        #expect(try file.verdict(on: "sub.c.test", in: environment()).reason.kind == .chainValid)
    }

    @Test("C46: pins that expire are off from the day's beginning on, and no sooner")
    func expiry() throws {
        let file = try load(
            domain("<pin-set expiration=\"2026-03-01\"><pin digest=\"SHA-256\">\(digest(0xAA))</pin></pin-set>"))
        #expect(try file.verdict(on: "example.com", in: environment(), time: testTime).decision == .reject)
        let after = try file.verdict(on: "example.com", in: environment(), time: testTime + 1)
        #expect(after.decision == .accept)
        #expect(after.reason.explanation.contains("the pins expired on 2026-03-01"))
    }
}

extension PolicyReason.Kind {
    var isMatch: Bool {
        if case .pinMatched = self { return true }
        return false
    }
}
