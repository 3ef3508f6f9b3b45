import Crypto
import Pinning
import PolicyFiles
import Testing

@Suite("curl's options")
struct CurlFileTests {
    @Test("a configuration file as curl's manual has it")
    func configurationFile() throws {
        let file = try load(
            """
            # what is pinned
            \tpinnedpubkey = "sha256//\(digest(0xAA))"
            -L
            max-redirs: 7
            user-agent "a \\"quoted\\" one"   # behind it nothing is read
            silent
            """)
        #expect(file.format == .curl)
        #expect(file.remarks.isEmpty)
        let app = try file.appPolicy(in: environment())
        #expect(app.name == "curl")
        #expect(app.redirects == RedirectConduct(limit: 7, changesScheme: true, statuses: Set(300...399)))
        #expect(try file.verdict(on: "a.test", in: environment()).decision == .reject)
        #expect(try file.verdict(on: "a.test", key: 0xAA, in: environment()).reason.kind.isMatch)
        #expect(throws: PolicyFileError.self) { try file.appPolicy(in: environment(.ios)) }
    }

    @Test("a whole command line, with a shell's quotation marks and lines that go on")
    func commandLine() throws {
        let file = try load(
            """
            $ curl -sSkH 'Accept: -L' --data "a \\" b" \\
                --pinnedpubkey 'sha256//\(digest(0xAA))' https://a.test/ | jq --insecure
            """)
        #expect(file.format == .curl)
        #expect(file.remarks.isEmpty)
        let app = try file.appPolicy(in: environment(version: LibraryVersion(7, 88, 1)))
        #expect(app.name == "curl 7.88.1")
        #expect(app.redirects == .none)
        #expect((app.policy as? CurlPolicy)?.isInsecure == true)
        guard case .pinMatchedAlone = try file.verdict(on: "a.test", key: 0xAA, in: environment()).reason.kind else {
            Issue.record("-k leaves the pin alone")
            return
        }
    }

    @Test("options are counted as curl counts them")
    func options() throws {
        func redirects(_ text: String) throws -> RedirectConduct {
            try load(text, as: .curl).appPolicy(in: environment()).redirects
        }
        #expect(try redirects("location") == RedirectConduct(limit: 50, changesScheme: true, statuses: Set(300...399)))
        #expect(try redirects("location\nno-location") == .none)
        #expect(try redirects("max-redirs 3") == .none)
        #expect(try redirects("location-trusted\nmax-redirs = -1").limit == .max)
        let pem = try CertificateTemplate.server(names: [.dns("a.test")], notBefore: 0, notAfter: testTime)
            .signed(for: PrivateKey.generate(.p256)).pem
        let file = try load("cacert \"ca.pem\"\ninsecure", as: .curl, beside: ["ca.pem": Array(pem.utf8)])
        let policy = try #require(try file.appPolicy(in: environment()).policy as? CurlPolicy)
        #expect(policy.authorities?.count == 1)
        #expect(policy.isInsecure)
        #expect(file.remarks.map(\.line) == ["there is no pinnedpubkey: nothing is pinned"])
    }

    @Test("what curl refuses is an error with its line")
    func errors() {
        let cases: [(String, String)] = [
            (
                "insecure\ncacert none.pem",
                "policy, line 2: cacert \"none.pem\" cannot be read, and curl fails (77); its name begins at the policy's folder"
            ),
            ("cacert empty.pem", "policy, line 1: cacert \"empty.pem\" holds no certificate, or a damaged one"),
            (
                "insecure = true",
                "policy, line 1: \"true\" behind insecure, which takes no parameter; write insecure alone; --no-NAME switches an option off"
            ),
            (
                "\n-k yes",
                "policy, line 2: \"yes\" behind -k, which takes no parameter; write -k alone; --no-NAME switches an option off"
            ),
            ("pinnedpubkey", "policy, line 1: pinnedpubkey without its parameter"),
            ("max-redirs many", "policy, line 1: max-redirs \"many\" is no number; -1 stands for no limit"),
            ("curl \\\n 'https://a.test", "policy, line 2: a quotation does not end"),
            ("curl --pinnedpubkey", "policy, line 1: pinnedpubkey without its parameter"),
            (
                "\u{FEFF}insecure",
                "policy, line 1: it begins with a byte order mark, which curl takes for part of an option; remove it: save the file as UTF-8 without a byte order mark"
            ),
        ]
        for (text, expected) in cases {
            #expect(complaint(text, as: .curl, beside: ["empty.pem": []]) == expected)
        }
    }

