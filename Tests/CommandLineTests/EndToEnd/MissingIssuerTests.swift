import Authority
import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// C63: an origin that shows its leaf only, and the file that would complete its chain.
    @Suite struct MissingIssuerTests {
        /// Serves one file to everybody.
        private static let publisher = """
            import http.server, sys
            class Publisher(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    body = open(sys.argv[1], "rb").read()
                    self.send_response(200)
                    self.send_header("Content-Type", "application/pkix-cert")
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words): pass
            server = http.server.HTTPServer(("127.0.0.1", 0), Publisher)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """

        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        @Test("C63: --aia completes the chain of an origin that shows its leaf only", .needs(.curl), .needs(.python))
        func completesTheChain() async throws {
            let now = Int64(Date.now.timeIntervalSince1970)
            let intermediate = try stage.publicAuthority.issue(
                .authority(
                    subject: [("CN", "Intermediate")], notBefore: now - 3600, notAfter: now + 3600))
            let file = try folder.file("ca.cer", intermediate.chain[0].der)
            let publisher = try RealClient.python.start(["-c", Self.publisher, file.path])
            let port = try await publisher.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }

            var template = CertificateTemplate.server(
                names: [.dns(MutualRoute.host)], notBefore: now - 3600, notAfter: now + 3600)
            template.otherExtensions = [Self.issuerLocation("http://127.0.0.1:\(port)/ca.cer")]
            let leaf = try template.identity(issuer: intermediate)
            let certificate = try folder.file("leaf.pem", Array(leaf.chain[0].pem.utf8)).path
            let key = try folder.privateFile("leaf.key", leaf.key.pem())
            let origin = try await Server(["origin", "--cert", certificate, "--key", key])

            let closed = try await MutualRoute(stage, to: origin.port)
            let refused = try await closed.fetch()
            #expect(refused.status == 502)
            for text in ["intermediate missing (issuer CN=Intermediate)", "fetch it with --aia"] {
                #expect(refused.text.contains(text), "\(refused.text)")
            }
            try await closed.end()

            let open = try await MutualRoute(stage, to: origin.port, proxy: ["--aia"])
            #expect(try await open.fetch().status == 200)
            try await open.end()
            try await origin.stop()
            publisher.signal(SIGTERM)
        }

        /// authorityInfoAccess with one caIssuers location of less than 100 octets (RFC 5280 section 4.2.2.1).
        private static func issuerLocation(_ url: String) -> CertificateTemplate.RawExtension {
            let method: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]
            let access = method + [0x86, UInt8(url.utf8.count)] + Array(url.utf8)
            return .init(
                identifier: "1.3.6.1.5.5.7.1.1", isCritical: false,
                value: [0x30, UInt8(access.count + 2), 0x30, UInt8(access.count)] + access)
        }
    }
}
