import Foundation
import Testing

extension EndToEnd {
    /// Origins that ask for a client certificate, and what the proxy presents to them.
    @Suite struct TwoWayTests {
        private let stage: Stage
        private let clients: ClientIdentities
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            clients = stage.clients
            folder = try TemporaryFolder()
        }

        private func identity(_ files: IssuedFiles) -> [String] { ["--identity", "*=\(files.pkcs12)"] }

        private static let app = OriginSight.Client(subject: "CN=app", issuer: "CN=Clients", certificates: 1)
        private static let second = OriginSight.Client(subject: "CN=second", issuer: "CN=Clients", certificates: 1)
        private static let stranger = OriginSight.Client(
            subject: "CN=stranger", issuer: "CN=Strangers", certificates: 1)

        @Test(.needs(.curl), arguments: ["1.1", "2"], ["1.2", "1.3"])
        func `C37: the identity that an origin requires is presented`(http: String, tls: String) async throws {
            let route = try await MutualRoute(
                stage, origin: MutualRoute.requiring(clients.authority, tls: tls), proxy: identity(clients.app))
            let fetched = try await route.fetch("--http\(http)", "--tlsv\(tls)", "--tls-max", tls)
            #expect(fetched.status == 200, "\(fetched.complaint) \(fetched.text)")
            #expect(fetched.httpVersion == http)
            let seen = try fetched.seen
            #expect(seen.clientCertificate == Self.app)
            #expect(seen.tlsVersion == "TLS \(tls)")
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 1)
            #expect(host.identitiesTaken == 0)
        }

        /// Expects the page that says why an origin does not go on.
        private func expectRefusal(
            _ route: MutualRoute, http: String = "1.1", tls: String = "1.3", _ texts: [String]
        ) async throws {
            let fetched = try await route.fetch("--http\(http)", "--tlsv\(tls)", "--tls-max", tls)
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 502)
            #expect(fetched.httpVersion == http)
            for text in texts + ["At fault: the origin (originWantsIdentity)."] {
                #expect(fetched.text.contains(text), "no '\(text)' in \(fetched.text)")
            }
            let record = try await route.proxy.connection(to: MutualRoute.host)
            #expect(record.answered == 502)
            #expect(record.failure?.party == "origin")
            #expect(record.failure?.code == "originWantsIdentity")
            // In TLS 1.3 the client's handshake may be over before the origin looks at its answer (RFC 8446, 4.4.2.4).
            #expect(record.failure?.phase == (tls == "1.3" ? "relay" : "originHandshake"))
        }

        @Test(.needs(.curl), arguments: ["1.1", "2"], ["1.2", "1.3"])
        func `C37: without the identity that an origin requires the page says which`(
            http: String, tls: String
        ) async throws {
            let route = try await MutualRoute(stage, origin: MutualRoute.requiring(clients.authority, tls: tls))
            let alert = tls == "1.3" ? "certificate_required (116)" : "handshake_failure (40)"
            try await expectRefusal(
                route, http: http, tls: tls,
                ["issued by one of: CN=Clients; it got none, and then", alert, "--identity HOST=FILE"])
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 0)
        }

        @Test(.needs(.curl), arguments: ["1.1", "2"], ["1.2", "1.3"])
        func `C37: the identity of another CA is refused, and the page says why`(http: String, tls: String) async throws
        {
            let route = try await MutualRoute(
                stage, origin: MutualRoute.requiring(clients.authority, tls: tls), proxy: identity(clients.stranger))
            try await expectRefusal(
                route, http: http, tls: tls,
                [
                    "it was given CN=stranger (\(clients.stranger.pkcs12)), and then", "unknown_ca (48)",
                    "its chain leads to none of those",
                ])
            #expect(try await route.end().identitiesGiven == 1)
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `C37: an origin that asks but does not insist is reached without one`(tls: String) async throws {
            let route = try await MutualRoute(
                stage,
                origin: [
                    "--client-auth", "request", "--client-ca", clients.authority.certificate, "--tls-max", tls,
                ])
            let fetched = try await route.fetch()
            #expect(fetched.status == 200, "\(fetched.complaint)")
            #expect(try fetched.seen.clientCertificate == nil)
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 0)
        }

        @Test(.needs(.curl)) func `an origin that does not ask is given nothing`() async throws {
            let route = try await MutualRoute(stage, proxy: identity(clients.app))
            #expect(try await route.fetch().seen.clientCertificate == nil)
            let host = try await route.end()
            #expect(host.identityRequests == 0)
            #expect(host.identitiesGiven == 0)
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `an origin may know single certificates instead of a CA`(tls: String) async throws {
            let origin = MutualRoute.requiring(clients.app, tls: tls)
            let route = try await MutualRoute(stage, origin: origin, proxy: identity(clients.app))
            #expect(try await route.fetch().seen.clientCertificate == Self.app)
            try await route.end()

            // Of the same CA, but not the one.
            let other = try await MutualRoute(stage, origin: origin, proxy: identity(clients.second))
            try await expectRefusal(other, tls: tls, ["it was given CN=second"])
            try await other.end()
        }

        @Test(.needs(.curl), arguments: ["1.2", "1.3"])
        func `C49: the intermediate of an identity is sent with it`(tls: String) async throws {
            let (state, root) = (folder.path("state"), folder.path("root.pem"))
            for words in [["init", "--intermediate", "--state", state], ["export", "--state", state, "--out", root]] {
                try #require(try Executable.run(Executable.url, ["ca"] + words).code == 0)
            }
            let deep = try ClientIdentities.issue("deep", in: folder.path, "--client", "deep", "--state", state)
            let route = try await MutualRoute(
                stage, origin: MutualRoute.requiring(IssuedFiles(stem: folder.path("root")), tls: tls),
                proxy: identity(deep))
            let seen = try await route.fetch().seen.clientCertificate
            #expect(seen?.subject == "CN=deep")
            // Without the root, which the origin has.
            #expect(seen?.certificates == 2)
            try await route.end()
        }

        @Test(.needs(.curl), arguments: [true, false])
        func `C62: of several identities the one that the origin takes`(isStrangerFirst: Bool) async throws {
            let options = [identity(clients.app), identity(clients.stranger)]
            let proxy = Array((isStrangerFirst ? options.reversed() : options).joined())
            let first = isStrangerFirst ? Self.stranger : Self.app
            let origins = [
                (["--client-auth", "require", "--client-ca", clients.authority.certificate], Self.app),
                (["--client-auth", "require", "--client-ca", clients.otherAuthority.certificate], Self.stranger),
                // Knows one certificate alone, so that is the name that it asks for.
                (["--client-auth", "require", "--client-ca", clients.app.certificate], Self.app),
                (["--client-auth", "require", "--client-ca", clients.stranger.certificate], Self.stranger),
                // Names nobody, or both: the first.
                (["--client-auth", "require"], first),
                (
                    [
                        "--client-auth", "require", "--client-ca", clients.authority.certificate, "--client-ca",
                        clients.otherAuthority.certificate,
                    ], first
                ),
            ]
            for (options, expected) in origins {
                let route = try await MutualRoute(stage, origin: options, proxy: proxy)
                let fetched = try await route.fetch()
                #expect(fetched.status == 200, "\(options): \(fetched.text)")
                #expect(try fetched.seen.clientCertificate == expected, "\(options)")
                try await route.end()
            }
        }

        @Test(.needs(.curl)) func `C62: two CAs of one name cannot be told apart, and the first identity goes`()
            async throws
        {
            let twin = try ClientIdentities.issue("twin", in: folder.path, "--root", "--subject", "CN=Clients")
            let impostor = try ClientIdentities.issue("impostor", in: folder.path, "--client", "app", by: twin)
            let origin = MutualRoute.requiring(clients.authority)
            let route = try await MutualRoute(stage, origin: origin, proxy: identity(clients.app) + identity(impostor))
            #expect(try await route.fetch().seen.clientCertificate == Self.app)
            try await route.end()

            let other = try await MutualRoute(stage, origin: origin, proxy: identity(impostor) + identity(clients.app))
            try await expectRefusal(other, ["it was given CN=app (\(impostor.pkcs12))"])
            try await other.end()
        }

        @Test(.needs(.curl)) func `C62: an identity for the host itself comes before one for all`() async throws {
            let route = try await MutualRoute(
                stage, origin: ["--client-auth", "request", "--client-ca", clients.otherAuthority.certificate],
                proxy: identity(clients.stranger) + ["--identity", "\(MutualRoute.host)=\(clients.second.pkcs12)"])
            // It is the wrong one for this origin, but it is what was asked for.
            var expected = Self.second
            expected.fault = "unable to get local issuer certificate"
            #expect(try await route.fetch().seen.clientCertificate == expected)
            try await route.end()
        }

        @Test(.needs(.curl)) func `a file that was replaced is read again`() async throws {
            let path = folder.path("identity.pem")
            func replace(_ files: IssuedFiles) throws {
                let text = try files.text(\.key) + files.text(\.certificate)
                _ = try folder.privateFile("identity.pem", Array(text.utf8))
            }
            try replace(clients.app)
            let route = try await MutualRoute(
                stage, origin: MutualRoute.requiring(clients.authority), proxy: ["--identity", "*=\(path)"])
            #expect(try await route.fetch().seen.clientCertificate == Self.app)
            try replace(clients.second)
            #expect(try await route.fetch().seen.clientCertificate == Self.second)

            try folder.file("identity.pem", Array("nothing of the kind\n".utf8))
            let broken = try await route.fetch()
            #expect(broken.status == 502)
            for text in [
                "the identity in \(path) cannot be used: it is no identity file but something else",
                "At fault: the proxy (identityUnusable).",
                "give a PKCS#12 file (.p12, .pfx) or PEM text with key and certificates",
            ] { #expect(broken.text.contains(text), "no '\(text)' in \(broken.text)") }
            let record = try await route.proxy.connections(3) { $0.host == MutualRoute.host }[2]
            #expect(record.failure?.code == "identityUnusable")

            try FileManager.default.removeItem(atPath: path)
            #expect(try await route.fetch().text.contains("identityUnusable"))
            try replace(clients.app)
            #expect(try await route.fetch().seen.clientCertificate == Self.app)
            try await route.end()
        }
    }
}
