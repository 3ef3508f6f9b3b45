import Authority
import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// CAs that cannot sign what clients accept: told at the start, with exit code 2 and one line.
    @Suite struct AuthorityFileTests {
        private static let now = Int64(Date.now.timeIntervalSince1970)

        /// Writes the files of a CA; returns the options that name them.
        private func options(_ template: CertificateTemplate, _ folder: TemporaryFolder) throws -> [String] {
            let key = try PrivateKey.generate(.p256)
            let identity = try template.identity(key: key)
            let certificate = try folder.file("ca.pem", Array(identity.chain.map(\.pem).joined().utf8)).path
            return ["--ca", certificate, "--ca-key", try folder.privateFile("ca.key", key.pem())]
        }

        private func start(_ template: CertificateTemplate) async throws -> ChildProcess.Progress {
            let folder = try TemporaryFolder()
            return try await ChildProcess(
                Executable.url, ["proxy", "--port", "0", "--json"] + options(template, folder)
            ).end()
        }

        @Test(.needs(.curl)) func `C40: a CA with two days left works and is warned of`() async throws {
            let folder = try TemporaryFolder()
            let stage = try EndToEnd.stage
            let host = try stage.newHost()
            let end = Self.now + 2 * 86_400
            let proxy = try await stage.startProxy(
                resolving: [host],
                options(.authority(subject: [("CN", "Late CA")], notBefore: Self.now - 3600, notAfter: end), folder)
                    + ["--transcript", folder.path("run.jsonl")])
            let fetched = try await Curl(through: proxy.port, trusting: folder.path("ca.pem")).fetch(
                "https://\(host)/")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            let progress = try await proxy.stop()
            #expect(progress.errorText.contains("ca.pem expires at "), "\(progress.errorText)")
            let lines = try TranscriptLine.read(folder.path("run.jsonl"))
            let digest = try #require(lines.first { $0.event == "forged" }?.text("digest"))
            let der = lines.first { $0.event == "certificate" && $0.text("digest") == digest }?.text("der")
            let leaf = try Certificate(der: [UInt8](try #require(der.flatMap { Data(base64Encoded: $0) })))
            #expect(leaf.notAfter == end)
            #expect(leaf.notBefore == Self.now - 3600)
        }

        @Test func `C40: an expired CA says when it expired and how to get a new one`() async throws {
            let run = try await start(
                .authority(subject: [("CN", "Old CA")], notBefore: Self.now - 7200, notAfter: Self.now - 3600))
            #expect(run.ending == .exit(2))
            #expect(run.outputText == "")
            #expect(
                run.errorText.wholeMatch(
                    of:
                        /pinproof: the CA in .*ca\.pem \(CN=Old CA\) expired at [-0-9]{10} [:0-9]{8} UTC; .*`pinproof ca init`.*\n/
                )
                    != nil, "\(run.errorText)")
        }

        @Test func `C40: a CA that is not valid yet is refused`() async throws {
            let run = try await start(
                .authority(subject: [("CN", "New CA")], notBefore: Self.now + 3600, notAfter: Self.now + 7200))
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("(CN=New CA) is not valid before "))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }

        @Test func `C45: a server's certificate is not a CA`() async throws {
            let run = try await start(
                .server(names: [.dns("a.example")], notBefore: Self.now - 3600, notAfter: Self.now + 3600))
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("(CN=a.example) is not a CA: it lacks basicConstraints CA:TRUE"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }
    }
}
