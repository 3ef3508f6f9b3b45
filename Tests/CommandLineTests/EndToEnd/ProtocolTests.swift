import Crypto
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What is negotiated, and for which name: curl through the proxy.
    @Suite struct ProtocolTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test(.needs(.curl), arguments: ["1.1", "2"], ["1.2", "1.3"])
        func `both HTTP versions pass over both TLS versions`(http: String, tls: String) async throws {
            let host = try stage.newHost()
            let fetched = try await Curl(through: stage.proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/hello?http=\(http)", "--http\(http)", "--tlsv\(tls)", "--tls-max", tls)
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            #expect(fetched.httpVersion == http)
            let seen = try fetched.seen
            #expect(seen.target == "/hello?http=\(http)")
            #expect(seen.serverName == host)
            #expect(seen.authority == host)
            #expect(seen.httpVersion == "HTTP/\(http)")

            let record = try await stage.proxy.connection(to: host)
            let alpn = http == "2" ? "h2" : "http/1.1"
            #expect(record.decision == "intercept")
            #expect(record.clientSession == .init(version: "TLS \(tls)", alpn: alpn))
            #expect(record.originSession?.alpn == alpn)
            #expect(record.failure == nil)
            #expect(record.answered == nil)
        }

        @Test(.needs(.curl), .needs(.openssl), arguments: [["-tls1_2"], ["-tls1_3"]])
        func `C76: an origin without HTTP/2 gives a client without HTTP/2`(version: [String]) async throws {
            let identity = try stage.mint(.everyHost)
            // -www answers each request with a page about the session.
            let origin = try RealClient.openssl.start(
                [
                    "s_server", "-accept", "127.0.0.1:0", "-www", "-alpn", "http/1.1", "-cert", identity.certificate,
                    "-key", identity.key,
                ] + version)
            let port = try await origin.wait(for: "its port") { progress in
                progress.lines.first { $0.hasPrefix("ACCEPT") }.flatMap { Int($0.split(separator: ":").last ?? "") }
            }
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], to: port)
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/", "--http2")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            // s_server answers in HTTP/1.0, which curl calls 1.
            #expect(fetched.httpVersion == "1")
            let record = try await proxy.connection(to: host)
            let tls = version == ["-tls1_2"] ? "TLS 1.2" : "TLS 1.3"
            #expect(record.clientSession == .init(version: "TLS 1.3", alpn: "http/1.1"))
            #expect(record.originSession == .init(version: tls, alpn: "http/1.1"))
            try await proxy.stop()
        }

        @Test(.needs(.curl)) func `a client that offers no protocol gets none`() async throws {
            let host = try stage.newHost()
            let fetched = try await Curl(through: stage.proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/", "--no-alpn")
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(try fetched.seen.alpn == nil)
            #expect(try await stage.proxy.connection(to: host).clientSession?.alpn == nil)
        }

        /// An address is an iPAddress in the leaf, whatever way it is written, and one leaf serves all of them.
        @Test(.needs(.curl), .needs(.openssl)) func `C30: an IPv4 address is named as an address`() async throws {
            let folder = try TemporaryFolder()
            let proxy = try await stage.startProxy(
                resolving: [], ["--transcript", folder.path("run.jsonl"), "--workers", "1"])
            for host in ["127.0.0.1", "[::ffff:127.0.0.1]"] {
                let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                    "https://\(host):\(stage.origin.port)/", "--http1.1")
                #expect(fetched.status == 200, "\(host): \(fetched.complaint)")
                #expect(try fetched.seen.serverName == nil)
            }
            let records = try await proxy.connections(2) { $0.host == "127.0.0.1" }
            #expect(records.map(\.failure?.code) == [nil, nil])
            try await proxy.stop()
            let forged = try TranscriptLine.read(folder.path("run.jsonl")).filter { $0.event == "forged" }
            #expect(forged.map { $0.fields["fromCache"] as? Bool } == [false, true])
            #expect(
                try await alternativeNames(in: folder.path("run.jsonl"), folder)
                    == "IP Address:127.0.0.1, IP Address:0:0:0:0:0:FFFF:7F00:1")
        }

        @Test(.needs(.curl), .needs(.openssl), .enabled(if: hasIPv6Loopback, "there is no ::1 here"))
        func `C30: an IPv6 address is named as an address`() async throws {
            let folder = try TemporaryFolder()
            let identity = try stage.mint([.address([UInt8](repeating: 0, count: 15) + [1])])
            let origin = try await Server(
                ["origin", "--cert", identity.certificate, "--key", identity.key, "--listen", "::1"])
            let proxy = try await stage.startProxy(
                resolving: [], ["--transcript", folder.path("run.jsonl"), "--workers", "1", "--listen", "::1"])
            for host in ["[::1]", "[0:0:0:0:0:0:0:1]"] {
                let fetched = try await Curl(through: proxy.port, at: "[::1]", trusting: stage.proxyCA).fetch(
                    "https://\(host):\(origin.port)/")
                #expect(fetched.status == 200, "\(host): \(fetched.complaint)")
            }
            let records = try await proxy.connections(2) { $0.host == "::1" }
            #expect(records.allSatisfy { $0.port == origin.port && $0.failure == nil })
            try await proxy.stop()
            try await origin.stop()
            let forged = try TranscriptLine.read(folder.path("run.jsonl")).filter { $0.event == "forged" }
            #expect(forged.map { $0.fields["fromCache"] as? Bool } == [false, true])
            #expect(
                try await alternativeNames(in: folder.path("run.jsonl"), folder) == "IP Address:0:0:0:0:0:0:0:1")
        }

        /// One canonical host for the origin's SNI, leaf, rules and report; the request itself passes as sent.
        @Test(.needs(.curl)) func `C38: a trailing dot and capitals name the same host`() async throws {
            let folder = try TemporaryFolder()
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(
                resolving: [host], ["--transcript", folder.path("run.jsonl"), "--workers", "1"])
            let spellings = [host, host + ".", host.uppercased()]
            for spelling in spellings {
                let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(spelling)/")
                #expect(fetched.code == .exit(0), "\(spelling): \(fetched.complaint)")
                let seen = try fetched.seen
                #expect(seen.serverName == host)
                #expect(seen.authority == spelling)
            }
            let records = try await proxy.connections(3) { $0.host == host }
            #expect(records.map(\.target) == spellings.map { "\($0):443" })
            try await proxy.stop()
            let forged = try TranscriptLine.read(folder.path("run.jsonl")).filter { $0.event == "forged" }
            #expect(forged.map { $0.text("host") } == [host, host, host])
            #expect(forged.map { $0.fields["fromCache"] as? Bool } == [false, true, true])
        }

        /// The alternative names of the only forged leaf of a transcript, in openssl's words.
        private func alternativeNames(in transcript: String, _ folder: TemporaryFolder) async throws -> String {
            let lines = try TranscriptLine.read(transcript)
            let digest = try #require(lines.first { $0.event == "forged" }?.text("digest"))
            let leaf = try #require(lines.first { $0.event == "certificate" && $0.text("digest") == digest })
            let der = try #require(leaf.text("der").flatMap { Data(base64Encoded: $0) })
            let file = try folder.file("leaf.cer", [UInt8](der)).path
            let shown = try await RealClient.openssl.run(
                "x509", "-inform", "der", "-in", file, "-noout", "-ext", "subjectAltName")
            return try #require(shown.lines.dropFirst().first).trimmingCharacters(in: .whitespaces)
        }
    }
}

/// Whether this machine has the address ::1; containers often do not.
private let hasIPv6Loopback: Bool = {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
    } == 0
}()
