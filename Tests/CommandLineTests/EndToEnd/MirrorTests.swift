import Authority
import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// Faulty origins seen by real clients: the page by default, the same fault with `--scenario mirror`.
    @Suite struct MirrorTests {
        /// What is wrong with an origin, and what real clients say of it.
        struct Origin: CustomTestStringConvertible, Sendable {
            /// The names of the faults in the transcript.
            let faults: [String]
            /// The failure that it is by default.
            let code: String
            /// The numbers that `openssl s_client -verify_return_error` may end with: `X509_V_ERR_*`.
            let numbers: Set<Int>
            var names: [AlternativeName]?
            var seconds: (from: Int64, to: Int64) = (-3600, 3600)
            var isSelfSigned = false
            /// Whether the CA that signed it is one that nobody trusts, and sent along.
            var isStrange = false
            var sendsRoot = false

            var testDescription: String { "\(faults)\(sendsRoot ? " with its root" : "")" }
        }

        static let origins = [
            Origin(faults: ["expired"], code: "originExpired", numbers: [10], seconds: (-7200, -3600)),
            Origin(faults: ["notYetValid"], code: "originNotYetValid", numbers: [9], seconds: (3600, 7200)),
            Origin(
                faults: ["wrongName"], code: "originWrongName", numbers: [62],
                names: [.dns("elsewhere.example"), .dns("*.elsewhere.example"), .address([192, 0, 2, 1])]),
            Origin(faults: ["selfSigned"], code: "originUntrusted", numbers: [18], isSelfSigned: true),
            Origin(faults: ["untrusted"], code: "originUntrusted", numbers: [20], isStrange: true),
            Origin(faults: ["untrusted"], code: "originUntrusted", numbers: [19], isStrange: true, sendsRoot: true),
            Origin(
                faults: ["expired", "wrongName", "untrusted"], code: "originUntrusted", numbers: [10, 20, 62],
                names: [.dns("elsewhere.example")], seconds: (-7200, -3600), isStrange: true),
            Origin(
                faults: ["expired", "wrongName", "selfSigned"], code: "originUntrusted", numbers: [10, 18, 62],
                names: [.dns("elsewhere.example")], seconds: (-7200, -3600), isSelfSigned: true),
        ]

        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        private func files(_ origin: Origin, for host: String) throws -> Stage.IdentityFiles {
            let now = Int64(Date.now.timeIntervalSince1970)
            var template = CertificateTemplate.server(
                names: origin.names ?? [.dns(host)], notBefore: now + origin.seconds.from,
                notAfter: now + origin.seconds.to)
            if origin.names == [] { template.subject = DistinguishedName(commonName: host) }
            let strange = try CertificateAuthority.ephemeral(name: "Strange", now: now)
            let signer = origin.isStrange ? strange : stage.publicAuthority
            let identity = origin.isSelfSigned ? try template.identity() : try signer.issue(template)
            let chain = identity.chain + (origin.sendsRoot ? [strange.certificate] : [])
            return Stage.IdentityFiles(
                certificate: try folder.file("origin.pem", Array(chain.map(\.pem).joined().utf8)).path,
                key: try folder.privateFile("origin.key", identity.key.pem()))
        }

        /// A faulty origin, and a proxy on the way to it.
        private func route(_ it: Origin, _ options: [String]) async throws -> (
            host: String, origin: Server, proxy: Server
        ) {
            let host = "faulty.\(Stage.domain)"
            let files = try files(it, for: host)
            let origin = try await Server(["origin", "--cert", files.certificate, "--key", files.key])
            return (host, origin, try await stage.startProxy(resolving: [host], to: origin.port, options))
        }

        @Test("C53: by default the page tells the fault", .needs(.curl), arguments: origins)
        func byDefault(_ it: Origin) async throws {
            let (host, origin, proxy) = try await route(it, [])
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 502)
            #expect(fetched.text.contains("(\(it.code))"), "\(fetched.text)")
            try await proxy.stop()
            try await origin.stop()
        }

        @Test(
            "C53: mirrored, curl refuses it, and only curl -k gets the origin's page", .needs(.curl), arguments: origins
        )
        func curl(_ it: Origin) async throws {
            let path = folder.path("run.jsonl")
            let (host, origin, proxy) = try await route(it, ["--scenario", "mirror", "--transcript", path])
            let curl = Curl(through: proxy.port, trusting: stage.proxyCA)
            let strict = try await curl.fetch("https://\(host)/")
            // CURLE_PEER_FAILED_VERIFICATION.
            #expect(strict.code == .exit(60), "\(strict.complaint)")
            #expect(strict.connectStatus == 200)
            let lax = try await curl.fetch("https://\(host)/page", "-k")
            #expect(lax.code == .exit(0), "\(lax.complaint)")
            #expect(lax.status == 200)
            #expect(try lax.seen.target == "/page")
            #expect(try lax.seen.serverName == host)

            let record = try await proxy.connections(2) { $0.host == host }
            #expect(record.map(\.mirroredFaults) == [it.faults, it.faults])
            #expect(record.map(\.originProof) == ["mirrored", "mirrored"])
            #expect(record.compactMap(\.answered) == [])
            try await proxy.stop()
            try await origin.stop()
            let lines = try TranscriptLine.read(path)
            let forged = lines.filter { $0.event == "forged" }
            #expect(forged.map { $0.fields["mirroredFaults"] as? [String] } == [it.faults, it.faults])
            // The same leaf for both: what determines it is the same.
            #expect(forged.map { $0.fields["fromCache"] as? Bool } == [false, true])
        }

        @Test("C53: mirrored, OpenSSL finds what it would find at the origin", .needs(.openssl), arguments: origins)
        func openssl(_ it: Origin) async throws {
            let (host, origin, proxy) = try await route(it, ["--scenario", "*.\(Stage.domain)=mirror"])
            let through = ["-proxy", "127.0.0.1:\(proxy.port)", "-CAfile", stage.proxyCA]
            let directly = ["-CAfile", stage.publicCA]
            for (target, options) in [("\(host):443", through), ("127.0.0.1:\(origin.port)", directly)] {
                let run = try await RealClient.openssl.start(
                    ["s_client", "-connect", target, "-servername", host, "-verify_hostname", host]
                        + ["-verify_return_error"] + options
                ).end()
                #expect(run.ending == .exit(1))
                let found = run.errorText.matches(of: /verify error:num=(\d+):/).compactMap { Int($0.1) }
                #expect(found.count == 1, "\(run.errorText)")
                #expect(it.numbers.isSuperset(of: found), "\(target): \(run.errorText)")
            }
            try await proxy.stop()
            try await origin.stop()
        }

        /// OpenSSL's clients fall back to the common name where there is no other; that is for them to decide.
        @Test("C53: a common name without alternative names", .needs(.openssl), .needs(.curl))
        func commonNameOnly() async throws {
            let it = Origin(faults: ["wrongName"], code: "originWrongName", numbers: [], names: [])
            let (host, origin, proxy) = try await route(it, [])
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(fetched.status == 502)
            #expect(fetched.text.contains("it is for no name at all (CN=\(host))"), "\(fetched.text)")
            try await proxy.stop()

            let mirror = try await stage.startProxy(
                resolving: [host], to: origin.port, ["--scenario", "mirror"])
            let shown = try await RealClient.openssl.start(
                ["s_client", "-connect", "\(host):443", "-servername", host, "-proxy", "127.0.0.1:\(mirror.port)"]
                    + ["-CAfile", stage.proxyCA, "-verify_return_error"]
            ).end()
            #expect(shown.ending == .exit(0), "\(shown.errorText)")
            let leaf = try #require(try Certificate.pem(shown.output).first)
            #expect(leaf.subject == "CN=\(host)")
            #expect(leaf.subjectAltNames == [])
            #expect(try await mirror.connection(to: host).mirroredFaults == ["wrongName"])
            try await mirror.stop()
            try await origin.stop()
        }

        @Test("C53: a name asked in Unicode is compared as an A-label", .needs(.curl), arguments: [[], ["mirror"]])
        func unicode(_ scenario: [String]) async throws {
            let host = "xn--bcher-kva.\(Stage.domain)"
            let files = try stage.mint([.dns(host)])
            let origin = try await Server(["origin", "--cert", files.certificate, "--key", files.key])
            let proxy = try await stage.startProxy(
                resolving: [host], to: origin.port, scenario.flatMap { ["--scenario", $0] })
            // curl converts names in a locale only that has such letters.
            let fetched = try await Curl.Outcome(
                Curl(through: proxy.port, trusting: stage.proxyCA).start(
                    "https://bücher.\(Stage.domain)/", environment: ["LC_ALL": "C.UTF-8"]
                ).end())
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            #expect(try fetched.seen.serverName == host)
            #expect(try await proxy.connection(to: host).mirroredFaults == [])
            try await proxy.stop()
            try await origin.stop()
        }

        @Test("C53: the live view and the summary mark the host", .needs(.curl))
        func marks() async throws {
            let it = Self.origins[6]
            let host = "faulty.\(Stage.domain)"
            let files = try files(it, for: host)
            let origin = try await Server(["origin", "--cert", files.certificate, "--key", files.key])
            let proxy = try ChildProcess(
                Executable.url,
                [
                    "proxy", "--port", "0", "--state", stage.folder.path("proxy"), "--origin-ca", stage.publicCA,
                    "--resolve", "\(host):443:127.0.0.1:\(origin.port)", "--scenario", "mirror",
                ])
            let port = try await proxy.wait(for: "its port") { progress in
                progress.lines.first?.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
            }
            let fetched = try await Curl(through: port, trusting: stage.proxyCA).fetch("https://\(host)/", "-k")
            #expect(fetched.status == 200)
            let mark = "ORIGIN FAULTY (expired, wrong name, untrusted), mirrored"
            _ = try await proxy.wait(for: "the line of the connection") { progress in
                progress.lines.contains { $0.contains("  \(mark) | accepted: ") } ? true : nil
            }
            proxy.signal(SIGINT)
            let run = try await proxy.end()
            #expect(run.ending == .exit(0))
            #expect(run.lines.contains { $0 == "  \(mark): once" }, "\(run.lines)")
            try await origin.stop()
        }

        @Test("C53: what is no scenario is told with the nearest")
        func unknown() async throws {
            let run = try await ChildProcess(Executable.url, ["proxy", "--port", "0", "--scenario", "miror"]).end()
            #expect(run.ending == .exit(2))
            #expect(run.errorText.contains("did you mean mirror?"))
            #expect(run.errorText.count { $0 == "\n" } == 1)
        }
    }
}
