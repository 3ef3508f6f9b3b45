import Foundation
import Testing

extension EndToEnd {
    /// The app's own certificate, as the proxy sees it.
    @Suite struct AppIdentityTests {
        private let stage: Stage
        private let clients: ClientIdentities
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            clients = stage.clients
            folder = try TemporaryFolder()
        }

        /// What makes curl present an identity.
        private func presenting(_ files: IssuedFiles) -> [String] { ["--cert", files.certificate, "--key", files.key] }

        /// A run of one curl: what it showed, the `identity` events of the transcript, and the summary of the host.
        private struct Run {
            let fetched: Curl.Outcome
            let identities: [TranscriptLine]
            let host: HostRecord

            func authorities(_ side: String) -> [String]? { field("authorities", side) }
            func chain(_ side: String) -> [String]? { field("chain", side) }
            var fault: String? { identities.first { $0.text("side") == "client" }?.text("fault") }

            private func field(_ name: String, _ side: String) -> [String]? {
                identities.first { $0.text("side") == side }?.fields[name] as? [String]
            }
        }

        private func run(_ curl: [String], origin: [String] = [], proxy: [String] = []) async throws -> Run {
            let path = folder.path("\(UUID().uuidString).jsonl")
            let route = try await MutualRoute(stage, origin: origin, proxy: proxy + ["--transcript", path])
            let fetched = try await route.fetch(curl)
            let host = try await route.end()
            let lines = try TranscriptLine.read(path)
            return Run(fetched: fetched, identities: lines.filter { $0.event == "identity" }, host: host)
        }

