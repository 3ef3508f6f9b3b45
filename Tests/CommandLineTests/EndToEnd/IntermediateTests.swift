import Testing

extension EndToEnd {
    /// A proxy whose CA is an intermediate, for clients that know the root only.
    @Suite struct IntermediateTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test(.needs(.curl)) func `C33: the intermediate is sent along, and hosts beyond it fail for us`() async throws
        {
            let folder = try TemporaryFolder()
            let (state, root) = (folder.path("state"), folder.path("root.pem"))
            let (permitted, other) = (try stage.newHost(), try stage.newHost())
            let made = try Executable.run("ca", "init", "--state", state, "--permit", permitted, "--intermediate")
            try #require(made.code == 0, "\(made.error)")
            try #require(try Executable.run("ca", "export", "--state", state, "--out", root).code == 0)
            let proxy = try await stage.startProxy(resolving: [permitted, other], ["--state", state])
            let curl = Curl(through: proxy.port, trusting: root)

            let fetched = try await curl.fetch("https://\(permitted)/")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)

            let refused = try await curl.fetch("https://\(other)/")
            #expect(refused.code == .exit(35), "\(refused.complaint)")
            let record = try await proxy.connection(to: other)
            #expect(record.failure?.party == "proxy")
            #expect(record.failure?.code == "forgeFailed")
            #expect(
                record.failure?.detail.contains("may not issue for \(other): its name constraints permit \(permitted)")
                    == true)
            try await proxy.stop()
        }
    }
}
