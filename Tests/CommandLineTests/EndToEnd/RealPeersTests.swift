import Foundation
import Testing

extension EndToEnd {
    /// Both ends of the proxy in the hands of programs that others wrote: the client has a certificate of its own, and
    /// the origin takes none but the proxy's.
    @Suite struct RealPeersTests {
        /// An origin that speaks one TLS version.
        struct Origin: CustomTestStringConvertible {
            let origin: RealOrigin
            let tls: String

            var testDescription: String { "\(origin) with TLS \(tls)" }

            static let all = RealOrigin.allCases.flatMap { origin in
                ["1.2", "1.3"].map { Origin(origin: origin, tls: $0) }
            }
        }

        private let stage: Stage
        private let clients: ClientIdentities
        private let server: IssuedFiles
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            clients = stage.clients
            folder = try TemporaryFolder()
            server = try ClientIdentities.issue(
                "server", in: folder.path, "--server", MutualRoute.host, by: clients.authority)
        }

        private func route(to port: Int, _ options: [String]) async throws -> MutualRoute {
            try await MutualRoute(
                stage, to: port, proxy: ["--origin-ca", clients.authority.certificate] + options)
        }

        @Test(
            .needs(.curl), .needs(.python), .needs(.node), .needs(.javac), .needs(.go), .needs(.gnutls),
            .needs(.openssl),
            .needs(.nginx), arguments: IdentityClient.allCases, Origin.all)
        func `C37: each end has its own certificate, and the recording proves it`(
            client: IdentityClient, origin: Origin
        ) async throws {
            let running = try await origin.origin.start(server, trusting: clients.authority, tls: origin.tls)
            let route = try await route(
                to: running.port,
                [
                    "--identity", "*=\(clients.app.pkcs12)", "--require-client-cert", "*", "--client-ca",
                    clients.otherAuthority.certificate, "--transcript", folder.path("run.jsonl"),
                    "--capture", "wire",
                ])
            let answer = try await client.fetch(
                MutualRoute.host, through: route.proxy.port, trusting: stage.proxyCA, as: clients.stranger,
                tls: origin.tls)
            #expect(answer.status == 200, "\(answer.complaint) \(answer.body)")
            #expect(answer.body.contains(origin.origin.sight(of: "app")), "\(answer.body)")
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 1)
            #expect(host.identitiesTaken == 1)

            let proof = try TranscriptProof(of: folder.path("run.jsonl"))
            proof.expect(
                "clientSignature", "identity", "clientFinished", "serverSignature", "serverFinished", "chain",
                "parameters", "plainRecords", "sealedRecords", proven: 2)
            proof.expect("verdict", "completeness", "lines", proven: 1)
            proof.expectNothingOpen("clientSignature", "identity", "clientFinished")
        }

        @Test(
            .needs(.curl), .needs(.javac), .needs(.openssl),
            arguments: [RealOrigin.openssl, .java], ["1.2", "1.3"])
        func `C37: without an identity the page names what is wanted`(origin: RealOrigin, tls: String) async throws {
            let running = try await origin.start(server, trusting: clients.authority, tls: tls)
            let route = try await route(to: running.port, [])
            let fetched = try await route.fetch()
            #expect(fetched.status == 502, "\(fetched.complaint)")
            for text in ["(originWantsIdentity)", "issued by one of: CN=Clients; it got none", "--identity HOST=FILE"] {
                #expect(fetched.text.contains(text), "no '\(text)' in \(fetched.text)")
            }
            try await route.end()
        }

        /// nginx finishes the handshake without one, and then says so in HTTP, which is the origin's word and passes.
        @Test(.needs(.curl), .needs(.nginx), arguments: ["1.2", "1.3"])
        func `nginx refuses in words of its own`(tls: String) async throws {
            let running = try await RealOrigin.nginx.start(server, trusting: clients.authority, tls: tls)
            let none = try await route(to: running.port, [])
            let refused = try await none.fetch()
            #expect(refused.status == 400)
            #expect(refused.text.contains("No required SSL certificate was sent"), "\(refused.text)")
            let host = try await none.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 0)

            let stranger = try await route(to: running.port, ["--identity", "*=\(clients.stranger.pkcs12)"])
            let unknown = try await stranger.fetch()
            #expect(unknown.status == 400)
            #expect(unknown.text.contains("The SSL certificate error"), "\(unknown.text)")
            #expect(try await stranger.end().identitiesGiven == 1)
        }
    }
}
