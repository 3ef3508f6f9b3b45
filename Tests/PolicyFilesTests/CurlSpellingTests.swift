import Pinning
import PolicyFiles
import Testing

/// Options that are written in other ways than curl's manual has them: honoured as curl does, or refused, and never
/// dropped in silence if they may be meant for one that counts.
@Suite("Spellings of curl's options")
struct CurlSpellingTests {
    private let pin = "sha256//" + digest(0xAA)

    @Test("= ends a long option, on a command line and in a file, since 8.16")
    func joined() throws {
        let remark = "line 1: curl splits --pinnedpubkey at = since 8.16.0, and fails (2) before"
        for text in ["curl --pinnedpubkey=\(pin) --data a=b https://a.test/", "--pinnedpubkey=\(pin)"] {
            let file = try load(text)
            #expect(file.remarks.map(\.line) == [remark])
            for version in [nil, LibraryVersion(8, 16)] {
                let environment = environment(version: version)
                #expect(try file.verdict(on: "a.test", in: environment).decision == .reject)
                #expect(try file.verdict(on: "a.test", key: 0xAA, in: environment).reason.kind.isMatch)
            }
            let old = #expect(throws: PolicyFileError.self) {
                try file.appPolicy(in: environment(version: LibraryVersion(8, 15)))
            }
            #expect(
                old?.description == """
                    policy, line 1: curl 8.15.0 does not split --pinnedpubkey at =, and has no such option; put a blank \
                    in the place of =
                    """)
        }
        // Without dashes, and behind a blank, it was always so.
        for text in ["pinnedpubkey=\(pin)", "curl --pinnedpubkey \(pin)"] {
            let file = try load(text)
            #expect(file.remarks.isEmpty)
            #expect(throws: Never.self) { try file.appPolicy(in: environment(version: LibraryVersion(8, 15))) }
        }
    }

    @Test("the option that is joined to its parameter decides")
    func joinedValues() throws {
        #expect(
            complaint("curl --cacert=none.pem https://a.test/") == """
                policy, line 1: cacert "none.pem" cannot be read, and curl fails (77); its name begins at the policy's folder
                """)
        let redirects = try load("curl -L --max-redirs=7 https://a.test/").appPolicy(in: environment()).redirects
        #expect(redirects.limit == 7)
        // What follows a joined parameter is a word of its own.
        let insecure = try load("curl --pinnedpubkey=\(pin) -k").appPolicy(in: environment()).policy
        #expect((insecure as? CurlPolicy)?.isInsecure == true)
    }

    @Test("what may be meant for an option that counts is refused")
    func refused() {
        let cases: [(String, String)] = [
            (
                "curl --pinedpubkey=\(pin)",
                "policy, line 1: curl has no option \"pinedpubkey\"; did you mean pinnedpubkey?"
            ),
            (
                "curl --insecure=true",
                """
                policy, line 1: "true" behind --insecure, which takes no parameter; write --insecure alone; --no-NAME \
                switches an option off
                """
            ),
            (
                "--user-agent=\"a b\"",
                "policy, line 1: \"b\"\" behind \"--user-agent=\"a\" is one parameter too many"
            ),
            (
                "curl -pinnedpubkey x",
                "policy, line 1: curl reads \"-pinnedpubkey\" letter by letter; did you mean --pinnedpubkey?"
            ),
            ("-insecure", "policy, line 1: curl reads \"-insecure\" letter by letter; did you mean --insecure?"),
            ("curl -k=true", "policy, line 1: curl has no option \"-=\""),
            (
                "curl \u{2014}pinnedpubkey \(pin)",
                """
                policy, line 1: "\u{2014}pinnedpubkey" begins with a typographic dash, which makes it a URL to curl; \
                write pinnedpubkey with two hyphens
                """
            ),
            (
                "curl --expand-pinnedpubkey '{{pin}}'",
                """
                policy, line 1: the variables behind --expand-pinnedpubkey are not expanded here; write pinnedpubkey and \
                its parameter without variables
                """
            ),
            (
                "curl --no-pinnedpubkey",
                "policy, line 1: pinnedpubkey takes a parameter and cannot be switched off with no-"
            ),
        ]
        for (text, expected) in cases { #expect(complaint(text, as: .curl) == expected) }
    }

    @Test("options behind a command's end are not lost without a word, and another command is")
    func afterwards() {
        let stray = "an option that belongs to no command; end the line before it with \\"
        #expect(complaint("curl https://a.test/\n\n  --pinnedpubkey x") == "policy, line 3: \(stray)")
        #expect(
            complaint("curl -s \\\n https://a.test/?a=1&b=2 \\\n --pinnedpubkey x") == """
                policy, line 2: a shell ends the command at the &; put the URL into quotation marks
                """)
        #expect(complaint("curl 'https://a.test/?a=1&b=2' --pinnedpubkey x") == nil)
        #expect(complaint("curl a 2>&1 --cacert\n") == "policy, line 1: cacert without its parameter")
        #expect(complaint("curl a &>log --cacert") == "policy, line 1: cacert without its parameter")
        #expect(complaint("curl a & -k") == "policy, line 1: \(stray)")
        for mark in ["^", "`"] {
            #expect(
                complaint("curl -s \(mark)\n https://a.test/ \(mark)\n --pinnedpubkey x") == """
                    policy, line 1: "\(mark)" at the end of a line is of another shell; end lines that go on with \\
                    """)
        }
        for more in ["\n", " &", "&&true", "|cat", "\necho -n", " | jq -r .", " && echo --done", "; exit"] {
            #expect(complaint("curl https://a.test/" + more) == nil)
        }
    }

    @Test("what is none of them is passed over, with the parameter that it takes")
    func passedOver() throws {
        let text = """
            curl -fsSLo insecure -m30000 -iNg#4 --unknown=1 --expand-url '{{a}}' --knownhosts --insecure \
              --pinnedpubkey '\(pin)' \u{2013}x -- --pinnedpubkey
            """
        let file = try load(text)
        #expect(file.remarks.map(\.line) == ["line 1: curl splits --unknown at = since 8.16.0, and fails (2) before"])
        let app = try file.appPolicy(in: environment())
        #expect((app.policy as? CurlPolicy)?.isInsecure == false)
        #expect(app.redirects.limit == 50)
        #expect(try file.verdict(on: "a.test", key: 0xAA, in: environment()).reason.kind.isMatch)
        #expect(try load("curl --follow").appPolicy(in: environment()).redirects.limit == 50)
    }

    @Test(
        "a command line is one by whatever name and program curl is started",
        arguments: [
            "curl.exe -k x", "/usr/bin/curl -k x", "C:\\Windows\\System32\\curl.exe -k x", "sudo -u nobody curl -k x",
            "env X=y curl -k x", "X=y Z=1 curl -k x", "$ sudo /opt/curl -k x", "/usr/bin/time curl -k x",
            "timeout 5 curl -k x",
            "CURL.EXE -k x",
        ])
    func commands(text: String) throws {
        let file = try load(text)
        #expect(file.format == .curl)
        #expect((try file.appPolicy(in: environment()).policy as? CurlPolicy)?.isInsecure == true)
    }

    @Test("what only looks like one is a configuration file, or none of curl's")
    func otherCommands() throws {
        #expect((try load("url=curl\ninsecure").appPolicy(in: environment()).policy as? CurlPolicy)?.isInsecure == true)
        for text in ["wget curl", "sudo apt-get", "X=y wget", "curly -k"] {
            #expect(complaint(text)?.contains("text that begins with") == true, "\(text)")
        }
        #expect(
            complaint("X='a curl b' wget -k") == """
                policy: it is a command line without curl in it; let it begin with curl
                """)
    }
}
