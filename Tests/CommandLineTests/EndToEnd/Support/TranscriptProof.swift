import Foundation
import Testing

/// What `pinproof transcript verify` makes of a recording.
struct TranscriptProof {
    private struct Summary: Decodable {
        let claims: [Tally]
    }

    private struct Tally: Decodable {
        let claim: String
        let proven: Int
        let notProven: Int
        let `false`: Int
    }

    private let claims: [String: Tally]
    private let text: String

    /// Verifies a recording, of which nothing may be false.
    init(of transcript: String) throws {
        let outcome = try Executable.run("transcript", "verify", transcript, "--json")
        text = outcome.text
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
        let last = try #require(outcome.text.split(separator: "\n").last)
        let summary = try JSONDecoder().decode(Summary.self, from: Data(last.utf8))
        claims = Dictionary(uniqueKeysWithValues: summary.claims.map { ($0.claim, $0) })
        for claim in summary.claims { #expect(claim.false == 0, "\(claim): \(text)") }
    }

    /// Expects claims to be proven at least so many times each.
    func expect(_ names: String..., proven count: Int) {
        for name in names { #expect(claims[name]?.proven ?? 0 >= count, "\(name): \(text)") }
    }

    /// Expects that nothing of these kinds is left open.
    func expectNothingOpen(_ names: String...) {
        for name in names { #expect(claims[name]?.notProven == 0, "\(name): \(text)") }
    }
}
