import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// `pinproof origin` on its own.
    @Suite struct OriginTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        private func curl(_ origin: Server, as host: String, trusting file: String) -> Curl {
            Curl(to: "127.0.0.1:\(origin.port)", as: host, trusting: file)
        }

        @Test(.needs(.curl)) func `a certificate from files is shown`() async throws {
            let identity = try stage.mint([.dns("files.example")])
            let origin = try await Server(["origin", "--cert", identity.certificate, "--key", identity.key])
            #expect(origin.authority == nil)
            let fetched = try await curl(origin, as: "files.example", trusting: stage.publicCA).fetch(
                "https://files.example/a/b?c=d")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            let seen = try fetched.seen
            #expect(seen.serverName == "files.example")
            #expect(seen.target == "/a/b?c=d")
            #expect(seen.alpn == "h2")
            try await origin.stop()
        }

        @Test(.needs(.curl)) func `a CA made for the run is printed`() async throws {
            let folder = try TemporaryFolder()
            let origin = try await Server(["origin", "--name", "made.example", "--name", "127.0.0.1"])
            let authority = try folder.file("ca.pem", Array(try #require(origin.authority).utf8)).path
            let client = curl(origin, as: "made.example", trusting: authority)
            for url in ["https://made.example/", "https://127.0.0.1:\(origin.port)/"] {
                let fetched = try await client.fetch(url)
                #expect(fetched.status == 200, "\(url): \(fetched.complaint)")
            }
            #expect(try await client.fetch("https://localhost:\(origin.port)/").code == .exit(60))
            try await origin.stop()
        }

        @Test(.needs(.curl), arguments: ["--http1.1", "--http2"])
        func `HEAD, POST and bodies of a size`(version: String) async throws {
            let client = curl(stage.origin, as: "one.\(Stage.domain)", trusting: stage.publicCA)
            let url = "https://one.\(Stage.domain)"
            let head = try await client.fetch("\(url)/bytes/5M", version, "--head")
            #expect(head.code == .exit(0), "\(head.complaint)")
            #expect(head.text.lowercased().contains("content-length: 5242880\r\n"))
            let post = try await client.fetch("\(url)/form", version, "--data", "a=1&b=2")
            let seen = try post.seen
            #expect(seen.method == "POST")
            #expect(seen.bodyBytes == 7)
            // printf 'a=1&b=2' | sha256sum
            #expect(seen.bodySHA256 == "8e85be58c1c372ac29fe7bfa80d8ddcbd04a4032c7b51c1c026d67c55b1ab23f")
            for (size, bytes) in [("0", 0), ("1", 1), ("65521", 65_521), ("100k", 102_400)] {
                let body = try await client.fetch("\(url)/bytes/\(size)", version)
                #expect(body.status == 200)
                #expect(body.body.count == bytes)
            }
            #expect(try await client.fetch("\(url)/", version, "--request", "DELETE").status == 405)
        }

        @Test func `files that do not fit keep it from starting`() async throws {
            let (one, other) = (try stage.mint([.dns("one.example")]), try stage.mint([.dns("other.example")]))
            let open = try stage.mint([.dns("open.example")])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open.key)
            let faults = [
                ([one.certificate, other.key], "belongs to no certificate in \(one.certificate)"),
                ([open.certificate, open.key], "chmod 600"),
                ([one.certificate, "/nowhere.key"], "/nowhere.key"),
            ]
            for (files, complaint) in faults {
                let run = try await ChildProcess(
                    Executable.url, ["origin", "--port", "0", "--cert", files[0], "--key", files[1]]
                ).end()
                #expect(run.ending == .exit(2))
                #expect(run.outputText == "")
                #expect(run.errorText.contains(complaint), "\(run.errorText)")
                #expect(run.errorText.count { $0 == "\n" } == 1)
            }
        }

        @Test func `a port in use is an error in one line`() async throws {
            let run = try await ChildProcess(Executable.url, ["origin", "--port", "\(stage.origin.port)"]).end()
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("Address already in use"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }
    }
}
