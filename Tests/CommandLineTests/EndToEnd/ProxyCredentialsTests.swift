import Foundation
import Testing

extension EndToEnd {
    /// C70: a proxy that asks who its client is.
    @Suite struct ProxyCredentialsTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        /// The file of `--proxy-auth-file`.
        private func users(_ text: String, mode: Int = 0o600) throws -> String {
            let path = folder.path("users.txt")
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }

        @Test(
            "C70: curl is served with its name and password alone, and neither is passed on or recorded", .needs(.curl))
        func served() async throws {
            let host = try stage.newHost()
            let transcript = folder.path("run.jsonl")
            let proxy = try await stage.startProxy(
                resolving: [host],
                [
                    "--proxy-auth-file", try users("# testers\n\nanna:quince\nbert:se:cond\n"), "--transcript",
                    transcript,
                ])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            for user in ["anna:quince", "bert:se:cond"] {
                for way in ["--proxy-basic", "--proxy-anyauth"] {
                    let fetched = try await curl.fetch("https://\(host)/", way, "--proxy-user", user)
                    #expect(fetched.status == 200, "\(user) \(way): \(fetched.complaint)")
                    // The origin answers with the fields that it got.
                    #expect(fetched.text.contains("headers"))
                    #expect(!fetched.text.lowercased().contains("proxy-authorization"))
                }
            }
            for user in ["anna:quancy", "carl:quince", "anna:"] {
                let refused = try await curl.fetch("https://\(host)/", "--proxy-user", user)
                #expect(refused.connectStatus == 407)
                #expect(refused.code != .exit(0))
            }
            #expect(try await curl.fetch("https://\(host)/").connectStatus == 407)
            try await proxy.stop()
            let recorded = try String(contentsOfFile: transcript, encoding: .utf8)
            for secret in ["quince", "se:cond", "YW5uYTpxdWluY2U=", "YmVydDpzZTpjb25k"] {
                #expect(!recorded.contains(secret))
            }
            #expect(recorded.contains("\"reason\":\"credentialsNeeded\""))
        }

        @Test(
            "a file that will not do is refused at the start",
            arguments: [
                ("anna:quince\n", 0o644, "others than its owner have access to the passwords"),
                ("anna:quince\nbert\n", 0o600, "not NAME:PASSWORD: FILE, line 2; write a name, a colon and a password"),
                (":quince\n", 0o600, "not NAME:PASSWORD: FILE, line 1"),
                ("# nobody\n", 0o600, "nobody is in the file"),
            ])
        func refused(_ text: String, _ mode: Int, _ complaint: String) async throws {
            let path = try users(text, mode: mode)
            let run = try await ChildProcess(
                Executable.url,
                ["proxy", "--state", stage.folder.path("proxy"), "--port", "0", "--proxy-auth-file", path]
            ).end()
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains(complaint.replacing("FILE", with: path)), "\(run.errorText)")
            #expect(!run.errorText.contains("quince"))
        }
    }
}
