import Foundation
import Reactor
import Testing
import Wire

@Suite struct ResolverTests {
    /// Name servers, hosts and search domains of a test's own.
    private struct Files {
        let configuration: String
        let hosts: String
        private let folder: URL

        init(configuration: String?, hosts: String?) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinproof-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            (self.configuration, self.hosts) = (folder.path + "/resolv.conf", folder.path + "/hosts")
            try configuration?.write(toFile: self.configuration, atomically: false, encoding: .utf8)
            try hosts?.write(toFile: self.hosts, atomically: false, encoding: .utf8)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private typealias Answer = Result<[SocketAddress], ReactorError>

    /// Resolves names one after the other with the files given.
    private func resolve(
        _ names: [String], configuration: String? = nil, hosts: String? = nil, timeout: Duration = .seconds(30)
    ) throws -> [Answer] {
        let files = try Files(configuration: configuration, hosts: hosts)
        defer { files.remove() }
        var answers: [Answer] = []
        try withLoop { fixture in
            let resolver = try Resolver(loop: fixture.loop, configuration: files.configuration, hosts: files.hosts)
            fixture.keep(resolver)
            func next() throws {
                guard answers.count < names.count else { return fixture.finish() }
                let host = try #require(HostName(names[answers.count]))
                var isInside = true
                let resolution = resolver.resolve(host, port: 443, timeout: timeout) { answer in
                    #expect(!isInside, "never inside the call")
                    answers.append(answer)
                    fixture.attempt { try next() }
                }
                isInside = false
                fixture.keep(resolution)
            }
            try next()
        }
        return answers
    }

    private func texts(_ answer: Answer?) throws -> [String] {
        try #require(answer).get().map(\.description)
    }

    private func failure(_ answer: Answer?) -> ReactorError? {
        if case .failure(let error) = answer { return error }
        return nil
    }

    @Test func addressesAndLocalhostNeedNobody() throws {
        let server = try TestNameServer()
        let answers = try resolve(
            ["192.0.2.1", "2001:db8::1", "localhost", "LOCALHOST.", "api.localhost"],
            configuration: "nameserver 127.0.0.1:\(server.port)\n", hosts: "192.0.2.99 localhost\n")
        server.stop()
        #expect(try texts(answers[0]) == ["192.0.2.1:443"])
        #expect(try texts(answers[1]) == ["[2001:db8::1]:443"])
        for answer in answers[2...] { #expect(try texts(answer) == ["127.0.0.1:443", "[::1]:443"]) }
        #expect(server.questions.current == [])
    }

    @Test func invalidNamesDoNotExistAndNobodyIsAsked() throws {
        let server = try TestNameServer()
        let answers = try resolve(["nosuch.invalid"], configuration: "nameserver 127.0.0.1:\(server.port)\n")
        server.stop()
        #expect(failure(answers[0])?.description == "resolve nosuch.invalid: Name or service not known")
        #expect(server.questions.current == [])
    }

    @Test func theSystemsFilesServeAnInvalidName() throws {
        try withLoop { fixture in
            let resolver = try Resolver(loop: fixture.loop)
            let host = try #require(HostName("nosuch.invalid"))
            let resolution = resolver.resolve(host, port: 443, timeout: .seconds(30)) { answer in
                #expect(failure(answer)?.code == .resolution(-2))
                fixture.finish()
            }
            fixture.keep(resolution)
        }
    }

    @Test func theHostsFileComesBeforeTheNameServers() throws {
        let server = try TestNameServer(records: ["api.pinproof.test": [192, 0, 2, 66]])
        let answers = try resolve(
            ["api.pinproof.test", "two.pinproof.test"],
            configuration: "nameserver 127.0.0.1:\(server.port)\n",
            hosts: """
                # comment
                127.0.0.1\tAPI.pinproof.test other.test # comment
                ::1  two.pinproof.test
                127.0.0.2 two.pinproof.test
                """)
        server.stop()
        #expect(try texts(answers[0]) == ["127.0.0.1:443"])
        #expect(try texts(answers[1]) == ["[::1]:443", "127.0.0.2:443"])
        #expect(server.questions.current == [])
    }

    @Test func nameServersAreAskedForBothFamilies() throws {
        let ipv6: [UInt8] = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
        let server = try TestNameServer(records: ["four.example": [192, 0, 2, 4], "six.example": ipv6])
        let answers = try resolve(
            ["four.example", "six.example", "none.example"],
            configuration: "nameserver 127.0.0.1:\(server.port)\nsearch corp.example\n")
        server.stop()
        #expect(try texts(answers[0]) == ["192.0.2.4:443"])
        #expect(try texts(answers[1]) == ["[2001:db8::7]:443"])
        #expect(failure(answers[2])?.code == .resolution(-2))
        // Names with a dot are absolute: nothing is ever appended to them.
        #expect(
            server.questions.current.sorted() == [
                "four.example A", "four.example AAAA", "none.example A", "none.example AAAA", "six.example A",
                "six.example AAAA",
            ])
    }

