import Pinning
import PolicyFiles
import Testing

/// Pins that expired, pins that are only reported, and pins that match are three verdicts and not one.
@Suite("Expiry and enforcement")
struct EnforcementTests {
    /// 2026-03-01 00:00:00 UTC, the first second of the day on which the pins below expire.
    private let edge = testTime

    private func trustKit(_ more: String) throws -> PolicyFile {
        try load(
            """
            <plist><dict><key>TSKPinnedDomains</key><dict><key>example.com</key><dict><key>TSKPublicKeyHashes</key>
            <array><string>\(digest(0xAA))</string><string>\(digest(0xAB))</string></array>\(more)</dict></dict></dict>
            </plist>
            """)
    }

    private func android(_ expiration: String, enforcePinning: Bool) throws -> PolicyFile {
        try load(
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set\(expiration)>
            <pin digest="SHA-256">\(digest(0xAA))</pin><pin digest="SHA-256">\(digest(0xAB))</pin></pin-set>
            <trustkit-config enforcePinning="\(enforcePinning)"/></domain-config></network-security-config>
            """)
    }

    @Test("C79: TrustKit's pins expire with the day's beginning in UTC, and then the platform decides")
    func trustKitExpiry() throws {
        let file = try trustKit("<key>TSKExpirationDate</key><string>2026-03-01</string>")
        #expect(try file.verdict(on: "example.com", in: environment(), time: edge).decision == .reject)
        let after = try file.verdict(on: "example.com", in: environment(), time: edge + 1)
        #expect(after.decision == .default)
        #expect(after.reason.explanation.contains("expired on 2026-03-01"))
    }

    @Test("C79: TrustKit that only reports passes with another reason than a match")
    func trustKitReports() throws {
        let file = try trustKit("<key>TSKEnforcePinning</key><false/>")
        #expect(
            file.remarks.map(\.line) == [
                "/TSKPinnedDomains/example.com/TSKEnforcePinning: pins are reported and not enforced"
            ])
        let mismatch = try file.verdict(on: "example.com", in: environment())
        #expect(mismatch.decision == .accept)
        #expect(mismatch.reason.kind == .trustKit(.notEnforced(domain: "example.com")))
        #expect(try file.verdict(on: "example.com", key: 0xAA, in: environment()).reason.kind.isMatch)
    }

    @Test("C79: Android's pins expire with the day's beginning by the device's clock")
    func androidExpiry() throws {
        let file = try android(" expiration=\"2026-03-01\"", enforcePinning: true)
        var device = environment()
        #expect(try file.verdict(on: "example.com", in: device, time: edge).decision == .reject)
        #expect(try file.verdict(on: "example.com", in: device, time: edge + 1).decision == .accept)
        // An hour ahead of UTC the day has begun an hour before.
        device.device.secondsAheadOfUTC = 3600
        let verdict = try file.verdict(on: "example.com", in: device, time: edge - 3599)
        #expect(verdict.decision == .accept)
        #expect(verdict.reason.explanation.contains("expired on 2026-03-01"))
    }

    @Test("C79: TrustKit for Android that only reports passes with another reason than a match")
    func androidReports() throws {
        let file = try android("", enforcePinning: false)
        #expect(
            file.remarks.map(\.line).contains("line 3: pins are reported and not enforced: enforcePinning is not true"))
        for environment in [environment(), environment(apiLevel: 23)] {
            let mismatch = try file.verdict(on: "example.com", in: environment)
            #expect(mismatch.decision == .accept)
            #expect(mismatch.reason.kind == .mismatchNotEnforced)
            #expect(try file.verdict(on: "example.com", key: 0xAA, in: environment).reason.kind.isMatch)
        }
    }

    @Test(
        "C79: React Native's pins are dropped when the app starts after their day on Android, and expire later on iOS")
    func reactNative() throws {
        let file = try load(
            """
            {"example.com": {"publicKeyHashes": ["\(digest(0xAA))", "\(digest(0xAB))"], "expirationDate": "2026-03-01"}}
            """)
        let before = environment(time: edge)
        let after = environment(time: edge + 1)
        #expect(try file.verdict(on: "example.com", in: before, time: edge + 1).decision == .reject)
        #expect(try file.verdict(on: "example.com", in: after, time: edge + 1).decision == .default)
        #expect(
            try file.verdict(on: "example.com", in: environment(.ios, time: edge), time: edge + 1).decision == .default)
    }
}
