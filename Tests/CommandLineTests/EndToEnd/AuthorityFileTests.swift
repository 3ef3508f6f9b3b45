import Authority
import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// CAs that cannot sign what clients accept: told at the start, with exit code 2 and one line.
    @Suite struct AuthorityFileTests {
        private static let now = Int64(Date.now.timeIntervalSince1970)

        private func start(_ template: CertificateTemplate) async throws -> ChildProcess.Progress {
            let folder = try TemporaryFolder()
            let key = try PrivateKey.generate(.p256)
            let identity = try template.identity(key: key)
            let certificate = try folder.file("ca.pem", Array(identity.chain.map(\.pem).joined().utf8)).path
            return try await ChildProcess(
                Executable.url,
                [
                    "proxy", "--port", "0", "--json", "--ca", certificate, "--ca-key",
                    try folder.privateFile("ca.key", key.pem()),
                ]
            ).end()
        }

        @Test func `an expired CA says when it expired and how to get a new one`() async throws {
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

        @Test func `a CA that is not valid yet is refused`() async throws {
            let run = try await start(
                .authority(subject: [("CN", "New CA")], notBefore: Self.now + 3600, notAfter: Self.now + 7200))
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("(CN=New CA) is not valid before "))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }

        @Test func `a server's certificate is not a CA`() async throws {
            let run = try await start(
                .server(names: [.dns("a.example")], notBefore: Self.now - 3600, notAfter: Self.now + 3600))
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("(CN=a.example) is not a CA: it lacks basicConstraints CA:TRUE"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }
    }
}
