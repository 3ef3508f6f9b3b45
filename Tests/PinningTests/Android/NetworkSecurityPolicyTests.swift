import Pinning
import Testing

/// The platform's decision about a path, once it is known which configuration is for the host.
@Suite struct NetworkSecurityPolicyTests {
    private func pinned(_ pins: NetworkSecurityConfig.PinSet, anchors: [NetworkSecurityConfig.Certificates]? = nil)
        -> NetworkSecurityConfig
    {
        Android.config(Android.domain("api.example.com", pins: pins, anchors: anchors))
    }

    @Test("PS-5-9: any key of the validated path may be pinned, the unsent root's too; the root is looked at first")
    func keys() {
        for key in ["leaf", "intermediate", "root"] {
            #expect(Android.policy(pinned(Android.pins(key))).verdict().decision == .accept)
        }
        let both = Android.policy(pinned(Android.pins("leaf", "root"))).verdict()
        #expect(both.match == PinMatch(pin: digestText("root"), certificate: Minted.root, depth: 2))
        #expect(both.reason.rule == RuleID("PS-5-9"))
        let none = Android.policy(pinned(Android.pins("nobody"))).verdict()
        #expect(none.decision == .reject)
        #expect(none.reason == PolicyReason(.noPinMatched, rule: RuleID("PS-5-9")))
    }