        @Test(.needs(.curl), arguments: ["1.1", "2"], ["1.2", "1.3"])
        func `the app is asked when the origin asks, with the names that the origin gave`(
            http: String, tls: String
        ) async throws {
            let run = try await run(
                presenting(clients.app) + ["--http\(http)", "--tls-max", tls],
                origin: ["--client-auth", "request", "--client-ca", clients.authority.certificate, "--tls-max", tls])
            #expect(run.fetched.status == 200, "\(run.fetched.complaint)")
            // The app's key is not the proxy's: the origin gets nothing.
            #expect(try run.fetched.seen.clientCertificate == nil)
            #expect(run.identities.count == 2)
            for side in ["client", "origin"] { #expect(run.authorities(side) == ["CN=Clients"], "\(side)") }
            #expect(run.chain("client") == [try clients.app.digest()])
            #expect(run.chain("origin") == [])
            #expect(run.fault == nil)
            #expect(run.host.identityRequests == 1)
            #expect(run.host.identitiesGiven == 0)
            #expect(run.host.identitiesTaken == 1)
        }

        @Test(.needs(.curl)) func `the app's identity and the proxy's are two`() async throws {
            let run = try await run(
                presenting(clients.stranger), origin: MutualRoute.requiring(clients.authority),
                proxy: ["--identity", "*=\(clients.app.pkcs12)"])
            #expect(try run.fetched.seen.clientCertificate?.subject == "CN=app")
            #expect(run.chain("client") == [try clients.stranger.digest()])
            #expect(run.chain("origin") == [try clients.app.digest()])
            #expect(run.identities.compactMap { $0.text("source") } == [clients.app.pkcs12])
            #expect(run.host.identitiesGiven == 1)
            #expect(run.host.identitiesTaken == 1)
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `the app is asked though the origin does not ask`(tls: String) async throws {
            let run = try await run(
                presenting(clients.app) + ["--tls-max", tls], proxy: ["--request-client-cert", "*"])
            #expect(run.fetched.status == 200, "\(run.fetched.complaint)")
            #expect(run.identities.count == 1)
            #expect(run.authorities("client") == [])
            #expect(run.chain("client") == [try clients.app.digest()])
            #expect(run.host.identityRequests == 0)
            #expect(run.host.identitiesTaken == 1)
        }

        @Test(.needs(.curl)) func `nobody is asked when nobody wants to know`() async throws {
            let run = try await run(
                presenting(clients.app), proxy: ["--request-client-cert", "other.example"])
            #expect(run.fetched.status == 200, "\(run.fetched.complaint)")
            #expect(run.identities.isEmpty)
            #expect(run.host.identitiesTaken == 0)
        }

        @Test(.needs(.curl)) func `an app that gives none is recorded and served`() async throws {
            let run = try await run([], proxy: ["--request-client-cert", "*"])
            #expect(run.fetched.status == 200, "\(run.fetched.complaint)")
            #expect(run.identities.count == 1)
            #expect(run.chain("client") == [])
            #expect(run.host.identitiesTaken == 0)
        }

        @Test(.needs(.curl)) func `what --client-ca makes of it is recorded, and keeps nobody out`() async throws {
            let options = ["--request-client-cert", "*", "--client-ca", clients.authority.certificate]
            let known = try await run(presenting(clients.app), proxy: options)
            #expect(known.fetched.status == 200)
            #expect(known.authorities("client") == ["CN=Clients"])
            #expect(known.chain("client") == [try clients.app.digest()])
            #expect(known.identities.first?.fields["fault"] is NSNull)

            let unknown = try await run(presenting(clients.stranger), proxy: options)
            #expect(unknown.fetched.status == 200)
            #expect(unknown.chain("client") == [try clients.stranger.digest()])
            #expect(unknown.fault == "unable to get local issuer certificate")
            #expect(unknown.host.identitiesTaken == 1)
        }

        @Test(.needs(.curl)) func `a leaf is an anchor too`() async throws {
            let options = ["--request-client-cert", "*", "--client-ca", clients.app.certificate]
            let known = try await run(presenting(clients.app), proxy: options)
            #expect(known.identities.first?.fields["fault"] is NSNull)
            let other = try await run(presenting(clients.second), proxy: options)
            #expect(other.fault == "unable to get local issuer certificate")
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `an app can be refused for what it gives, or for giving nothing`(tls: String) async throws {
            let options = ["--require-client-cert", "*", "--client-ca", clients.authority.certificate]
            let version = ["--tls-max", tls]
            let welcome = try await run(presenting(clients.app) + version, proxy: options)
            #expect(welcome.fetched.status == 200, "\(welcome.fetched.complaint)")
            #expect(welcome.chain("client") == [try clients.app.digest()])

            // CURLE_SSL_CONNECT_ERROR; in TLS 1.3 the handshake is over for curl by then: CURLE_RECV_ERROR.
            let code = ChildProcess.Ending.exit(tls == "1.2" ? 35 : 56)
            let none = try await run(version, proxy: options)
            #expect(none.fetched.code == code, "\(none.fetched.complaint)")
            #expect(
                none.fetched.complaint.contains(
                    tls == "1.2" ? "alert handshake failure" : "alert certificate required"),
                "\(none.fetched.complaint)")
            #expect(none.chain("client") ?? [] == [])
            #expect(none.host.identitiesTaken == 0)

            let stranger = try await run(presenting(clients.stranger) + version, proxy: options)
            #expect(stranger.fetched.code == code, "\(stranger.fetched.complaint)")
            #expect(stranger.fetched.complaint.contains("alert unknown ca"), "\(stranger.fetched.complaint)")
            #expect(stranger.chain("client") == [try clients.stranger.digest()])
            #expect(stranger.fault == "unable to get local issuer certificate")
        }

        @Test(.needs(.curl)) func `the summary for people says who gave what to whom`() async throws {
            let origin = try await stage.startOrigin(MutualRoute.requiring(clients.authority))
            let process = try ChildProcess(
                Executable.url,
                [
                    "proxy", "--state", stage.folder.path("proxy"), "--port", "0", "--origin-ca", stage.publicCA,
                    "--resolve", "\(MutualRoute.host):443:127.0.0.1:\(origin.port)", "--identity",
                    "*=\(clients.app.pkcs12)",
                ])
            let port = try await process.wait(for: "the port") { progress in
                progress.lines.first?.prefixMatch(of: /pinproof proxy on 127\.0\.0\.1:([0-9]+);/).flatMap { Int($0.1) }
            }
            let curl = Curl(through: port, trusting: stage.proxyCA)
            for _ in 1...2 {
                let fetched = try await Curl.Outcome(
                    curl.start("https://\(MutualRoute.host)/", presenting(clients.second)).end())
                #expect(fetched.status == 200, "\(fetched.complaint)")
            }
            process.signal(SIGINT)
            let run = try await process.end()
            #expect(run.ending == .exit(0))
            let remarks = run.lines.drop { $0 != MutualRoute.host }.dropFirst().prefix { $0.hasPrefix(" ") }
            #expect(
                Array(remarks) == [
                    "  the app gave the proxy its client certificate: 2 times",
                    "  the origin asked for a client certificate: 2 times, given 2 times",
                ], "\(run.outputText)")
            try await origin.stop()
        }
    }
}
