internal import Authority
internal import Pinning
internal import PolicyFiles
internal import Wire

/// `pinproof check`: the companion client.
enum CheckCommand {
    static let table = OptionTable<CheckOptions>(
        "check",
        summary: "Say what an app's pinning policy decides about a server, and why",
        discussion: [
            """
            POLICY is the app's own configuration: a network security config, an Info.plist (NSPinnedDomains, ATS, \
            TrustKit), OkHttp's pins, a .curlrc, React Native's pins, or a profile that names AFNetworking, Alamofire, \
            OkHttp or urllib3, its release and its fields (docs/POLICY-FILES.md; samples in config/policies). What the \
            library would decide is printed with its reason, the path as built, and what it would not have looked at. \
            Without POLICY it is AFNetworking's policy as the options say.
            """,
            """
            The server is asked directly, through a proxy (--proxy), or through an interception of its own (--intercept) \
            whose CA the client trusts: a policy that pins must reject that one. No byte of the request leaves before \
            the verdict. Redirects are followed as the library's HTTP stack follows them, each to a verdict of its own. \
            With --chain a saved chain is judged, and nothing is connected to.
            """,
            """
            Exit codes: 0 accepted, 1 rejected, 2 wrong usage or a policy that cannot work, 3 no verdict was reached, \
            or nothing was there to evaluate. With --expect: 0 for that verdict, 1 for another, and 3 as before.
            """,
        ],
        groups: [
            .target, .chain, .trust, .library, .securityPolicy, .tutorials, .clientCertificate,
            .init(
                "Output",
                [
                    .value(
                        "expect", .word, \.expected,
                        "Succeed if this is the verdict, and fail if it is another; pinned: accepted by a pin"),
                    .flag("json", \.json, "Print JSON (docs/CHECK.md)"),
                ]),
        ],
        operands: .optionalFile(placeholder: "POLICY", \.policyFile),
        examples: [
            "pinproof check okhttp.json --url https://api.example.com/ --intercept",
            """
            pinproof check Info.plist --chain saved.pem --host api.example.com \\
                --time 2026-12-01 --json
            """,
            """
            pinproof check --url https://api.example.com/ --proxy 127.0.0.1:8080 \\
                --trust ca.pem --af-mode publickey --pin leaf.pem
            """,
        ],
        check: { (options) throws(CommandError) in try options.checkTogether() })

    /// Reads the options of the command line.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<CheckOptions> {
        try table.parse(arguments)
    }
}

extension OptionTable<CheckOptions>.Group {
    fileprivate static let target = Self(
        "Target",
        [
            .value("url", .url, \.url, "What to fetch"),
            .value("proxy", .endpoint, \.proxy, "Go through this HTTP proxy"),
            .flag("intercept", \.intercepts, "Go through a proxy made for the check, with a CA that is trusted"),
            .resolve(\.resolve),
            .value(
                "max-redirects", .number("N", in: 0...100), \.maxRedirects, standard: "as the library does",
                "Follow at most N redirects"),
            .value("timeout", .seconds, \.timeout, "Time limit for each phase"),
        ])

    fileprivate static let chain = Self(
        "Saved chain",
        [
            .value("chain", .path("FILE"), \.chain, "Judge the chain in FILE, PEM in the order in which it was sent"),
            .value("host", .spelledHost, \.host, "Who sent it, as the app's code spells it"),
        ])

    fileprivate static let trust = Self(
        "Platform",
        [
            .value(
                "trust", .trust, \.trust,
                "Trust the certificates in FILE and no others (none if it is empty), or the system's"),
            .value(
                "trust-kind", .word, \.trustKind, "How what FILE holds, or the CA of --intercept, came to be trusted"),
            .value("user-trust", .path("FILE"), \.userTrust, "Certificates that the user installed besides"),
            .value("apple-epoch", .word, \.epoch, "Apple's rules for TLS servers up to iOS 12, or since"),
            .value("platform", .word, \.platform, standard: "where the library runs", "Where the app runs"),
            .value(
                "time", .time, \.time, standard: "now", "Judge as of then: 2026-12-01, 2026-12-01T12:00:00Z, 1796126400"
            ),
            .value("api-level", .number("N", in: 1...10_000), \.apiLevel, "API level of the Android device"),
            .value("target-sdk", .number("N", in: 1...10_000), \.targetSDK, "targetSdkVersion of an Android app"),
            .flag("debuggable", \.isDebuggable, "The Android app is debuggable"),
        ])

    fileprivate static let library = Self(
        "Policy file",
        [
            .value("as", .word, \.format, standard: "recognised", "Read POLICY as this format"),
            .value(
                "library-version", .libraryVersion, \.libraryVersion, standard: "what POLICY says, or the newest",
                "Decide as this release of the library"),
        ])

    fileprivate static let securityPolicy = Self(
        "AFNetworking without a file",
        [
            .value("af-mode", .word, \.mode, standard: "none", "What is pinned"),
            .repeated("pin", .path("FILE"), \.pins, "Pin the certificate in FILE, PEM or DER"),
            .flag(
                "allow-invalid", \.allowsInvalidCertificates,
                "Accept certificates that are not valid (allowInvalidCertificates)"),
            .flag(
                "no-validate-domain", \.validatesDomainName, setting: false,
                "Do not look at the host's name (validatesDomainName = NO)"),
        ])

    fileprivate static let tutorials = Self(
        "Policies of tutorials",
        [
            .value("policy", .tutorial, \.tutorial, "Decide as this tutorial's code does"),
            .repeated(
                "policy-host", .host, \.tutorialHosts,
                standard: Tutorial.listedHosts.map(\.text).joined(separator: ", "),
                "List NAME in place of the tutorial's own hosts"),
            .value(
                "policy-password", .word, \.tutorialPassword, standard: "right",
                "What the code gives as its identity's password"),
            .flag("list-policies", \.listsPolicies, "List the policies, with what each does wrong or right"),
        ])

    fileprivate static let clientCertificate = Self(
        "Client certificate",
        [
            .value("identity", .identity, \.identity, "Present what FILE holds (PKCS#12 or PEM) if asked"),
            .value(
                "identity-password", .passwordSource, \.identityPassword,
                "Read its password there, not from the terminal"
            ).unquoted,
            .flag("identity-allow-weak", \.allowsWeakIdentity, "Present it though TLS refuses it as too weak"),
        ])
}
