import Authority
import Crypto
import Testing

@testable import pinproof

@Suite struct CertificateSummaryTests {
    /// A CA for a run is valid from two days before this, 2026-02-25T06:13:20Z, until one day after.
    static let made: Int64 = 1_772_000_000

    private func summary(now: Int64) throws -> AuthoritySummary {
        let certificate = try CertificateAuthority.ephemeral(now: Self.made).certificate
        return AuthoritySummary(anchor: certificate, certificate: certificate, path: "/x/ca.pem", now: now)
    }

    @Test(arguments: [
        (made, "1 day left", 1), (made + 1, "0 days left", 0), (made + 86_400, "0 days left", 0),
        (made + 86_401, "expired", -1), (made + 3 * 86_400, "expired", -2), (made - 2 * 86_400, "3 days left", 3),
        (made - 2 * 86_400 - 1, "not valid yet", 3),
    ])
    func remainder(now: Int64, words: String, days: Int) throws {
        let summary = try summary(now: now)
        #expect(summary.text.contains("\n  valid        2026-02-23 to 2026-02-26 (\(words))\n"))
        #expect(String(decoding: summary.json, as: UTF8.self).contains(",\"daysLeft\":\(days),"))
    }

    @Test func `JSON is one line with times to the second`() throws {
        let json = String(decoding: try summary(now: Self.made).json, as: UTF8.self)
        #expect(json.hasPrefix(#"{"certificate":"/x/ca.pem","subject":"CN=Pinproof TEST ONLY CA "#))
        #expect(json.contains(#""notBefore":"2026-02-23T06:13:20.000000Z","notAfter":"2026-02-26T06:13:20.000000Z""#))
        #expect(json.contains(#""key":"EC P-256""#))
        #expect(json.hasSuffix(#"=","permitted":[],"excluded":[],"intermediate":null}"# + "\n"))
        #expect(json.count { $0 == "\n" } == 1)
    }

    @Test func `the list fits into 80 columns`() throws {
        for line in try summary(now: Self.made).text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
