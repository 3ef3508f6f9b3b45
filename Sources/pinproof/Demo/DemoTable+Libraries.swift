// What the demo expects of libraries that pin, written by hand from the rules (docs/pinning-rules.md). Some have one rule for a
// path that is not valid and for a pin that is not on it; the word behind the rule tells them apart.

extension DemoExpectation {
    /// The expectation for a cell of a pinning library: the origin has the pin, neither proxy has it, and the path to the
    /// untrusted proxy's CA is not valid, which all of them look at first.
    static func ofLibrary(_ client: DemoClient, _ route: DemoRoute) -> DemoExpectation {
        switch (client, route) {
        // Valid on the platform's anchors, then a pinned key on the path.
        case (.alamofire4, .direct): accept("PS-2.1-4")
        case (.alamofire4, .trustedProxy): reject("PS-2.1-4 pin")
        case (.alamofire4, .untrustedProxy): reject("PS-2.1-4 chain")
        case (.alamofire5, .direct): accept("PS-2.2-4")
        case (.alamofire5, .trustedProxy): reject("PS-2.2-4 pin")
        case (.alamofire5, .untrustedProxy): reject("PS-2.2-4 chain")

        // The walk from the root down finds the leaf's hash; enforcing is the default on iOS.
        case (.trustKit, .direct): accept("PS-3.3-3")
        case (.trustKit, .trustedProxy): reject("PS-3.3-5 pin")
        case (.trustKit, .untrustedProxy): reject("PS-3.3-2 chain")

        // Since API 24 the platform looks for the pins, and TrustKit, which enforces here, lets its answer stand.
        case (.trustKitAndroid, .direct): accept("PS-5-9")
        case (.trustKitAndroid, .trustedProxy): reject("PS-5-9 pin")
        case (.trustKitAndroid, .untrustedProxy): reject("PS-5-9 chain")
        case (.networkSecurityConfig, .direct): accept("PS-5-9")
        case (.networkSecurityConfig, .trustedProxy): reject("PS-5-9 pin")
        case (.networkSecurityConfig, .untrustedProxy): reject("PS-5-9 chain")

        // The platform applies them within its own evaluation.
        case (.pinnedDomains, .direct): accept("PS-6.1-4")
        case (.pinnedDomains, .trustedProxy): reject("PS-6.1-4 pin")
        case (.pinnedDomains, .untrustedProxy): reject("PS-6.1-4 chain")

        // Any pin on the chain as the library rebuilds it, after the platform. React Native's module hands its pins to it.
        case (.okHttp, .direct), (.reactNative, .direct): accept("PS-4-4")
        case (.okHttp, .trustedProxy), (.reactNative, .trustedProxy): reject("PS-4-4 pin")
        case (.okHttp, .untrustedProxy), (.reactNative, .untrustedProxy): reject("PS-4-5 chain")

        // The digest of the leaf itself, on a chain that is valid.
        case (.urllib3, .direct): accept("PS-10-6")
        case (.urllib3, .trustedProxy): reject("PS-10-6 pin")
        case (.urllib3, .untrustedProxy): reject("PS-10-6 chain")
        default: preconditionFailure("every library has its rows")
        }
    }
}
