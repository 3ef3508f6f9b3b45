import Foundation
import Testing

extension EndToEnd {
    /// Origins that ask for a certificate when they have read the request: after the handshake in TLS 1.3, in another
    /// one in TLS 1.2.
    @Suite struct LateRequestTests {
        private let stage: Stage
        private let clients: ClientIdentities

        init() throws {
            stage = try EndToEnd.stage
            clients = stage.clients
        }

        /// A server that asks after the head of a request, reads the answer together with the body, and says what it got.
        ///
        /// It prints its port, then what came of asking.
        private static let program = """
            import socket, ssl, sys
            certificate, key, authority, protocol = sys.argv[1:]
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            context.load_verify_locations(authority)
            context.post_handshake_auth = True
            context.verify_mode = ssl.CERT_REQUIRED
            context.set_alpn_protocols([protocol])
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            plain, _ = listener.accept()
            plain.settimeout(50)
            try:
                client = context.wrap_socket(plain, server_side=True)
                received = client.recv(65536)
                while b"\\r\\n\\r\\n" not in received:
                    received += client.recv(65536)
                client.verify_client_post_handshake()
                if protocol == "http/1.1":
                    client.sendall(b"HTTP/1.1 100 Continue\\r\\n\\r\\n")
                    client.recv(65536)
                    subject = dict(part[0] for part in client.getpeercert()["subject"])
                    body = subject["commonName"].encode()
                    client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
                    client.unwrap()
                    print("answered", flush=True)
                else:
                    # The request reaches the client with the first bytes that follow it.
                    client.sendall(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                    while client.recv(65536):
                        pass
                    print("ended", flush=True)
            except ssl.SSLError as error:
                print(error.reason, flush=True)
            """

        private func startServer(_ protocolName: String) async throws -> (process: ChildProcess, port: Int) {
            let files = stage.originIdentity
            let server = try RealClient.python.start(
                ["-c", Self.program, files.certificate, files.key, clients.authority.certificate, protocolName])
            let port = try await server.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            return (server, port)
        }

        private func result(of server: ChildProcess) async throws -> String {
            String(try await server.end().lines.dropFirst().joined(separator: "\n"))
        }

        @Test(.needs(.curl), .needs(.python))
        func `C65: asked after the handshake, the identity is given on HTTP/1.1`() async throws {
            let (server, port) = try await startServer("http/1.1")
            let folder = try TemporaryFolder()
            let path = folder.path("run.jsonl")
            let route = try await MutualRoute(
                stage, to: port, proxy: ["--identity", "*=\(clients.app.pkcs12)", "--transcript", path])
            let fetched = try await route.fetch(
                "--http1.1", "--header", "Expect: 100-continue", "--expect100-timeout", "50", "--data", "body")
            #expect(fetched.status == 200, "\(fetched.complaint) \(fetched.text)")
            #expect(fetched.text == "app")
            #expect(try await result(of: server) == "answered")
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 1)
            let events = try TranscriptLine.read(path).filter { $0.event == "identity" }
            #expect(events.map { $0.text("side") } == ["origin"])
            #expect(events.first?.fields["chain"] as? [String] == [try clients.app.digest()])
            // Python's servers name nobody.
            #expect(events.first?.fields["authorities"] as? [String] == [])
        }

        /// The extension is for those who have something to give (RFC 8446 section 4.2.6).
        @Test(.needs(.curl), .needs(.python)) func `C65: without an identity nobody may ask later`() async throws {
            let (server, port) = try await startServer("http/1.1")
            let route = try await MutualRoute(stage, to: port)
            let fetched = try await route.fetch("--http1.1")
            #expect(fetched.status != 200)
            #expect(try await result(of: server) == "EXTENSION_NOT_RECEIVED")
            #expect(try await route.end().identityRequests == 0)
        }

        /// RFC 9113 section 9.2.3: on HTTP/2 such a request is an error.
        @Test(.needs(.curl), .needs(.python)) func `C65: on HTTP/2 nobody may ask later`() async throws {
            let (server, port) = try await startServer("h2")
            let route = try await MutualRoute(stage, to: port, proxy: ["--identity", "*=\(clients.app.pkcs12)"])
            let fetched = try await route.fetch("--http2")
            #expect(fetched.status == 0, "\(fetched.text)")
            // internal_error (80), which is what OpenSSL sends for its caller.
            #expect(try await result(of: server) == "TLSV1_ALERT_INTERNAL_ERROR")
            let record = try await route.proxy.connection(to: MutualRoute.host)
            #expect(record.failure?.party == "origin")
            #expect(record.failure?.code == "tlsProtocol")
            #expect(try await route.end().identitiesGiven == 0)
        }

        @Test(.needs(.curl), .needs(.openssl))
        func `C65: asked in a second handshake of TLS 1.2, the identity is given`() async throws {
            let server = try await OpenSSLServer(
                stage.originIdentity,
                // A handshake that resumes the session before it would ask for nothing.
                ["-tls1_2", "-crlf", "-no_resumption_on_reneg", "-CAfile", clients.authority.certificate], input: .test)
            let route = try await MutualRoute(stage, to: server.port, proxy: ["--identity", "*=\(clients.app.pkcs12)"])
            let curl = try Curl(through: route.proxy.port, trusting: stage.proxyCA).start(
                "https://\(MutualRoute.host)/", ["--http1.1"])
            _ = try await server.process.wait(for: "the request") { progress in
                progress.outputText.contains("GET / HTTP/1.1") ? true : nil
            }
            // s_server's command to ask for a certificate in a new handshake.
            try server.process.write("R\n")
            _ = try await server.process.wait(for: "the certificate") { progress in
                progress.errorText.contains("depth=0 CN = app\nverify return:1\n") ? true : nil
            }
            try server.process.write("HTTP/1.1 200 OK\nContent-Length: 4\n\ndone\n")
            let fetched = try Curl.Outcome(await curl.end())
            #expect(fetched.status == 200, "\(fetched.complaint)")
            #expect(fetched.text == "done")
            let host = try await route.end()
            #expect(host.identityRequests == 1)
            #expect(host.identitiesGiven == 1)
        }
    }
}
