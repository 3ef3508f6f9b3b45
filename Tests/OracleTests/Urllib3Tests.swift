import Crypto
import Pinning
import Testing
import Wire

/// urllib3's `assert_fingerprint`, by urllib3 itself.
@Suite(.asks(.python, .urllib3, .openssl)) struct Urllib3Tests {
    private static func ask(_ questions: [Question], in folder: Folder) throws -> [String] {
        // Isolated: the packages of Debian count, not those of a user.
        try folder.ask(.python, ["-I", "-S", "-c", launch, Oracle.source("Urllib3Oracle.py")], questions)
    }

    /// Runs the program with Debian's packages only.
    private static let launch = """
        import runpy, sys
        sys.path.append("/usr/lib/python3/dist-packages")
        runpy.run_path(sys.argv[1], run_name="__main__")
        """

    /// A fingerprint as it is written, and whether it is accepted; nil where the text is none, and urllib3 raises.
    private static func fingerprints(of certificate: Certificate) -> [(text: String, isAccepted: Bool?)] {
        let sha256 = Hex.encode(certificate.sha256)
        let sha1 = Hex.encode(certificate.sha1)
        let md5 = Hex.encode(Digest.md5(certificate.der))
        let other = Hex.encode(Digest.sha256(Array("another".utf8)))
        return [
            (sha256, true), (sha1, true), (md5, true), (sha256.uppercased(), true), (colons(sha256), true),
            (colons(sha1).uppercased(), true), (colons(md5), true), (":" + sha256 + "::", true),
            (String(sha256.prefix(32)) + sha256.dropFirst(32).uppercased(), true),
            (other, false), (String(other.prefix(40)), false), (String(other.prefix(32)), false),
            (Hex.encode(certificate.spkiSHA256), false),
            (String(sha256.dropLast()), nil), (String(sha256.dropLast(2)), nil), (sha256 + "00", nil), (":", nil),
            (String(sha256.prefix(56)), nil), (" " + sha256, nil), (sha256 + " ", nil), (sha256 + "\n", nil),
            (" " + sha256.dropFirst(), nil), (sha256.dropLast() + " ", nil), (sha256.dropLast() + "g", nil),
            (colons(sha256).replacing(":", with: " "), nil), (colons(sha256).replacing(":", with: "-"), nil),
            (String(repeating: "z", count: 40), nil), ("sha256:" + sha256, nil), ("0x" + sha256.dropFirst(2), nil),
            (String(repeating: "é", count: 16), nil), (String(repeating: "é", count: 32), nil),
            // Forty characters of which 32 are digits: the length without colons counts.
            ("::::::::" + md5, true),
        ]
    }

    private static func colons(_ digits: String) -> String {
        stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }.joined(separator: ":")
    }

    @Test("PS-10-6: what a fingerprint is, and of which digest")
    func texts() throws {
        let leaf = try Hierarchy().leaf.certificate
        let rows = Self.fingerprints(of: leaf)
        let questions = rows.map { Question("fingerprint", leaf.der, Array($0.text.utf8)) }
        let answers = try Self.ask(questions, in: Folder())
        let server = ServerTrust(sent: [leaf].facts, host: HostName("www.oracle.test"), time: now)
        let builder = PathBuilder(platform: try TrustStore(anchors: []))
        for (row, answer) in zip(rows, answers) {
            #expect(answer == (row.isAccepted == true ? "accepts" : "raises"), "urllib3: '\(row.text)'")
            let policy = UrllibFingerprintPolicy(fingerprint: row.text, verifiesChain: false)
            let expected: PolicyVerdict.Decision =
                row.isAccepted.map { $0 ? .accept : .reject } ?? .configError
            #expect(policy.evaluate(server, using: builder).decision == expected, "Pinproof: '\(row.text)'")
        }
    }

    /// A connection: what the server shows, whom the client wants, and what becomes of it.
    private struct Connection {
        var host = "api.oracle.test"
        /// Of the leaf if true, of another certificate if false, none if nil.
        var isFingerprintRight: Bool? = true
        var verifies = true
        var authorities = "root.pem"
        let answer: String
    }

    /// The table for a sound chain.
    private static let sound = [
        Connection(answer: "accepts"), Connection(isFingerprintRight: false, answer: "refused"),
        Connection(isFingerprintRight: nil, answer: "accepts"),
        // The fingerprint stands in the place of the host's name.
        Connection(host: "www.oracle.test", answer: "accepts"),
        Connection(host: "www.oracle.test", isFingerprintRight: nil, answer: "refused"),
        Connection(host: "www.oracle.test", isFingerprintRight: false, answer: "refused"),
        // The chain counts.
        Connection(authorities: "other.pem", answer: "chain"),
        Connection(isFingerprintRight: false, authorities: "other.pem", answer: "chain"),
        // Python 3.11 does not end a chain in what is no root.
        Connection(authorities: "intermediate.pem", answer: "chain"),
        Connection(authorities: "leaf.pem", answer: "chain"),
        Connection(authorities: "whole.pem", answer: "accepts"),
        // The fingerprint alone.
        Connection(verifies: false, authorities: "other.pem", answer: "accepts"),
        Connection(isFingerprintRight: false, verifies: false, answer: "refused"),
        Connection(isFingerprintRight: nil, verifies: false, authorities: "other.pem", answer: "accepts"),
    ]
    /// The table for a chain that does not verify.
    private static let bad = [
        Connection(answer: "chain"), Connection(isFingerprintRight: false, answer: "chain"),
        Connection(isFingerprintRight: nil, answer: "chain"), Connection(verifies: false, answer: "accepts"),
        Connection(isFingerprintRight: false, verifies: false, answer: "refused"),
    ]

    private static func situations() throws -> [(name: String, pki: Hierarchy, sent: [Certificate], rows: [Connection])]
    {
        let pki = try Hierarchy()
        let expired = try Hierarchy { $0.notAfter = now - 60 }
        let early = try Hierarchy(intermediate: { $0.notBefore = now + 3600 })
        return [
            ("sound", pki, pki.sent, sound), ("expired", expired, expired.sent, bad),
            ("intermediate not yet valid", early, early.sent, bad),
            ("intermediate not sent", pki, [pki.leaf.certificate], bad),
        ]
    }

    @Test("C42, PS-10-6: the fingerprint replaces the host, CERT_NONE leaves nothing else; the chain counts otherwise")
    func connections() throws {
        let folder = try Folder()
        var servers: [TLSServer] = []
        var questions: [Question] = []
        var rows: [(name: String, expected: String, emulated: String)] = []
        for situation in try Self.situations() {
            let own = try Folder()
            let server = try TLSServer(sending: situation.sent, key: situation.pki.leaf.key, in: own)
            servers.append(server)
            let files = [
                "root.pem": [situation.pki.root.certificate], "other.pem": [try Hierarchy().root.certificate],
                "intermediate.pem": [situation.pki.intermediate.certificate],
                "leaf.pem": [situation.pki.leaf.certificate],
                "whole.pem": situation.pki.sent + [situation.pki.root.certificate],
            ]
            for (name, certificates) in files { try folder.write("\(server.port)-\(name)", certificates) }
            for row in situation.rows {
                let digest = row.isFingerprintRight.map { $0 ? situation.sent[0].sha256 : Digest.sha256([1]) }
                let text = digest.map(Hex.encode) ?? ""
                questions.append(
                    Question(
                        "connect", Array("\(server.port)".utf8), Array(row.host.utf8), Array(text.utf8),
                        Array((row.verifies ? "CERT_REQUIRED" : "CERT_NONE").utf8),
                        Array("\(server.port)-\(row.authorities)".utf8)))
                let policy = UrllibFingerprintPolicy(
                    fingerprint: text, verifiesChain: row.verifies, authorities: files[row.authorities]?.facts)
                let seen = ServerTrust(sent: situation.sent.facts, host: HostName(row.host), time: now)
                rows.append(("\(situation.name), \(row)", row.answer, try Self.emulate(policy, seen)))
            }
        }
        let answers = try withExtendedLifetime(servers) { try Self.ask(questions, in: folder) }
        for (row, answer) in zip(rows, answers) {
            #expect(answer == row.expected, "urllib3: \(row.name)")
            #expect(row.emulated == row.expected, "Pinproof: \(row.name)")
        }
    }

    private static func emulate(_ policy: UrllibFingerprintPolicy, _ server: ServerTrust) throws -> String {
        let verdict = policy.evaluate(server, using: PathBuilder(platform: try TrustStore(anchors: [])))
        switch (verdict.decision, verdict.reason.kind) {
        case (.accept, _): return "accepts"
        // The host is the library's own affair, after the chain.
        case (.reject, .chainInvalid(let errors)):
            return errors.allSatisfy { $0.kind == .hostMismatch } ? "refused" : "chain"
        case (.reject, _): return "refused"
        default: return "raises"
        }
    }
}
