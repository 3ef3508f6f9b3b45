import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// Hellos that are cut, padded, limited or named as few clients do, by real TLS libraries.
    @Suite struct OddHelloTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
        }

        private func startProxy(_ options: [String] = []) async throws -> Server {
            try await stage.startProxy(resolving: [host], options + ["--transcript", folder.path("run.jsonl")])
        }

        private func transcript(_ proxy: Server) async throws -> [TranscriptLine] {
            try await proxy.stop()
            return try TranscriptLine.read(folder.path("run.jsonl"))
        }

        /// The names of the only leaf that was forged.
        private func leaf(_ lines: [TranscriptLine]) throws -> Certificate {
            let digest = try #require(lines.first { $0.event == "forged" }?.text("digest"))
            let der = lines.first { $0.event == "certificate" && $0.text("digest") == digest }?.text("der")
            return try Certificate(der: [UInt8](try #require(der.flatMap { Data(base64Encoded: $0) })))
        }

        // MARK: C31, C66

        /// Makes a hello, cuts it anew, and goes on as usual.
        private static let cuttingClient = """
            import socket, ssl, sys
            port, host, ca, record, segment, padding = sys.argv[1:]
            record, segment, padding = int(record), int(segment), int(padding)
            plain = socket.create_connection(("127.0.0.1", int(port)), 60)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plain.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\n\\r\\n".encode())
            answer = b""
            while not answer.endswith(b"\\r\\n\\r\\n"): answer += plain.recv(1)
            received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
            context = ssl.create_default_context(cafile=ca)
            if padding: context.set_alpn_protocols(["http/1.1"] + [f"{n:0200}" for n in range(padding // 200)])
            session = context.wrap_bio(received, sent, server_hostname=host)
            try: session.do_handshake()
            except ssl.SSLWantReadError: pass
            hello = sent.read()
            if record:
                body = hello[5:]
                pieces = [body[i:i + record] for i in range(0, len(body), record)]
                hello = b"".join(hello[:3] + len(piece).to_bytes(2, "big") + piece for piece in pieces)
            # A first octet alone, then pieces of a size.
            plain.sendall(hello[:1])
            for i in range(1, len(hello), segment): plain.sendall(hello[i:i + segment])
            def step(action):
                while True:
                    try: return action()
                    except ssl.SSLWantReadError: pass
                    finally:
                        if sent.pending: plain.sendall(sent.read())
                    received.write(plain.recv(65536))
            step(session.do_handshake)
            session.write(f"GET / HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n".encode())
            print(len(hello), step(lambda: session.read(65536)).split(b"\\r\\n")[0].decode())
            """

        @Test(
            .needs(.python),
            arguments: [
                (64, 100_000, 0), (1, 100_000, 0), (0, 1, 0), (1, 1, 0), (0, 1400, 2000), (0, 1400, 4000),
                (64, 7, 4000),
            ])
        func `C31, C66: a hello in many pieces, and a long one, is one hello`(
            record: Int, segment: Int, padding: Int
        ) async throws {
            let proxy = try await startProxy()
            let run = try await RealClient.python.run(
                "-c", Self.cuttingClient, "\(proxy.port)", host, stage.proxyCA, "\(record)", "\(segment)", "\(padding)")
            #expect(run.outputText.hasSuffix(" HTTP/1.1 200 OK\n"), "\(run.outputText)\(run.errorText)")
            #expect(try #require(Int(run.outputText.prefix { $0 != " " })) > padding)
            let hellos = try await transcript(proxy).filter { $0.event == "hello" }
            #expect(hellos.map { $0.text("serverName") } == [host])
        }

        // MARK: C59, C67

        @Test(
            .needs(.openssl),
            arguments: ["../../etc/x", "h:443", "b\u{fc}cher.test", "*.pinproof.test", "\u{1b}[2Ja.test", "a\nb.test"])
        func `C59, C60: a server name that is none is written escaped, and the leaf is for the host`(
            name: String
        ) async throws {
            let proxy = try await startProxy()
            let shown = try await RealClient.openssl.run(
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(host):443", "-servername", name,
                "-CAfile", stage.proxyCA, "-verify_return_error", "-verify_hostname", host)
            #expect(shown.outputText.contains("Verify return code: 0 (ok)"), "\(shown.errorText)")
            let record = try await proxy.connection(to: host)
            #expect(record.failure == nil)
            let lines = try await transcript(proxy)
            #expect(lines.first { $0.event == "hello" }?.text("serverName") != nil)
            #expect(try leaf(lines).subjectAltNames == ["DNS:\(host)"])
            // Printable ASCII and the ends of lines, whatever the name was.
            let written = try folder.bytes("run.jsonl")
            #expect(written.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
            #expect(written.count { $0 == 0x0A } == lines.count)
        }

        @Test(.needs(.openssl)) func `C67: where the hello and CONNECT disagree, the leaf is for the hello's name`()
            async throws
        {
            let outer = try stage.newHost()
            let proxy = try await startProxy()
            let shown = try await RealClient.openssl.run(
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(host):443", "-servername", outer,
                "-CAfile", stage.proxyCA, "-verify_return_error", "-verify_hostname", outer)
            #expect(shown.outputText.contains("Verify return code: 0 (ok)"), "\(shown.errorText)")
            let lines = try await transcript(proxy)
            #expect(lines.first { $0.event == "requested" }?.text("target") == "\(host):443")
            #expect(lines.first { $0.event == "hello" }?.text("serverName") == outer)
            #expect(try leaf(lines).subjectAltNames == ["DNS:\(outer)"])
        }

        // MARK: C85

        /// A CA on P-521, as a user may have one.
        private func largeAuthority() async throws -> [String] {
            let (certificate, key) = (folder.path("p521.pem"), folder.path("p521.key"))
            let made = try await RealClient.openssl.run(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521", "-nodes", "-keyout", key,
                "-out",
                certificate, "-days", "30", "-subj", "/CN=P-521", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
            try #require(made.ending == .exit(0), "\(made.errorText)")
            return ["--ca", certificate, "--ca-key", key]
        }

        private func limitedClient(_ proxy: Server, _ options: String...) async throws -> ChildProcess.Progress {
            try await RealClient.openssl.start(
                [
                    "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "\(host):443", "-servername", host,
                    "-CAfile", folder.path("p521.pem"), "-verify_return_error", "-verify_hostname", host,
                ] + options
            ).end()
        }

        @Test(.needs(.openssl), arguments: ["-tls1_2", "-tls1_3"])
        func `C85: below a CA on P-521 the leaf has a key that clients know`(version: String) async throws {
            let proxy = try await startProxy(largeAuthority())
            let shown = try await limitedClient(proxy, version, "-curves", "P-256", "-sigalgs", "ECDSA+SHA256")
            #expect(shown.outputText.contains("Verify return code: 0 (ok)"), "\(shown.errorText)")
            let lines = try await transcript(proxy)
            #expect(try leaf(lines).keyDescription == "EC P-256")
        }

        @Test(.needs(.openssl))
        func `C85: a client that knows no signature of ours is told apart from one that refuses`() async throws {
            let proxy = try await startProxy(largeAuthority())
            let shown = try await limitedClient(proxy, "-tls1_3", "-sigalgs", "ed448")
            #expect(shown.outputText.contains("no peer certificate available"))
            let record = try await proxy.connection(to: host)
            #expect(record.failure?.code == "clientHandshake")
            #expect(record.failure?.detail.contains("signature algorithm") == true, "\(record)")
            #expect(record.clientSession == nil)
            try await proxy.stop()
        }
    }
}
