internal import Authority
internal import PinClient
internal import Pinning
internal import Wire

/// The options of `pinproof check`.
struct CheckOptions: OptionValues, Equatable {
    /// What to fetch; there once the options were read.
    var url: CheckURL?
    /// The proxy to go through; nil for none.
    var proxy: Endpoint?
    /// Addresses that override DNS, in the order given.
    var resolve: [ResolveOverride] = []
    /// What the client trusts.
    var trust = TrustSource.system
    /// How the policy pins; nil for the default, none.
    var mode: PinningMode?
    /// Files with the pinned certificates.
    var pins: [String] = []
    /// Whether the policy accepts a certificate that is not valid.
    var allowsInvalidCertificates = false
    /// Whether the policy looks at the host's name.
    var validatesDomainName = true
    /// The tutorial whose code is the policy; nil for what the options above say.
    var tutorial: Tutorial?
    /// The hosts on that policy's list; empty for the tutorial's own.
    var tutorialHosts: [HostName] = []
    /// What that policy's code gives as its identity's password; nil for the right one.
    var tutorialPassword: IdentityPassword?
    /// Whether to list the tutorials instead of checking anything.
    var listsPolicies = false
    /// The file with the app's client identity; nil for none.
    var identity: IdentitySource.Location?
    /// Where its password is read; nil for the terminal.
    var identityPassword: PasswordSource?
    /// Whether an identity is presented that TLS refuses as too weak.
    var allowsWeakIdentity = false
    /// How long all of it may take.
    var timeout = Duration.seconds(30)
    /// Whether to print JSON.
    var json = false
}

/// Where a client's trust anchors come from.
enum TrustSource: Sendable, Equatable {
    /// The system's.
    case system
    /// The certificates in a file, and no others.
    case file(String)
}

/// The `SSLPinningMode` of an `AFSecurityPolicy`.
enum PinningMode: String, Sendable, CaseIterable {
    case none
    case certificate
    case publickey
}

extension ValueFormat<TrustSource> {
    /// A file of trust anchors, or the word for the system's.
    static var trust: ValueFormat {
        let path = ValueFormat<String>.path("FILE|system")
        return ValueFormat(
            placeholder: path.placeholder,
            parse: { (text) throws(ValueError) in text == "system" ? .system : .file(try path.parse(text)) },
            describe: { source in
                switch source {
                case .system: "system"
                case .file(let path): path
                }
            })
    }
}

/// `pinproof check`: the companion client.
enum CheckCommand {
    static let table = OptionTable<CheckOptions>(
        "check",
        summary: "Fetch a URL under a pinning policy and say what the policy decides",
        discussion: [
            """
            Applies AFNetworking's security policy, as versions 3 and 4 do, to the certificates that the server \
            presents, directly or through a proxy, and prints the verdict with its reason and the path as built. No \
            byte of the request leaves before the verdict.
            """,
            """
            With --policy it decides as the code of a widely copied tutorial does, with the pins that are given here; \
            whether that is right or wrong is in the list.
            """,
            """
            Exit codes: 0 accepted, 1 rejected, 2 wrong usage or a policy that cannot work, 3 no verdict was reached, \
            or nothing was there to evaluate.
            """,
        ],
        groups: [
            .init(
                "Target",
                [
                    .value("url", .url, \.url, "What to fetch; required but for --list-policies"),
                    .value("proxy", .endpoint, \.proxy, "Go through this HTTP proxy"),
                    .resolve(\.resolve),
                    .value("timeout", .seconds, \.timeout, "Time limit for each phase"),
                ]),
            .init(
                "Policy",
                [
                    .value(
                        "trust", .trust, \.trust, "Trust the certificates in FILE and no others, or the system's"),
                    .value("af-mode", .word, \.mode, standard: "none", "What is pinned"),
                    .repeated("pin", .path("FILE"), \.pins, "Pin the certificate in FILE, PEM or DER"),
                    .flag(
                        "allow-invalid", \.allowsInvalidCertificates,
                        "Accept certificates that are not valid (allowInvalidCertificates)"),
                    .flag(
                        "no-validate-domain", \.validatesDomainName, setting: false,
                        "Do not look at the host's name (validatesDomainName = NO)"),
                ]),
            .init(
                "Client certificate",
                [
                    .value("identity", .identity, \.identity, "Present what FILE holds (PKCS#12 or PEM) if asked"),
                    .value(
                        "identity-password", .passwordSource, \.identityPassword,
                        "Read its password there, not from the terminal"
                    ).unquoted,
                    .flag("identity-allow-weak", \.allowsWeakIdentity, "Present it though TLS refuses it as too weak"),
                ]),
            .init(
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
                ]),
            .init("Output", [.flag("json", \.json, "Print JSON")]),
        ],
        examples: [
            """
            pinproof check --url https://api.example.com/ --proxy 127.0.0.1:8080 \\
                --trust ca.pem --af-mode publickey --pin leaf.pem
            """
        ],
        check: { (options) throws(CommandError) in try options.checkTogether() })

    /// Reads the options of the command line.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<CheckOptions> {
        try table.parse(arguments)
    }
}
