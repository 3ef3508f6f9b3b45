import Pinning
import Testing

@Suite struct ReactNativePinningTests {
    private func decision(
        _ domain: ReactNativePinning.Domain, host: String = "api.example.com",
        version: LibraryVersion = LibraryVersion(4, 9), at time: Int64 = Android.day
    ) throws -> PolicyVerdict.Decision {
        let leaf = minted("leaf", names: [host])
        let pinner = try ReactNativePinning([domain]).okHttp(version: version, startedAt: time)
        let platform = FakeEvaluator(platform: valid(leaf), pinned: invalid(.noAnchor))
        return pinner.evaluate(Minted.server([leaf], host: host), using: platform).decision
    }

    @Test("PS-10-5: on Android a domain is itself, or any depth with subdomains, the domain included")
    func patterns() throws {
        let hashes = [digestText("nobody")]
        let alone = ReactNativePinning.Domain("example.com", publicKeyHashes: hashes)
        #expect(try decision(alone, host: "example.com") == .reject)
        #expect(try decision(alone, host: "api.example.com") == .default)
        let wide = ReactNativePinning.Domain("example.com", includeSubdomains: true, publicKeyHashes: hashes)
        for host in ["example.com", "api.example.com", "a.b.example.com"] {
            #expect(try decision(wide, host: host) == .reject)
        }
        #expect(try decision(wide, host: "notexample.com") == .default)
        // Before 4.3 OkHttp takes the pattern for text.
        #expect(try decision(wide, version: LibraryVersion(4, 2)) == .default)
    }

    @Test("PS-10-5: one pin will do on Android, and iOS wants two that differ")
    func pinCount() throws {
        let one = ReactNativePinning.Domain("api.example.com", publicKeyHashes: [digestText("leaf")])
        #expect(try decision(one) == .accept)
        let tooFew = ConfigurationFault(.tooFewPins(domain: "api.example.com", count: 1), rule: RuleID("PS-10-5"))
        #expect(ReactNativePinning([one]).appleFault == tooFew)
        var two = one
        two.publicKeyHashes.append(digestText("leaf"))
        #expect(ReactNativePinning([two]).appleFault == tooFew)
        two.publicKeyHashes.append(digestText("spare"))
        #expect(ReactNativePinning([two]).appleFault == nil)
        #expect(ReactNativePinning([two, one]).appleFault == tooFew)
    }

    @Test(
        "PS-10-5: what has expired when the app starts is dropped, by UTC",
        arguments: [
            (-1, PolicyVerdict.Decision.reject), (0, .reject), (1, .default), (86_400, .default),
        ] as [(Int64, PolicyVerdict.Decision)])
    func expiry(offset: Int64, expected: PolicyVerdict.Decision) throws {
        let domain = ReactNativePinning.Domain(
            "api.example.com", publicKeyHashes: [digestText("nobody")], expirationDate: "2024-01-05")
        #expect(try decision(domain, at: Android.day + offset) == expected)
    }

    @Test("PS-10-5: an expiration that is no day")
    func badDay() {
        let domain = ReactNativePinning.Domain("example.com", publicKeyHashes: [], expirationDate: "never")
        #expect(throws: ConfigurationFault(.invalidDate("never"), rule: RuleID("PS-10-5"))) {
            try ReactNativePinning([domain]).okHttp(version: LibraryVersion(4, 9), startedAt: 0)
        }
    }
}
