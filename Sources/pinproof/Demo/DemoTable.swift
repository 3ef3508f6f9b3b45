// What the demo expects, written by hand from the rules. Nothing here is computed by the code that the demo shows: where a
// cell and the program disagree, one of the two is wrong. The identifiers are those of docs/PINNING.md.

/// A way to the origin.
enum DemoRoute: String, CaseIterable, Sendable {
    /// Without a proxy.
    case direct
    /// Through the proxy whose CA the client trusts.
    case trustedProxy = "trusted proxy"
    /// Through the proxy whose CA the client does not trust.
    case untrustedProxy = "untrusted proxy"
}

/// A client of the demo.
enum DemoClient: String, CaseIterable, Sendable {
    case afNone = "AFNetworking None"
    case afLeaf = "AFNetworking Certificate, leaf"
    case afAuthority = "AFNetworking Certificate, CA"
    case afPublicKey = "AFNetworking PublicKey"
    case afAllowInvalid = "AFNetworking None, allowInvalid"
    case afAllowAnything = "AFNetworking None, allowInvalid, no domain check"
    case afWrongPin = "AFNetworking PublicKey, wrong pin"
    // One of each other library, pinning the origin's key, or its certificate where the library knows no other pin.
    case alamofire4 = "Alamofire 4 pinPublicKeys"
    case alamofire5 = "Alamofire 5 PublicKeysTrustEvaluator"
    case trustKit = "TrustKit"
    case trustKitAndroid = "TrustKit Android"
    case networkSecurityConfig = "Android network security config"
    case pinnedDomains = "NSPinnedDomains"
    case okHttp = "OkHttp CertificatePinner"
    case reactNative = "React Native public-key pinning"
    case urllib3 = "urllib3 assert_fingerprint"
    case curl = "curl"
    case curlPinned = "curl --pinnedpubkey"
    // An app with a client certificate, at an origin that takes none but those of one CA.
    case appRight = "two-way, the right identity"
    case appNone = "two-way, no identity"
    case appStranger = "two-way, another CA's identity"
    case appSeen = "two-way, the app's own at the proxy"
}

/// What a client decides.
enum DemoOutcome: String, Sendable {
    case accept
    case reject
}

/// What is expected of one client on one way, by which rule.
struct DemoExpectation: Sendable {
    let outcome: DemoOutcome
    /// The rule that decides: of the pinning semantics, or curl's exit code, or both.
    let rule: String

    /// As the table has it.
    var text: String { "\(outcome.rawValue), \(rule)" }

    private init(_ outcome: DemoOutcome, _ rule: String) {
        self.outcome = outcome
        self.rule = rule
    }

    static func accept(_ rule: String) -> DemoExpectation { DemoExpectation(.accept, rule) }
    static func reject(_ rule: String) -> DemoExpectation { DemoExpectation(.reject, rule) }

    /// The expectation for a cell.
    static func of(_ client: DemoClient, _ route: DemoRoute) -> DemoExpectation {
        switch (client, route) {
        // Mode None asks for a valid chain and no more: any CA that the client trusts will do.
        case (.afNone, .direct): accept("PS-1.1-7")
        case (.afNone, .trustedProxy): accept("PS-1.1-7")
        case (.afNone, .untrustedProxy): reject("PS-1.1-7")

        // The pinned leaf becomes the only anchor; a forged leaf does not lead to it. Validity is asked for first.
        case (.afLeaf, .direct): accept("PS-1.3-1")
        case (.afLeaf, .trustedProxy): reject("PS-1.3-1")
        case (.afLeaf, .untrustedProxy): reject("PS-1.1-7")

        // The same with the origin's CA as the only anchor: the proxy's CA is another.
        case (.afAuthority, .direct): accept("PS-1.3-1")
        case (.afAuthority, .trustedProxy): reject("PS-1.3-1")
        case (.afAuthority, .untrustedProxy): reject("PS-1.1-7")

        // Some key of the built chain must be pinned; the forged leaf has a key of its own.
        case (.afPublicKey, .direct): accept("PS-1.3-2")
        case (.afPublicKey, .trustedProxy): reject("PS-1.3-2")
        case (.afPublicKey, .untrustedProxy): reject("PS-1.1-7")

        // Rule G: to validate the domain, allow invalid certificates and pin nothing is a contradiction.
        case (.afAllowInvalid, .direct): reject("PS-1.1-G")
        case (.afAllowInvalid, .trustedProxy): reject("PS-1.1-G")
        case (.afAllowInvalid, .untrustedProxy): reject("PS-1.1-G")

        // Without domain validation rule G is silent, and everything is accepted: the classic hole.
        case (.afAllowAnything, .direct): accept("PS-1.1-7")
        case (.afAllowAnything, .trustedProxy): accept("PS-1.1-7")
        case (.afAllowAnything, .untrustedProxy): accept("PS-1.1-7")

        // A pin that belongs to nobody here rejects the origin itself.
        case (.afWrongPin, .direct): reject("PS-1.3-2")
        case (.afWrongPin, .trustedProxy): reject("PS-1.3-2")
        case (.afWrongPin, .untrustedProxy): reject("PS-1.1-7")

        case (.alamofire4, _), (.alamofire5, _), (.trustKit, _), (.trustKitAndroid, _), (.networkSecurityConfig, _),
            (.pinnedDomains, _), (.okHttp, _), (.reactNative, _), (.urllib3, _):
            ofLibrary(client, route)

        // curl verifies against its --cacert: 60 is a peer that does not verify.
        case (.curl, .direct): accept("exit 0")
        case (.curl, .trustedProxy): accept("exit 0")
        case (.curl, .untrustedProxy): reject("exit 60")

        // The pin is compared after the handshake, with the leaf only: 90 is a pin that does not match.
        case (.curlPinned, .direct): accept("PS-7-1 exit 0")
        case (.curlPinned, .trustedProxy): reject("PS-7-1 exit 90")
        case (.curlPinned, .untrustedProxy): reject("exit 60")

        // The proxy presents the identity that it has for the host; the origin cannot tell. An app that does not trust the
        // proxy's CA leaves before that counts.
        case (.appRight, .direct): accept("200")
        case (.appRight, .trustedProxy): accept("200")
        case (.appRight, .untrustedProxy): reject("PS-1.1-7")

        // RFC 8446 section 4.4.2.4: an origin that needs a certificate and gets none sends certificate_required, 116. The
        // proxy has none either, and says so in a page.
        case (.appNone, .direct): reject("alert 116")
        case (.appNone, .trustedProxy): reject("502")
        case (.appNone, .untrustedProxy): reject("PS-1.1-7")

        // The same section: a certificate of an unknown CA is refused with unknown_ca, 48.
        case (.appStranger, .direct): reject("alert 48")
        case (.appStranger, .trustedProxy): reject("502")
        case (.appStranger, .untrustedProxy): reject("PS-1.1-7")

        // An origin that asks makes the proxy ask the app: who trusts the proxy hands its identity over. A client judges the
        // server's certificate before it sends its own (RFC 8446 section 4.4), so who does not trust it gives nothing.
        case (.appSeen, .direct): accept("200")
        case (.appSeen, .trustedProxy): accept("seen")
        case (.appSeen, .untrustedProxy): reject("unseen")
        }
    }
}
