internal import Authority
internal import PinClient
internal import Pinning
internal import PolicyFiles
internal import Wire

/// The options of `pinproof check`.
struct CheckOptions: OptionValues, Equatable {
    /// The file with the app's policy; nil for what the options below say.
    var policyFile: String?
    /// The format to read it as; nil to recognise it.
    var format: PolicyFormat?

    /// What to fetch; there once the options were read, unless a chain is judged.
    var url: CheckURL?
    /// The proxy to go through; nil for none.
    var proxy: Endpoint?
    /// Whether to go through a proxy of its own, whose CA the client trusts.
    var intercepts = false
    /// Addresses that override DNS, in the order given.
    var resolve: [ResolveOverride] = []
    /// How many redirects are followed; nil for as many as the app's HTTP stack does.
    var maxRedirects: Int?
    /// How long all of it may take.
    var timeout = Duration.seconds(30)

    /// The file with a chain to judge without any connection.
    var chain: String?
    /// Who is said to have sent it, letter for letter.
    var host: String?
    /// When it is judged, in seconds since 1970-01-01 UTC; nil for now.
    var time: Int64?

    /// What the platform trusts.
    var trust = TrustSource.system
    /// How what is trusted came to be trusted.
    var trustKind = TrustKind.system
    /// The file with the certificates that the user installed besides.
    var userTrust: String?
    /// The generation of Apple's rules for TLS servers.
    var epoch = AppleEpoch.iOS13
    /// The library's release; nil for what the file says, or the newest.
    var libraryVersion: LibraryVersion?
    /// Where the app runs; nil for where its library does.
    var platform: PolicyEnvironment.Platform?
    /// The API level of an Android device.
    var apiLevel = 34
    /// `targetSdkVersion` of an Android app.
    var targetSDK = 34
    /// `android:debuggable` of an Android app.
    var isDebuggable = false

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

    /// The verdict that makes the check a success; nil for acceptance, whoever it is by.
    var expected: ExpectedVerdict?
    /// Whether to print JSON.
    var json = false
}

/// A verdict as the command line spells it.
enum ExpectedVerdict: String, Sendable, CaseIterable {
    case accept
    /// Accepted because of what is pinned.
    case pinned
    case reject
    case `default`
    case configError = "config_error"
}

/// Where a client's trust anchors come from.
enum TrustSource: Sendable, Equatable {
    /// The system's.
    case system
    /// The certificates in a file, and no others.
    case file(String)
}

/// How a certificate came to be trusted, on which some rules depend.
enum TrustKind: String, Sendable, CaseIterable {
    /// It came with the system.
    case system
    /// A user or an administrator installed it.
    case user
    /// The app brings it along.
    case app
}

/// The `SSLPinningMode` of an `AFSecurityPolicy`.
enum PinningMode: String, Sendable, CaseIterable {
    case none
    case certificate
    case publickey
}
