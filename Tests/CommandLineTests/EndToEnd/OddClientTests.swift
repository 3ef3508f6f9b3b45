import Foundation
import Testing

extension EndToEnd {
    /// Clients that do not speak as a client of a proxy should.
    @Suite struct OddClientTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test(.needs(.curl)) func `plain HTTP is not relayed`() async throws {
            let host = try stage.newHost()
            let fetched = try await Curl(through: stage.proxy.port, trusting: stage.proxyCA).fetch("http://\(host)/a?b")
            #expect(fetched.status == 501)
            #expect(fetched.text.contains("plain HTTP has no certificate"))
            #expect(fetched.text.contains("To mend it: use https://"))
            let record = try await stage.proxy.connections { $0.target == "http://\(host)/a?b" }[0]
            #expect(record.failure?.code == "plainHTTPRequest")
            #expect(record.failure?.party == "client")
        }

        @Test(.needs(.curl)) func `the proxy is no web server and says so`() async throws {
            let fetched = try await RealClient.curl.run(
                "--disable", "--silent", "--noproxy", "*", "http://127.0.0.1:\(stage.proxy.port)/status")
            #expect(fetched.ending == .exit(0))
            #expect(fetched.outputText.contains("this is the port of the Pinproof proxy, not a web server"))
            let record = try await stage.proxy.connections { $0.target == "/status" }[0]
            #expect(record.failure?.code == "notAProxyRequest")
        }

        @Test(arguments: [
            "CONNECT example.com HTTP/1.1\r\n\r\n", "CONNECT :443 HTTP/1.1\r\n\r\n",
            "CONNECT example.com:99999 HTTP/1.1\r\n\r\n", "CONNECT example.com:443x HTTP/1.1\r\n\r\n",
            "CONNECT exa mple.com:443 HTTP/1.1\r\n\r\n", "CONNECT https://example.com:443/ HTTP/1.1\r\n\r\n",
            "CONNECT [::1:443 HTTP/1.1\r\n\r\n", "CONNECT \u{0}:443 HTTP/1.1\r\n\r\n", "CONNECT\r\n\r\n",
            "connect example.com:443 HTTP/1.1\r\n\r\n", "CONNECT example.com:443 HTTP/9\r\n\r\n",
            "\r\n\r\n\u{1}\r\n\r\n",
        ])
        func `garbage is refused in words`(request: String) async throws {
            let connection = try PlainConnection(to: stage.proxy.port)
            #expect(await connection.send(request))
            let answer = try await connection.receive()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
            #expect(answer.contains("\r\n\r\npinproof: "))
        }

