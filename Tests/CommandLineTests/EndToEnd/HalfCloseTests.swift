import Foundation
import Testing

extension EndToEnd {
    /// One direction may end before the other, and nothing is lost at the end of either.
    @Suite struct HalfCloseTests {
        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        /// s_client sends its input, then close_notify and FIN at once; all of it has to reach s_server before them.
        @Test(.needs(.openssl)) func `everything before close_notify arrives`() async throws {
            let folder = try TemporaryFolder()
            let identity = try stage.mint(.everyHost)
            let server = try RealClient.openssl.start(
                [
                    "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-cert", identity.certificate, "-key",
                    identity.key,
                ], input: .test)
            let port = try await server.wait(for: "its port") { progress in
                progress.lines.first { $0.hasPrefix("ACCEPT") }.flatMap { Int($0.split(separator: ":").last ?? "") }
            }
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(
                resolving: [host], to: port, ["--transcript", folder.path("run.jsonl")])
            let lines = (1...20_000).map { "line \($0) of those that s_client sends\n" }.joined()
            let input = try folder.file("input", Array(lines.utf8)).path
            let client = try await RealClient.openssl.run(
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(host):443", "-servername", host,
                "-CAfile", stage.proxyCA, "-verify_return_error", "-nocommands", input: .file(input))
            #expect(client.ending == .exit(0), "\(client.errorText)")
            let served = try await server.end()
            #expect(served.outputText.contains(lines))

            let record = try await proxy.connection(to: host)
            #expect(record.closed.by == "client")
            #expect(record.closed.client?.how == "closeNotify")
            #expect(record.closed.clientBytes == lines.utf8.count)
            try await proxy.stop()
            let events = try TranscriptLine.read(folder.path("run.jsonl"))
            // The origin was told in the same way: it answered with its own close_notify.
            let ends = events.filter { $0.event == "ended" }.map { [$0.text("side"), $0.text("end.how")] }
            #expect(ends.first == ["client", "closeNotify"])
            #expect(ends.contains(["origin", "closeNotify"]))
        }

        /// Ends its own direction of TLS and TCP before it reads the answer.
        private static let client = """
            import socket, ssl, sys
            plain = socket.create_connection(("127.0.0.1", int(sys.argv[2])), 60)
            plain.sendall(f"CONNECT {sys.argv[3]}:443 HTTP/1.1\\r\\n\\r\\n".encode())
            answer = b""
            while not answer.endswith(b"\\r\\n\\r\\n"): answer += plain.recv(1)
            received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
            session = ssl.create_default_context(cafile=sys.argv[1]).wrap_bio(received, sent, server_hostname=sys.argv[3])
            def step(action):
                while True:
                    try: return action()
                    except ssl.SSLWantReadError: pass
                    finally:
                        if sent.pending: plain.sendall(sent.read())
                    received.write(plain.recv(65536))
            step(session.do_handshake)
            session.write(f"GET /bytes/3M HTTP/1.1\\r\\nHost: {sys.argv[3]}\\r\\n\\r\\n".encode())
            try: session.unwrap()
            except ssl.SSLWantReadError: plain.sendall(sent.read())
            plain.shutdown(socket.SHUT_WR)
            total = 0
            while True:
                try: total += len(step(lambda: session.read(65536)))
                except ssl.SSLZeroReturnError: break
            print(total)
            """

        @Test(.needs(.python)) func `the answer comes after the client's end`() async throws {
            let host = try stage.newHost()
            let run = try await RealClient.python.run(
                "-c", Self.client, stage.proxyCA, "\(stage.proxy.port)", host)
            #expect(run.ending == .exit(0), "\(run.errorText)")
            let total = try #require(Int(run.lines.first ?? ""))
            #expect(total > 3 << 20)
            #expect(total < (3 << 20) + 1000)
            let record = try await stage.proxy.connection(to: host)
            #expect(record.closed.by == "client")
            #expect(record.closed.client?.how == "closeNotify")
            #expect(record.closed.origin?.how == "closeNotify")
            #expect(record.closed.originBytes == total)
        }

        /// The same in a tunnel, where FIN is all there is: the origin sees the end of what was asked and can still answer.
        private static let server = """
            import socket
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            connection = listener.accept()[0]
            received = b""
            while piece := connection.recv(65536): received += piece
            connection.sendall(received[::-1])
            connection.close()
            """

        @Test(.needs(.python)) func `a tunnel passes on FIN`() async throws {
            let server = try RealClient.python.start(["-c", Self.server])
            let port = try await server.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], to: port, ["--tunnel", host])
            let connection = try PlainConnection(to: proxy.port)
            #expect(await connection.send("CONNECT \(host):443 HTTP/1.1\r\n\r\nbytes right after"))
            #expect(try await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            #expect(await connection.send(" and some later"))
            connection.finishSending()
            #expect(try await connection.receive() == String("bytes right after and some later".reversed()))
            let record = try await proxy.connection(to: host)
            #expect(record.closed.client?.how == "fin")
            #expect(record.closed.origin?.how == "fin")
            #expect(record.closed.by == "client")
            try await proxy.stop()
        }
    }
}
