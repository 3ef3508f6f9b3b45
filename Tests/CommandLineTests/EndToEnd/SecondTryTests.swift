import Foundation
import Testing

extension EndToEnd {
    /// C52: an origin that drops every hello with HTTP/2 in it, and a real client that offers it.
    @Suite struct SecondTryTests {
        /// Accepts TLS only from whom does not offer h2, and says for each caller what became of it.
        private static let server = """
            import socket, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            context.set_alpn_protocols(["http/1.1"])
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                caller, _ = listener.accept()
                if b"\\x02h2" in caller.recv(65536, socket.MSG_PEEK):
                    print("dropped", flush=True)
                    caller.close()
                    continue
                with context.wrap_socket(caller, server_side=True) as session:
                    while b"\\r\\n\\r\\n" not in session.recv(65536): pass
                    print("served", flush=True)
                    session.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\nConnection: close\\r\\n\\r\\nhello")
            """

        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test("C52: curl gets its answer from an origin that drops an h2 offer", .needs(.curl), .needs(.python))
        func curlGetsItsAnswer() async throws {
            let files = stage.originIdentity
            let server = try RealClient.python.start(["-c", Self.server, files.certificate, files.key])
            let port = try await server.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            let route = try await MutualRoute(stage, to: port)
            for _ in 1...2 {
                let fetched = try await route.fetch("--http2")
                #expect(fetched.code == .exit(0), "\(fetched.complaint)")
                #expect(fetched.status == 200)
                #expect(fetched.text == "hello")
                #expect(fetched.httpVersion == "1.1")
            }
            try await route.end()
            let seen = try await server.wait(for: "its callers") { progress in
                progress.lines.count >= 4 ? progress.lines.dropFirst().map(String.init) : nil
            }
            // Dropped once only: the proxy remembers.
            #expect(seen == ["dropped", "served", "served"])
            server.signal(SIGTERM)
        }
    }
}
