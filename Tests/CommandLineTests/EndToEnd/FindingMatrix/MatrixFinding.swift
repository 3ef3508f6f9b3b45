/// A line of `pinproof run --json`, as far as the matrix needs it: docs/findings.md.
struct MatrixFinding: Decodable {
    /// What a client did in a phase.
    struct Evidence: Codable {
        struct Sample: Codable {
            let verdict: String
            let text: String
        }

        let connections: Int
        let accepted: Int
        let acceptedBytes: Int
        let rejected: Int
        let silent: Int
        let leftAfterSending: Int
        let idle: Int
        let excused: Int
        let leakedBytes: Int
        let samples: [Sample]
    }

    let record: String
    let host: String?
    let stack: String?
    let finding: String?
    let reason: String?
    let trustShownBy: String?
    let baseline: Evidence?
    let untrusted: Evidence?
    let trusted: Evidence?

    /// The finding, and why it is none.
    var conclusion: String { [finding, reason].compactMap { $0 }.joined(separator: " ") }
}

extension MatrixCell.Conduct {
    /// Whether one connection of the client shows it.
    func isShown(by sample: MatrixFinding.Evidence.Sample) -> Bool {
        switch self {
        case .accepts: sample.verdict == "accepted"
        case .alert(let name): sample.verdict == "rejected" && sample.text.hasPrefix("rejected: \(name) ")
        case .ends: ["rejectedSilently", "abandoned"].contains(sample.verdict)
        }
    }
}
