import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// Origins that cannot be trusted or do not work: the client is told inside its own session, and told how to mend it.
    @Suite struct FaultyOriginTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        /// A fault, and what the page must say of it.
        struct Fault: CustomTestStringConvertible, Sendable {
            let code: String
            let texts: [String]
            var change: @Sendable (inout CertificateTemplate) -> Void = { _ in }

            var testDescription: String { code }
        }

        private static let now = Int64(Date.now.timeIntervalSince1970)

        static let faults = [
            Fault(
                code: "originExpired", texts: ["certificate has expired", "renew the origin's certificate"],
                change: { ($0.notBefore, $0.notAfter) = (now - 7200, now - 3600) }),
            Fault(
                code: "originNotYetValid", texts: ["certificate is not yet valid", "this machine's clock"],
                change: { ($0.notBefore, $0.notAfter) = (now + 3600, now + 7200) }),
            Fault(
                code: "originWrongName", texts: ["hostname mismatch", "a name that the origin's certificate is for"],
                change: { $0.alternativeNames = [.dns("elsewhere.example")] }),
        ]

        @Test(.needs(.curl), arguments: faults, ["1.1", "2"])
        func `a faulty certificate is told in the client's own protocol`(fault: Fault, http: String) async throws {
            let host = try stage.newHost()
            let identity = try stage.mint([.dns(host)], fault.change)
            let origin = try await Server(["origin", "--cert", identity.certificate, "--key", identity.key])
            let proxy = try await stage.startProxy(resolving: [host], to: origin.port)
            try await expectPage(host, through: proxy, http: http, fault)
            try await proxy.stop()
            try await origin.stop()
        }

        @Test(.needs(.curl), arguments: ["1.1", "2"])
        func `an unknown CA is told with the flag that makes it known`(http: String) async throws {
            let host = try stage.newHost()
            let origin = try await Server(["origin", "--name", host])
            let proxy = try await stage.startProxy(resolving: [host], to: origin.port)
            try await expectPage(
                host, through: proxy, http: http,
                Fault(code: "originUntrusted", texts: ["unable to get local issuer certificate", "--origin-ca FILE"]))
            try await proxy.stop()

            // What the page advises helps.
            let folder = try TemporaryFolder()
            let advised = try folder.file("ca.pem", Array(try #require(origin.authority).utf8)).path
            let mended = try await stage.startProxy(resolving: [host], to: origin.port, trusting: advised)
            #expect(
                try await Curl(through: mended.port, trusting: stage.proxyCA).fetch("https://\(host)/").status == 200)
            try await mended.stop()
            try await origin.stop()
        }

        private func expectPage(_ host: String, through proxy: Server, http: String, _ fault: Fault) async throws {
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/secret", "--http\(http)")
            // The forged session itself is in order, or curl would not read the page.
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.connectStatus == 200)
            #expect(fetched.status == 502)
            #expect(fetched.httpVersion == http)
            for text in fault.texts + ["At fault: the origin", fault.code, "--tunnel HOST", host] {
                #expect(fetched.text.contains(text), "no '\(text)' in \(fetched.text)")
            }
            let record = try await proxy.connection(to: host)
            #expect(record.answered == 502)
            #expect(record.failure?.party == "origin")
            #expect(record.failure?.code == fault.code)
            #expect(record.failure?.phase == "originHandshake")
            #expect(record.originSession == nil)
            #expect(record.clientSession?.alpn == (http == "2" ? "h2" : "http/1.1"))
            // The request stayed with the proxy.
            #expect(record.closed.clientBytes > 0)
            #expect(record.closed.originBytes == 0)
        }

        @Test(.needs(.curl)) func `an origin that does not speak TLS is told too`() async throws {
            let host = try stage.newHost()
            // A proxy closes the connection of whoever speaks TLS to it.
            let proxy = try await stage.startProxy(resolving: [host], to: stage.proxy.port)
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(fetched.status == 502)
            #expect(fetched.text.contains("the origin ended the handshake"))
            let record = try await proxy.connection(to: host)
            #expect(record.failure?.party == "origin")
            #expect(record.failure?.code == "originHandshake")
            try await proxy.stop()
        }

        @Test(.needs(.curl)) func `an origin that is down is told on CONNECT`() async throws {
            let host = try stage.newHost()
            let port = try UnservedPort()
            let proxy = try await stage.startProxy(resolving: [host], to: port.number)
            let fetched = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(fetched.code == .exit(56))
            #expect(fetched.connectStatus == 502)

            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(host):443 HTTP/1.1\r\n\r\n"))
            let answer = try await connection.receive()
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(
                answer.hasSuffix(
                    """
                    \r
                    \r
                    pinproof: no connection to \(host):443: connect to 127.0.0.1:\(port.number): Connection refused \
                    (errno 111)
                    To mend it: check that the origin is up and reachable from here

                    """))
            let record = try await proxy.connections(2) { $0.host == host }[0]
            #expect(record.failure?.code == "connectionFailed")
            #expect(record.failure?.party == "origin")
            #expect(record.closed.by == "origin")
            try await proxy.stop()
        }
    }
}
