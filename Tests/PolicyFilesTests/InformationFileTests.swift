import Crypto
import Foundation
import Pinning
import PolicyFiles
import Testing

@Suite("Info.plist")
struct InformationFileTests {
    private func plist(_ inside: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        \(inside)
        </dict></plist>
        """
    }

    private func trustKit(_ domain: String) -> String {
        plist(
            "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>example.com</key>"
                + "<dict>\n\(domain)\n</dict></dict></dict>")
    }

    private var hashes: String {
        "<key>TSKPublicKeyHashes</key><array><string>\(digest(0xAA))</string><string>\(digest(0xAB))</string></array>"
    }

    private func security(_ inside: String) -> String {
        plist("<key>NSAppTransportSecurity</key><dict>\(inside)</dict>")
    }

    @Test("with TSKConfiguration TrustKit decides, and the platform's own pins and ATS stand beside it")
    func trustKitAndPlatform() throws {
        let file = try load(
            trustKit(hashes).replacing(
                "<plist version=\"1.0\"><dict>",
                with: """
                    <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key>\
                    <true/></dict>
                    """))
        #expect(file.format == .infoPlist)
        #expect(file.remarks.isEmpty)
        let app = try file.appPolicy(in: environment(.ios))
        #expect(app.name == "TrustKit 3.0.7")
        #expect(app.pinnedDomains == PinnedDomains(entries: [:]))
        #expect(app.transportSecurity?.allowsArbitraryLoads == true)
        #expect(app.redirects == RedirectConduct(limit: 20, changesScheme: true))
        #expect(try file.verdict(on: "example.com", in: environment()).decision == .reject)
        #expect(try file.verdict(on: "example.com", key: 0xAB, in: environment()).reason.kind.isMatch)
        #expect(try file.verdict(on: "other.com", in: environment()).decision == .default)
        let old = try file.appPolicy(in: environment(version: LibraryVersion(1, 4)))
        #expect(old.name == "TrustKit 1.4.0")
        #expect(old.policy.configurationProblem?.explanation.contains("no list of public key algorithms") == true)
    }

    @Test("a file that is TrustKit's configuration alone has no platform in it; binary is read as XML is")
    func alone() throws {
        let dictionary: [String: Any] = [
            "TSKPinnedDomains": [
                "example.com": ["TSKPublicKeyHashes": [digest(0xAA), digest(0xAB)], "TSKIncludeSubdomains": true]
            ]
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: format, options: 0)
            let file = try PolicyFile([UInt8](data), named: "trustkit.plist", resources: MemoryResources())
            let app = try file.appPolicy(in: environment(.macos))
            #expect(app.pinnedDomains == nil)
            #expect(app.transportSecurity == nil)
            #expect(try file.verdict(on: "a.b.example.com", in: environment(.macos)).decision == .reject)
        }
    }

    @Test("without TSKConfiguration the platform's pins decide")
    func pinnedDomains() throws {
        let file = try load(
            security(
                "<key>NSPinnedDomains</key><dict><key>example.com</key><dict><key>NSPinnedLeafIdentities</key>"
                    + "<array><dict><key>SPKI-SHA256-BASE64</key><string>\(digest(0xAA))</string></dict></array>"
                    + "</dict></dict>"))
        let app = try file.appPolicy(in: environment())
        #expect(app.name == "NSPinnedDomains on iOS")
        #expect(app.pinnedDomains == nil)
        #expect(app.transportSecurity == TransportSecurity())
        #expect(try file.verdict(on: "example.com", in: environment()).decision == .reject)
        #expect(try file.verdict(on: "example.com", key: 0xAA, in: environment()).decision == .accept)
        #expect(throws: PolicyFileError("a policy of ios or macos cannot run on android", in: "policy")) {
            try file.appPolicy(in: environment(.android))
        }
        #expect(throws: PolicyFileError.self) { try file.appPolicy(in: environment(version: LibraryVersion(1, 0))) }
    }

    @Test("PS-3.1-4: the exclude key by its documented name is remarked on, by its real one it works")
    func excludeKey() throws {
        let text = trustKit("<key>TSKExcludeSubdomainFromParentPolicy</key><true/>")
        #expect(
            try remarks(text) == [
                """
                /TSKConfiguration/TSKPinnedDomains/example.com/TSKExcludeSubdomainFromParentPolicy: the library does not \
                know the key by this name, which its documentation has, but as kSKExcludeSubdomainFromParentPolicy
                """
            ])
        #expect(try load(text).appPolicy(in: environment()).policy.configurationProblem != nil)
        #expect(try remarks(trustKit("<key>kSKExcludeSubdomainFromParentPolicy</key><true/>")).isEmpty)
        #expect(
            complaint(trustKit("<key>kSKExcludeSubdomainFromParentPolicy</key><true/>\(hashes)")) == """
                policy, /TSKConfiguration/TSKPinnedDomains/example.com: the configuration of example.com raises an \
                exception: it is excluded and has other keys
                """)
    }

    @Test("what TrustKit throws at is an error with its key path, what it skips a remark")
    func trustKitKinds() throws {
        let start = "policy, /TSKConfiguration/TSKPinnedDomains"
        #expect(
            complaint(trustKit("<key>TSKPublicKeyHashes</key><string>x</string>")) == """
                \(start)/example.com/TSKPublicKeyHashes: the configuration of example.com raises an exception: \
                TSKPublicKeyHashes is not of the expected type
                """)
        #expect(
            complaint(plist("<key>TSKConfiguration</key><string>x</string>"))
                == "policy, /TSKConfiguration: a text where TrustKit wants a dictionary")
        let domain = "/TSKConfiguration/TSKPinnedDomains/example.com"
        #expect(
            try remarks(
                trustKit(
                    """
                    \(hashes)<key>TSKIncludeSubdomain</key><true/><key>TSKEnforcePinning</key><string>NO</string>
                    <key>TSKExpirationDate</key><string>2026-02-30</string>
                    <key>TSKPublicKeyAlgorithms</key><array><string>RSA</string></array>
                    """)) == [
                    "\(domain)/TSKIncludeSubdomain: TrustKit knows no such key and skips it; did you mean TSKIncludeSubdomains?",
                    "\(domain)/TSKEnforcePinning: a text where a boolean is expected: it counts as absent",
                    "\(domain)/TSKExpirationDate: it is no day as yyyy-MM-dd: the pins never expire",
                    "\(domain)/TSKPublicKeyAlgorithms/0: no such algorithm",
                ])
    }

    @Test("additional trust anchors are read as PEM; what is none is skipped with a remark")
    func anchors() throws {
        let certificate = try CertificateTemplate.server(
            names: [.dns("a.test")], notBefore: testTime, notAfter: testTime + 86_400
        ).signed(for: PrivateKey.generate(.p256))
        let text = trustKit(
            "\(hashes)<key>TSKAdditionalTrustAnchors</key><array><string>\(certificate.pem)</string>"
                + "<string>none</string></array>")
        let file = try load(text)
        #expect(
            file.remarks.map(\.line) == [
                """
                /TSKConfiguration/TSKPinnedDomains/example.com/TSKAdditionalTrustAnchors/1: it is no certificate in PEM \
                and skipped
                """
            ])
        let policy = try #require(try file.appPolicy(in: environment()).policy as? TrustKitPolicy)
        #expect(policy.configuration.domains["example.com"]?.additionalAnchors == [CertificateFacts(certificate)])
    }

    @Test("what the platform skips in NSAppTransportSecurity is remarked on")
    func platformRemarks() throws {
        let text = security(
            """
            <key>NSAllowsArbitraryLoads</key><string>YES</string>
            <key>NSPinnedDomains</key><dict>
            <key>a.test</key><dict><key>NSIncludesSubdomains</key><integer>1</integer></dict>
            <key>https://b.test</key><string>x</string>
            <key>c.test</key><dict><key>NSPinnedLeafIdentities</key><array><string>x</string>
            <dict><key>SPKI-SHA256-BASE64</key><string>AAAA</string></dict></array></dict>
            </dict>
            <key>NSExceptionDomains</key><dict><key>D.test</key><dict>
            <key>NSExceptionMinimumTLSVersion</key><string>1.2</string><key>NSIncludeSubdomains</key><true/>
            </dict></dict>
            """)
        let pins = "/NSAppTransportSecurity/NSPinnedDomains"
        let exceptions = "/NSAppTransportSecurity/NSExceptionDomains/D.test"
        #expect(
            try remarks(text) == [
                """
                /NSAppTransportSecurity/NSAllowsArbitraryLoads: a text where a boolean is expected: it counts as absent
                """,
                "\(pins)/a.test/NSIncludesSubdomains: a number: only a boolean counts, so subdomains are not covered",
                "\(pins)/a.test: neither leaf nor CA identities are there: nothing is pinned",
                "\(pins)/c.test/NSPinnedLeafIdentities/0: it is no dictionary with Base64 as SPKI-SHA256-BASE64, and skipped",
                "\(pins)/c.test/NSPinnedLeafIdentities/1: a digest of 3 octets matches nothing: SHA-256 has 32",
                "\(pins)/c.test/NSPinnedLeafIdentities: no pin can be used: every server is refused",
                "\(pins)/https://b.test: it is no host as the platform spells them, and matches none",
                "\(pins)/https://b.test: a text where a dictionary is expected: it counts as absent",
                "\(exceptions): exceptions are looked up in lower case: it matches no host",
                """
                \(exceptions)/NSIncludeSubdomains: the platform knows no such key and skips it; did you mean \
                NSIncludesSubdomains?
                """,
                """
                \(exceptions)/NSExceptionMinimumTLSVersion: it is none of TLSv1.0, TLSv1.1, TLSv1.2, TLSv1.3: TLSv1.2 \
                counts
                """,
            ])
    }

    @Test("a property list that is none is an error with its line or its reason")
    func damaged() throws {
        let convert = "convert it with plutil -convert xml1"
        let cases: [(String, String)] = [
            ("{ a = b; }", "policy: it is no property list, which begins with bplist00, <?xml or <plist; \(convert)"),
            ("bplist17abc", "policy: it is a binary property list of a version that is not known; \(convert)"),
            (
                "bplist00" + String(repeating: "garbage ", count: 9),
                "policy: it begins as a binary property list and is damaged; check it with plutil -lint"
            ),
            ("<plist>\n<dict>\n</plist>", "policy, line 3: an element ends with another one's tag"),
            (
                "<plist><dict><key>a</key></dict></plist>",
                "policy: it is XML and no property list; check it with plutil -lint"
            ),
            ("<plist><array/></plist>", "policy: its outermost value is no dictionary"),
            (
                "<plist><dict>\n<key>a</key><true/>\n<key>a</key><false/></dict></plist>",
                "policy, line 3: the key \"a\" is there twice: in line 2 too"
            ),
            (
                "<!DOCTYPE plist [<!ENTITY x \"y\">]>\n<plist><dict/></plist>",
                "policy, line 1: a document type declaration, which may declare entities, is not read; remove it"
            ),
        ]
        for (text, expected) in cases { #expect(complaint(text, as: .infoPlist) == expected) }
    }

    @Test("values within themselves, or named a million times, are bounded")
    func bombs() throws {
        func big(_ number: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        func list(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [Int] = []
            for object in objects {
                offsets.append(bytes.count)
                bytes += object
            }
            let table = bytes.count
            for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
            return bytes + [0, 0, 0, 0, 0, 0, 2, 1] + big(objects.count) + big(0) + big(table)
        }
        let within = list([[0xA1, 0x00]])
        let many = list((0..<20).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) } + [[0x09]])
        for bytes in [within, many] {
            let error = #expect(throws: PolicyFileError.self) {
                try PolicyFile(bytes, named: "policy", resources: MemoryResources())
            }
            #expect(
                error?.description == "policy: its values are nested too deeply, or there are more than 20000")
        }
    }
}
