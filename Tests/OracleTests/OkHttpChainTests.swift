import Crypto
import Pinning
import Testing
import Wire

/// OkHttp's connections on a JVM, by OkHttp and the JVM themselves.
@Suite(.asksOkHttp) struct OkHttpChainTests {
    private func policy(_ row: OkHttpChainTable.Row) -> OkHttpCertificatePinner {
        OkHttpCertificatePinner(
            version: okhttpVersion, entries: [.init(pattern: row.pattern, pins: row.pins)],
            runtime: .jvm(trustRoots: row.roots.facts))
    }

    private func server(_ row: OkHttpChainTable.Row) -> ServerTrust {
        ServerTrust(sent: row.sent.facts, host: HostName(row.host), spelling: row.host, time: now)
    }

    @Test("C42, C44, C45, PS-4-4, PS-4-5: what a connection comes to")
    func outcomes() throws {
        let table = try OkHttpChainTable.minted.get()
        for (row, answer) in zip(table.rows, try OkHttpOracle.answers.chains) {
            #expect(answer.split(separator: " ").first.map(String.init) == row.outcome.rawValue, "OkHttp: \(row.name)")
            let builder = PathBuilder(platform: try TrustStore(anchors: []))
            let verdict = policy(row).evaluate(server(row), using: builder)
            #expect(OkHttpChainTable.Outcome(verdict) == row.outcome, "Pinproof: \(row.name): \(verdict.reason)")
        }
    }

    @Test("C44, C45, PS-4-5: the path that the pins are looked for on")
    func cleaned() throws {
        let table = try OkHttpChainTable.minted.get()
        for (row, answer) in zip(table.rows, try OkHttpOracle.answers.chains) {
            let expected = row.cleaned?.map { Hex.encode($0.sha256) }.joined(separator: ",") ?? "none"
            #expect(answer.split(separator: " ").last.map(String.init) == expected, "OkHttp: \(row.name)")
            // The platform is left out, and the path is looked at where host and pattern lead so far.
            let verdict = policy(row).evaluate(server(row), using: TrustsEverything())
            switch OkHttpChainTable.Outcome(verdict) {
            case .accepts, .pin: #expect(verdict.path == row.cleaned?.facts, "Pinproof: \(row.name)")
            case .clean: #expect(row.cleaned == nil, "Pinproof: \(row.name)")
            case .host, .unpinned: #expect([.host, .unpinned].contains(row.outcome), "Pinproof: \(row.name)")
            case .chain, nil: Issue.record("Pinproof: \(row.name): \(verdict.reason)")
            }
        }
    }
}

extension OkHttpChainTable.Outcome {
    /// Where Pinproof says that a connection ends; nil if nowhere that the tables know.
    init?(_ verdict: PolicyVerdict) {
        switch (verdict.decision, verdict.reason.kind) {
        case (.accept, .pinMatched): self = .accepts
        case (.default, .hostNotPinned): self = .unpinned
        case (.reject, .chainInvalid): self = .chain
        case (.reject, .hostMismatch): self = .host
        case (.reject, .chainNotRebuilt): self = .clean
        case (.reject, .noPinMatched): self = .pin
        default: return nil
        }
    }
}