        @Test(.needs(.curl)) func `a mebibyte of noise is survived`() async throws {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], ["--workers", "1"])
            // Linear congruential noise (Knuth's MMIX): no greeting of any kind, and one endless line.
            var state: UInt64 = 1
            let noise = (0..<(1 << 20)).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            for bytes in [noise, [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)] {
                let connection = try PlainConnection(to: proxy.port)
                // Whether all of it is taken is the proxy's business.
                _ = await connection.send(bytes)
                connection.finishSending()
                #expect(try await connection.receive().hasPrefix("HTTP/1.1 4"))
            }
            let records = try await proxy.connections(2) { $0.host == nil }
            #expect(records.map(\.failure?.code) == ["greetingMalformed", "greetingTooLarge"])
            let after = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch("https://\(host)/")
            #expect(after.status == 200)
            try await proxy.stop()
        }

        @Test(.needs(.openssl)) func `C84: TLS to the proxy itself is named`() async throws {
            let proxy = try await stage.startProxy(resolving: [])
            let client = try await RealClient.openssl.run("s_client", "-connect", "127.0.0.1:\(proxy.port)")
            #expect(client.ending == .exit(1))
            let record = try await proxy.connections { _ in true }[0]
            #expect(record.failure?.code == "tlsWithoutConnect")
            #expect(record.failure?.hint?.contains("HTTPS proxy") == true)
            try await proxy.stop()
        }

        @Test(.needs(.curl)) func `C84: curl with an https proxy is refused clearly`() async throws {
            let proxy = try await stage.startProxy(resolving: [])
            let run = try await RealClient.curl.run(
                "--disable", "--silent", "--show-error", "--noproxy", "", "--proxy", "https://127.0.0.1:\(proxy.port)",
                "--proxy-cacert", stage.proxyCA, "https://\(try stage.newHost())/")
            // CURLE_SSL_CONNECT_ERROR, at once: libcurl-errors(3).
            #expect(run.ending == .exit(35), "\(run.errorText)")
            let record = try await proxy.connections { _ in true }[0]
            #expect(record.failure?.code == "tlsWithoutConnect")
            #expect(record.failure?.party == "client")
            try await proxy.stop()
        }

        /// What is not TLS is relayed as it is.
        ///
        /// The origin does not take it, and that is what the client hears.
        @Test func `C34: plain HTTP inside the tunnel reaches the origin`() async throws {
            let host = try stage.newHost()
            let connection = try PlainConnection(to: stage.proxy.port)
            #expect(await connection.send("CONNECT \(host):443 HTTP/1.1\r\n\r\n"))
            #expect(try await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            let request = "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"
            #expect(await connection.send(request))
            connection.finishSending()
            // A TLS server answers with nothing or with an alert, never with a page of ours.
            #expect(try await !connection.receive().contains("HTTP"))
            let record = try await stage.proxy.connection(to: host)
            #expect(record.notTLS == "otherProtocol")
            #expect(record.failure == nil)
            #expect(record.closed.clientBytes == request.utf8.count)
            #expect(record.answered == nil)
        }

        @Test("C34: an origin that greets first is heard through the tunnel", .needs(.python))
        func originFirst() async throws {
            let host = try stage.newHost()
            let server = try RealClient.python.start([
                "-c",
                """
                import socket, time
                listener = socket.create_server(("127.0.0.1", 0))
                print(listener.getsockname()[1], flush=True)
                peer, _ = listener.accept()
                time.sleep(0.2)
                peer.sendall(b"SSH-2.0-example\\r\\n")
                print(peer.recv(100).decode(), flush=True)
                peer.close()
                """,
            ])
            let port = try await server.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            let proxy = try await stage.startProxy(
                resolving: [], ["--resolve", "\(host):22:127.0.0.1:\(port)", "--intercept", host])
            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(host):22 HTTP/1.1\r\n\r\n"))
            #expect(try await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            #expect(try await connection.receive(until: "\r\n") == "SSH-2.0-example\r\n")
            #expect(await connection.send("SSH-2.0-client"))
            #expect(try await connection.receive() == "")
            connection.finishSending()
            #expect(try await server.end().lines.last == "SSH-2.0-client")
            let record = try await proxy.connection(to: host)
            #expect(record.notTLS == "originFirst")
            #expect(record.failure == nil)
            try await proxy.stop()
        }

        /// A ClientHello of 512 octets is announced, and this is all that comes of it.
        private static let partOfAHello: [UInt8] =
            [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + Array(repeating: 7, count: 64)

        @Test func `who stops in the middle of the hello is let go`() async throws {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(
                resolving: [host], ["--hello-timeout", "0.3", "--greeting-timeout", "0.3"])
            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(host):443 HTTP/1.1\r\n\r\n"))
            #expect(try await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            #expect(await connection.send(Self.partOfAHello))
            #expect(try await connection.receive() == "")
            let record = try await proxy.connection(to: host)
            #expect(record.failure?.code == "timeout")
            #expect(record.failure?.party == "client")
            #expect(record.failure?.phase == "hello")
            #expect(record.failure?.detail == "the ClientHello stayed incomplete (75 octets)")
            #expect(record.clientSession == nil)

            // The same for who stops in the middle of the request, and for who says nothing at all.
            let halting = try PlainConnection(to: proxy.port)
            #expect(await halting.send("CONNECT \(host):443 HTT"))
            #expect(try await halting.receive().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            #expect(try await PlainConnection(to: proxy.port).receive() == "")
            let others = try await proxy.connections(2) { $0.host == nil }
            #expect(others.allSatisfy { $0.failure?.code == "timeout" && $0.failure?.phase == "greeting" })
            try await proxy.stop()
        }
    }
}