    @Test("an option that is nearly one that counts is an error, because curl would go on without a pin")
    func misspelt() {
        let cases: [(String, String)] = [
            ("pinnedpubky sha256//x", "policy, line 1: curl has no option \"pinnedpubky\"; did you mean pinnedpubkey?"),
            ("curl --pinned sha256//x", "policy, line 1: curl has no option \"pinned\"; did you mean pinnedpubkey?"),
            ("\n--no-insec", "policy, line 2: curl has no option \"insec\"; did you mean insecure?"),
        ]
        for (text, expected) in cases { #expect(complaint(text, as: .curl) == expected) }
        #expect(complaint("globoff\nipv4\n-Z", as: .curl) == nil)
    }

    @Test("options that change whom curl trusts, and are not emulated, are remarked on; others are skipped")
    func trustOptions() throws {
        let text = """
            pinnedpubkey sha256//\(digest(1)) ; more
            capath = /etc/certs
            tlsv1.3
            -E client.pem
            proxy-pinnedpubkey = sha256//\(digest(2))
            compressed
            pinnedpubkey sha256//\(digest(1))
            next
            pinnedpubkey sha256//x
            """
        let changes = "may change whom curl trusts, and is not emulated"
        #expect(
            try remarks(text) == [
                "line 1: \"; more\" is not read: a parameter with blanks needs quotation marks",
                "line 2: capath \(changes)", "line 3: tlsv1.3 \(changes)", "line 4: cert \(changes)",
                "line 5: proxy-pinnedpubkey is for HTTPS proxies only, and not for servers",
                "line 7: pinnedpubkey is given anew: line 1 no longer counts",
                "line 8: what follows is for another transfer and not read",
            ])
    }

    @Test("C36: text that never matches is loaded, refuses every server, and is told why")
    func digests() throws {
        let text = digest(0xAA)
        let bare = String(text.dropLast())
        let forURLs = "-_" + text.dropFirst(2)
        let cases: [(value: String, accepts: Bool, remark: String?)] = [
            ("sha256//\(text)", true, nil),
            ("sha256//\(digest(1));sha256//\(text)", true, nil),
            (
                "SHA256//\(text)", false,
                "line 1: \"SHA256//\(text)\" is taken for a file's name and matches nothing: only sha256// begins a digest"
            ),
            (
                "sha256/\(text)", false,
                "line 1: \"sha256/\(text)\" is taken for a file's name and matches nothing: only sha256// begins a digest"
            ),
            ("sha256//\(text) ", false, "line 1: \"sha256//\(text) \" matches nothing: a blank belongs to it"),
            (
                "sha256//\(bare)", false,
                "line 1: \"sha256//\(bare)\" matches nothing: its padding is missing; put = behind it"
            ),
            (
                "sha256//\(forURLs)", false,
                "line 1: \"sha256//\(forURLs)\" matches nothing: it is Base64 of the kind for URLs; write + and / for - and _"
            ),
            ("sha256//AAAA", false, "line 1: \"sha256//AAAA\" matches nothing: it is of 3 octets, and SHA-256 has 32"),
            ("sha256//?", false, "line 1: \"sha256//?\" matches nothing: it is no Base64"),
            (
                "sha256//\(digest(1)); sha256//\(text)", false,
                "line 1: what begins with \" sha256//\(text)\" is not read: each digest of a list begins with sha256//"
            ),
        ]
        for (value, accepts, remark) in cases {
            let file = try load("pinnedpubkey = \"\(value)\"")
            #expect(file.remarks.map(\.line) == (remark.map { [$0] } ?? []), "\(value)")
            let verdict = try file.verdict(on: "a.test", key: 0xAA, in: environment())
            #expect(verdict.decision == (accepts ? .accept : .reject), "\(value)")
        }
    }

    @Test("C36: files that hold no key, or hold it in a way that curl does not read, are told why")
    func files() throws {
        let certificate = try CertificateTemplate.server(names: [.dns("a.test")], notBefore: 0, notAfter: testTime)
            .signed(for: PrivateKey.generate(.p256))
        let key = "-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n"
        let take = "take the key out with openssl x509 -pubkey -noout"
        let cases: [(contents: [UInt8]?, flaw: String?)] = [
            (Array(key.utf8), nil),
            (Array(key.replacing("\n", with: "\r\n").utf8), nil),
            (Array(("some text\n" + key).utf8), nil),
            (certificate.spki, nil),
            (Array(("text " + key).utf8), "its BEGIN PUBLIC KEY does not begin a line"),
            ([0xEF, 0xBB, 0xBF] + Array(key.utf8), "it begins with a byte order mark"),
            (Array(certificate.pem.utf8), "it is a certificate and no key; \(take)"),
            (certificate.der, "it is a certificate and no key; \(take)"),
            (
                Array(key.replacing("PUBLIC", with: "RSA PUBLIC").utf8),
                "it is an RSA key without its algorithm; convert it with openssl rsa -RSAPublicKey_in -pubout"
            ),
            ([], "it is empty"), (Array("none".utf8), "it is no public key, neither in PEM nor in DER"),
            ([0x30, 0x00], "it is no public key in DER"),
        ]
        for (contents, flaw) in cases {
            let beside = contents.map { ["key.pem": $0] } ?? [:]
            #expect(
                try remarks("pinnedpubkey key.pem", beside: beside)
                    == (flaw.map { ["line 1: the file \"key.pem\" matches nothing: \($0)"] } ?? []))
        }
        #expect(
            try remarks("pinnedpubkey key.pem") == ["line 1: the file \"key.pem\" cannot be read, and matches nothing"])
        let file = try load("pinnedpubkey key.der", beside: ["key.der": [0x30, 0xAA]])
        #expect(try file.verdict(on: "a.test", key: 0xAA, in: environment()).reason.kind.isMatch)
        #expect(try file.verdict(on: "a.test", key: 0xAB, in: environment()).decision == .reject)
    }
}