    @Test("PS-5-9: the path goes to the configuration's anchors only, without a host")
    func question() {
        let evaluator = FakeEvaluator(platform: valid(Minted.leaf), pinned: invalid(.noAnchor, Minted.leaf))
        let resource = NetworkSecurityConfig.Certificates(.resource(name: "@raw/root", [Minted.root]))
        let policy = Android.policy(pinned(Android.pins("leaf"), anchors: [resource, .init(.user)]))
        let verdict = policy.evaluate(Minted.server(time: 9), using: evaluator)
        #expect(verdict.decision == .reject && verdict.reason.rule == RuleID("PS-5-9"))
        #expect(
            evaluator.questions == [
                .init(
                    policy: .android, anchors: [Minted.root, Android.user], anchorsOnly: true, sent: Minted.sent,
                    time: 9)
            ])
        #expect(verdict.trust?.notChecked.map(\.rule) == [RuleID("PS-5-9")])
    }

    @Test("PS-5-9: an invalid path is refused even where a pin is on it or the pins have expired")
    func invalidPath() {
        let expired = Android.pins("leaf", expiration: "2000-01-01")
        for pins in [Android.pins("leaf"), expired] {
            let evaluator = FakeEvaluator(platform: valid(Minted.leaf), pinned: invalid(.expired, Minted.leaf))
            let verdict = Android.policy(pinned(pins)).evaluate(Minted.server(), using: evaluator)
            #expect(verdict.decision == .reject)
            guard case .chainInvalid = verdict.reason.kind else {
                Issue.record("\(verdict.reason)")
                continue
            }
        }
    }

    @Test("PS-5-9: without pins a valid path is enough, and the reason says whose anchors they were")
    func unpinned() {
        #expect(Android.policy(nil).verdict().reason.kind == .chainValid)
        let own = Android.config(base: [.init(.resource(name: "@raw/root", [Minted.root]))])
        #expect(Android.policy(own).verdict().reason.kind == .anchoredBy(["@raw/root"]))
        let both = Android.config(base: [.init(.user), .init(.system)])
        #expect(Android.policy(both).verdict().reason.kind == .anchoredBy(["user", "system"]))
    }

    @Test(
        "PS-5-3: pins count up to the first instant of the day on which they expire, by the device's clock",
        arguments: [
            (0, -1, true), (0, 0, true), (0, 1, false), (0, 86_400, false), (7200, -7200, true), (7200, -7199, false),
            (7200, -1, false), (-3600, 3600, true), (-3600, 3601, false),
        ])
    func expiry(ahead: Int, offset: Int64, counts: Bool) {
        let config = pinned(Android.pins("nobody", expiration: "2024-01-05"))
        let verdict = Android.policy(config, ahead: ahead).verdict(time: Android.day + offset)
        #expect(verdict.decision == (counts ? .reject : .accept))
        if !counts {
            #expect(verdict.reason.description.hasPrefix("the chain is valid; the pins expired on 2024-01-05"))
            #expect(verdict.reason.rule == RuleID("PS-5-3"))
        }
    }

    @Test("PS-5-4: system, user, Wi-Fi and bundled authorities are sources; an empty list trusts nothing")
    func sources() {
        func decision(_ anchors: [NetworkSecurityConfig.Certificates], _ sent: [CertificateFacts])
            -> PolicyVerdict.Decision
        {
            Android.policy(Android.config(base: anchors)).verdict(sent).decision
        }
        #expect(decision([.init(.system)], Minted.sent) == .accept)
        #expect(decision([.init(.user)], Minted.sent) == .reject)
        #expect(decision([.init(.user)], [Android.userLeaf]) == .accept)
        #expect(decision([.init(.system)], [Android.userLeaf]) == .reject)
        #expect(decision([.init(.resource(name: "@raw/debug", [Android.debug]))], [Android.debugLeaf]) == .accept)
        #expect(decision([], Minted.sent) == .reject)
        var device = Android.device()
        device.wifiAuthorities = [Android.debug]
        let policy = NetworkSecurityPolicy(
            Android.config(base: [.init(.wifi)]), application: AndroidApplication(targetSDK: 34), device: device)
        #expect(policy.verdict([Android.debugLeaf]).decision == .accept)
        #expect(policy.verdict().decision == .reject)
    }

    @Test(
        "PS-5-4: overridePins is off by default, and on inside debug-overrides unless it says otherwise",
        arguments: [
            (nil, false, false), (false, false, false), (true, false, true), (nil, true, true), (false, true, false),
            (true, true, true),
        ] as [(Bool?, Bool, Bool)])
    func overridePins(stated: Bool?, isDebug: Bool, overrides: Bool) {
        let bundle = NetworkSecurityConfig.Certificates(
            .resource(name: "@raw/debug", [Android.debug]), overridePins: stated)
        let domain = Android.domain("api.example.com", pins: Android.pins("leaf"), anchors: isDebug ? nil : [bundle])
        let config = isDebug ? Android.config(domain, debug: [bundle]) : Android.config(domain)
        let verdict = Android.policy(config, debuggable: isDebug).verdict([Android.debugLeaf])
        #expect(verdict.decision == (overrides ? .accept : .reject))
        if overrides {
            #expect(
                verdict.reason
                    == PolicyReason(.pinsOverridden(anchor: "CN=debug authority"), rule: RuleID("PS-5-4")))
        }
    }

    @Test("PS-5-9: an anchor overrides pins by its subject and key, from whichever source it comes first")
    func sameAnchor() {
        // The path ends in the system's certificate; the same authority is bundled in another one.
        let twin = minted("root", key: "root", by: Minted.otherRoot, pathLength: .max)
        func decision(_ bundled: CertificateFacts) -> PolicyVerdict.Decision {
            let anchors: [NetworkSecurityConfig.Certificates] = [
                .init(.system), .init(.resource(name: "@raw/twin", [bundled]), overridePins: true),
            ]
            return Android.policy(pinned(Android.pins("nobody"), anchors: anchors)).verdict().decision
        }
        #expect(twin != Minted.root)
        #expect(decision(twin) == .accept)
        #expect(decision(Minted.root) == .accept)
        #expect(decision(minted("root", key: "other", pathLength: .max)) == .reject)
        #expect(decision(minted("other", key: "root", pathLength: .max)) == .reject)
    }

    @Test("PS-5-9: only the path's own anchor overrides its pins")
    func otherAnchor() {
        let anchors: [NetworkSecurityConfig.Certificates] = [.init(.system), .init(.user, overridePins: true)]
        let policy = Android.policy(pinned(Android.pins("nobody"), anchors: anchors))
        #expect(policy.verdict().decision == .reject)
        #expect(policy.verdict([Android.userLeaf]).decision == .accept)
    }

    @Test(
        "PS-5-6: the user's authorities count up to target 23, unless the app is privileged",
        arguments: [
            (23, false, true), (24, false, false), (23, true, false),
        ])
    func userAuthorities(target: Int, isPrivileged: Bool, isTrusted: Bool) {
        let application = AndroidApplication(targetSDK: target, isPrivileged: isPrivileged)
        for config in [nil, NetworkSecurityConfig()] {
            let policy = NetworkSecurityPolicy(config, application: application, device: Android.device())
            #expect(policy.verdict([Android.userLeaf]).decision == (isTrusted ? .accept : .reject))
            #expect(policy.verdict().decision == .accept)
        }
    }

    @Test("PS-5-10: the user's authorities do not get around pins, unless they override them")
    func userAgainstPins() {
        func decision(_ overridePins: Bool?) -> PolicyVerdict.Decision {
            let anchors: [NetworkSecurityConfig.Certificates] = [
                .init(.system), .init(.user, overridePins: overridePins),
            ]
            return Android.policy(pinned(Android.pins("root"), anchors: anchors)).verdict([Android.userLeaf]).decision
        }
        #expect(decision(nil) == .reject)
        #expect(decision(true) == .accept)
        // Nor where an old target trusts them by default.
        #expect(
            Android.policy(pinned(Android.pins("root")), targetSDK: 23).verdict([Android.userLeaf]).decision == .reject)
    }
}