    @Test func searchDomainsAreTriedForNamesWithoutADot() throws {
        let server = try TestNameServer(records: ["build.corp.example": [192, 0, 2, 8]])
        let answers = try resolve(
            ["build"], configuration: "nameserver 127.0.0.1:\(server.port)\nsearch corp.example\n")
        server.stop()
        #expect(try texts(answers[0]) == ["192.0.2.8:443"])
        // The address was found with the domain appended, so the bare name is not asked for another of that kind.
        #expect(server.questions.current.filter { $0.hasSuffix(" A") } == ["build.corp.example A"])
    }

    @Test func aSilentServerMeetsTheTimeLimit() throws {
        let server = try TestNameServer(answers: false)
        let start = ContinuousClock.now
        let answers = try resolve(
            ["slow.example"], configuration: "nameserver 127.0.0.1:\(server.port)\n", timeout: .milliseconds(100))
        server.stop()
        #expect(failure(answers[0])?.errno == ETIMEDOUT)
        #expect(failure(answers[0])?.operation == "resolve slow.example")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test(arguments: [nil, "", "# nothing\n", "search example\n", "nameserver\noptions\n"])
    func aMissingOrEmptyConfigurationIsNotFatal(configuration: String?) throws {
        // No name that would be asked for: what is left is the default, a name server on loopback.
        let answers = try resolve(
            ["127.0.0.1", "localhost", "known.test"], configuration: configuration, hosts: "127.0.0.1 known.test\n")
        for answer in answers { #expect(try texts(answer).first == "127.0.0.1:443") }
    }

    @Test func cancelledAndReleasedResolutionsAreNotCompleted() throws {
        let server = try TestNameServer(answers: false)
        let files = try Files(configuration: "nameserver 127.0.0.1:\(server.port)\n", hosts: nil)
        try withLoop { fixture in
            let resolver = try Resolver(loop: fixture.loop, configuration: files.configuration, hosts: files.hosts)
            for name in ["slow.example", "127.0.0.1"] {
                let host = try #require(HostName(name))
                let cancelled = resolver.resolve(host, port: 1, timeout: .seconds(30)) { _ in
                    Issue.record("completed after it was cancelled")
                }
                fixture.keep(cancelled).cancel()
                cancelled.cancel()
                var released: Resolution? = resolver.resolve(host, port: 1, timeout: .seconds(30)) { _ in
                    Issue.record("completed after it was released")
                }
                #expect(released != nil)
                released = nil
            }
            // The resolver goes before its lookups have been wound up.
            fixture.after(turns: 5) { fixture.finish() }
        }
        server.stop()
        files.remove()
    }

    @Test func aLoopMayEndWithLookupsUnderWay() throws {
        let server = try TestNameServer(answers: false)
        let files = try Files(configuration: "nameserver 127.0.0.1:\(server.port)\n", hosts: nil)
        let loop = try EventLoop()
        let resolver = try Resolver(loop: loop, configuration: files.configuration, hosts: files.hosts)
        let resolutions = try (0..<100).map { number in
            let host = try #require(HostName("slow\(number).example"))
            return resolver.resolve(host, port: 1, timeout: .seconds(30)) { _ in
                Issue.record("completed after the loop's end")
            }
        }
        let stop = loop.timer(after: .milliseconds(10)) { loop.stop() }
        loop.run()
        withExtendedLifetime((resolutions, stop)) {}
        server.stop()
        files.remove()
    }
}
