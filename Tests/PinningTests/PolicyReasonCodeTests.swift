import Pinning
import Testing

/// Programs read the codes of reasons: they are as written here.
@Suite struct PolicyReasonCodeTests {
    @Test(arguments: [
        (PolicyReason.Kind.chainValid, "chainValid"), (.anchored(besidePlatform: false), "anchored"),
        (.chainInvalid([]), "chainInvalid"), (.noPinMatched, "noPinMatched"),
        (.hostNotPinned("a.test"), "hostNotPinned"),
        (.hostNotPinned(nil), "hostNotPinned"), (.mismatchNotEnforced, "mismatchNotEnforced"),
        (.alamofire(.noManager), "alamofire.noManager"),
        (.alamofire(.hostNotMapped("a.test")), "alamofire.hostNotMapped"),
        (.trustKit(.hostNotPinned("a.test")), "trustKit.hostNotPinned"),
        (.trustKit(.notEnforced(domain: "a.test")), "trustKit.notEnforced"),
        (.pinnedDomains(.leafNotPinned(pins: 1)), "pinnedDomains.leafNotPinned"),
        (.transportSecurity(.notSecure), "transportSecurity.notSecure"),
        (
            .invalidConfiguration(ConfigurationFault(.notBase64("x"), rule: RuleID("PS-4-1"))),
            "invalidConfiguration.notBase64"
        ),
        (.cleartextForbidden("a.test"), "cleartextForbidden"),
    ])
    func code(kind: PolicyReason.Kind, code: String) {
        #expect(PolicyReason(kind, rule: RuleID("PS-0.1")).code == code)
    }
}
