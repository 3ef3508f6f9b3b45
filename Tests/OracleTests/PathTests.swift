import Crypto
import Pinning
import Testing

/// How OpenSSL builds and judges paths, by `openssl verify`.
@Suite(.asks(.openssl)) struct PathTests {
    /// What OpenSSL said of a path.
    private struct Heard {
        /// The path's subjects; empty if it is not valid.
        var path: [String] = []
        /// The `X509_V_ERR_*`.
        var errors: Set<Int> = []
    }

    /// Asks as a TLS client on Debian does: purpose, and security level 2.
    private func ask(_ row: PathTable.Row, in folder: Folder) throws -> Heard {
        var arguments = [
            "verify", "-partial_chain", "-show_chain", "-nameopt", "RFC2253", "-no-CApath", "-no-CAfile",
            "-no-CAstore", "-attime", "\(row.time)", "-purpose", "sslserver", "-auth_level", "2",
        ]
        for (option, certificates) in [("-trusted", row.trusted), ("-untrusted", Array(row.sent.dropFirst()))]
        where !certificates.isEmpty {
            try folder.write(option, certificates)
            arguments += [option, "./\(option)"]
        }
        try folder.write("leaf.pem", Array(row.sent.prefix(1)))
        let run = try folder.run(.openssl, arguments + ["leaf.pem"])
        var heard = Heard()
        for line in run.lines {
            if let match = line.firstMatch(of: /^error ([0-9]+) at [0-9]+ depth lookup/) {
                heard.errors.insert(try #require(Int(match.1)))
            }
            if run.status == 0, let match = line.firstMatch(of: /^depth=[0-9]+: (.*?)(?: \(untrusted\))?$/) {
                heard.path.append(String(match.1))
            }
        }
        try #require(heard.path.isEmpty != heard.errors.isEmpty, "\(run.output)")
        return heard
    }

    @Test("C44, C45, PS-0.4-1, PS-7-2: the path that OpenSSL builds, or what it finds wrong")
    func openSSL() throws {
        let folder = try Folder()
        for row in try PathTable.minted.get().rows {
            let heard = try ask(row, in: folder)
            // As anchors of an application, and of the platform.
            let results = [
                try PathBuilder(platform: TrustStore(anchors: [])).evaluate(
                    policy: .openssl(host: nil), anchors: row.trusted.facts, anchorsOnly: true, sent: row.sent.facts,
                    time: row.time),
                try PathBuilder(platform: TrustStore(anchors: row.trusted)).evaluate(
                    policy: .openssl(host: nil), anchors: nil, anchorsOnly: false, sent: row.sent.facts, time: row.time),
            ]
            switch row.answer {
            case .path(let names):
                #expect(heard.path == names, "OpenSSL: \(row.name)")
                for result in results {
                    #expect(result.valid, "Pinproof: \(row.name): \(result.errors)")
                    #expect(result.path.map(\.subject) == names, "Pinproof: \(row.name)")
                }
            case .error(let code, let kind):
                #expect(heard.errors.contains(code), "OpenSSL: \(row.name): \(heard)")
                for result in results {
                    #expect(result.errors.map(\.kind).contains(kind), "Pinproof: \(row.name): \(result.errors)")
                }
            }
        }
    }

    @Test("C42, C45, PS-0.3-2 to PS-0.3-6: what Apple's basic policy makes of the same")
    func apple() throws {
        for row in try PathTable.minted.get().rows {
            let result = try PathBuilder(platform: TrustStore(anchors: [])).evaluate(
                policy: .basicX509, anchors: row.trusted.facts, anchorsOnly: true, sent: row.sent.facts, time: row.time)
            switch (row.apple, row.answer) {
            case (.same, .path(let names)):
                #expect(result.valid && result.path.map(\.subject) == names, "\(row.name): \(result.errors)")
            case (.same, .error(_, let kind)):
                #expect(result.errors.map(\.kind).contains(kind), "\(row.name): \(result.errors)")
            case (.valid(let rule), _): #expect(result.valid, "\(row.name), \(rule): \(result.errors)")
            case (.invalid(let kind, let rule), _):
                #expect(result.errors.map(\.kind).contains(kind), "\(row.name), \(rule): \(result.errors)")
            }
        }
    }
}
