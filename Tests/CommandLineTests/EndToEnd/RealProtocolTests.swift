import Foundation
import Testing

extension EndToEnd {
    /// Protocols that are not a request and an answer, spoken through the proxy by programs that others wrote.
    @Suite struct RealProtocolTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
        }

        /// Starts a server, a proxy on the way to it and a client, each a program in Python; returns what the client
        /// printed and what the proxy said of the connection.
        ///
        /// The server is given the files with its certificate and key and prints its port; the client is given the proxy's
        /// port, the host and the file with the proxy's CA.
        private func run(
            server: String, client: String, environment: (Int) -> [String: String] = { _ in [:] }
        ) async throws -> (lines: [String], record: ConnectionRecord) {
            let files = stage.originIdentity
            let server = try RealClient.python.start(["-c", server, files.certificate, files.key])
            let port = try await server.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            return try await run(client: client, to: port, environment: environment)
        }

        private func run(
            client: String, to port: Int, environment: (Int) -> [String: String] = { _ in [:] }
        ) async throws -> (lines: [String], record: ConnectionRecord) {
            let proxy = try await stage.startProxy(resolving: [host], to: port, ["--refuse", "*", "--intercept", host])
            let run = try await RealClient.python.start(
                ["-c", client, "\(proxy.port)", host, stage.proxyCA], environment: environment(proxy.port)
            ).end()
            #expect(run.ending == .exit(0), "\(run.errorText)")
            let record = try await proxy.connection(to: host)
            #expect(record.decision == "intercept")
            #expect(record.failure == nil)
            #expect(record.clientSession != nil && record.originSession != nil)
            try await proxy.stop()
            return (run.lines.map(String.init), record)
        }

        // MARK: WebSocket

        /// Sends back what it gets, and a greeting before anything is asked.
        private static let webSocketServer = """
            import asyncio, ssl, sys, websockets
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            async def serve(socket):
                await socket.send("welcome")
                async for message in socket: await socket.send(message)
            async def main():
                async with websockets.serve(serve, "127.0.0.1", 0, ssl=context, max_size=None) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.Future()
            asyncio.run(main())
            """

        private static let webSocketClient = """
            import asyncio, hashlib, socket, ssl, sys, websockets
            port, host, ca = sys.argv[1:]
            plain = socket.create_connection(("127.0.0.1", int(port)), 60)
            plain.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\n\\r\\n".encode())
            answer = b""
            while not answer.endswith(b"\\r\\n\\r\\n"): answer += plain.recv(1)
            context = ssl.create_default_context(cafile=ca)
            async def main():
                async with websockets.connect(
                        f"wss://{host}/chat", sock=plain, ssl=context, server_hostname=host, max_size=None,
                        compression=None) as peer:
                    print(await peer.recv())
                    await peer.send("grüße")
                    print(await peer.recv())
                    message = bytes(range(256)) * 8192
                    await peer.send(message)
                    answer = await peer.recv()
                    print(len(answer), hashlib.sha256(answer).digest() == hashlib.sha256(message).digest())
                    await (await peer.ping(b"are you there"))
                    print("pong")
                print(peer.close_code)
            asyncio.run(main())
            """

        @Test(.needs(.python), .needs(.websockets)) func `C77: WebSocket passes, in text, binary, pings and its end`()
            async throws
        {
            let (lines, record) = try await run(server: Self.webSocketServer, client: Self.webSocketClient)
            #expect(lines == ["welcome", "grüße", "2097152 True", "pong", "1000"])
            #expect(record.closed.clientBytes > 2 << 20)
            #expect(record.closed.originBytes > 2 << 20)
        }

        // MARK: gRPC

        /// Methods over bare bytes: one answers, one refuses in its trailers, one streams both ways.
        private static let grpcServer = """
            import grpc, sys
            from concurrent import futures
            def echo(request, context):
                context.set_trailing_metadata((("x-octets", str(len(request))),))
                return request
            def refuse(request, context):
                context.set_trailing_metadata((("x-why", "because"),))
                context.abort(grpc.StatusCode.NOT_FOUND, "no such thing: \\u00e4")
            def stream(requests, context):
                for request in requests: yield request[::-1]
            handlers = grpc.method_handlers_generic_handler("test.Echo", {
                "Echo": grpc.unary_unary_rpc_method_handler(echo),
                "Refuse": grpc.unary_unary_rpc_method_handler(refuse),
                "Stream": grpc.stream_stream_rpc_method_handler(stream)})
            server = grpc.server(futures.ThreadPoolExecutor(2))
            server.add_generic_rpc_handlers((handlers,))
            files = [open(name, "rb").read() for name in sys.argv[1:]]
            print(server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(files[1], files[0])])), flush=True)
            server.start()
            server.wait_for_termination()
            """

        private static let grpcClient = """
            import grpc, sys
            port, host, ca = sys.argv[1:]
            credentials = grpc.ssl_channel_credentials(open(ca, "rb").read())
            with grpc.secure_channel(host + ":443", credentials) as channel:
                call = channel.unary_unary("/test.Echo/Echo")
                message = bytes(range(256)) * 1024
                answer, outcome = call.with_call(message, timeout=50)
                print(answer == message, outcome.code().name, dict(outcome.trailing_metadata())["x-octets"])
                try: channel.unary_unary("/test.Echo/Refuse")(b"", timeout=50)
                except grpc.RpcError as error:
                    print(error.code().name, error.details(), dict(error.trailing_metadata())["x-why"])
                try: channel.unary_unary("/test.Echo/Missing")(b"", timeout=50)
                except grpc.RpcError as error: print(error.code().name)
                pieces = channel.stream_stream("/test.Echo/Stream")(iter([b"abc", b"", b"def"]), timeout=50)
                print([piece for piece in pieces])
            """

        @Test(.needs(.python), .needs(.grpc)) func `C71: gRPC passes, with the status in its trailers`() async throws {
            let (lines, record) = try await run(server: Self.grpcServer, client: Self.grpcClient) { port in
                ["https_proxy": "http://127.0.0.1:\(port)", "GRPC_VERBOSITY": "error"]
            }
            #expect(
                lines == [
                    "True OK 262144", "NOT_FOUND no such thing: ä because", "UNIMPLEMENTED", "[b'cba', b'', b'fed']",
                ])
            // Its own name for HTTP/2 comes first among those that it offers, and passes as well.
            #expect(["grpc-exp", "h2"].contains(record.clientSession?.alpn))
            #expect(record.originSession?.alpn == record.clientSession?.alpn)
        }

        // MARK: MQTT

        private static let mqttClient = """
            import hashlib, socks, sys, threading, paho.mqtt.client as mqtt
            port, host, ca = sys.argv[1:]
            message = bytes(range(256)) * 1024
            arrived = []
            done = threading.Event()
            def on_connect(client, data, flags, code):
                print("connected", code)
                client.subscribe([("thing/#", 2)])
            def on_subscribe(client, data, number, granted):
                for quality in (0, 1, 2): client.publish(f"thing/{quality}", message, quality)
            def on_message(client, data, received):
                arrived.append((received.topic, received.qos, received.payload == message))
                if len(arrived) == 3: done.set()
            client = mqtt.Client()
            client.proxy_set(proxy_type=socks.HTTP, proxy_addr="127.0.0.1", proxy_port=int(port))
            client.tls_set(ca_certs=ca)
            client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
            client.connect(host, 443)
            client.loop_start()
            print(done.wait(50))
            client.disconnect()
            client.loop_stop()
            for line in sorted(arrived): print(*line)
            """

        @Test(.needs(.python), .needs(.mosquitto), .needs(.paho), .needs(.socks))
        func `MQTT passes, in every quality of service`() async throws {
            // mosquitto takes no port 0, but takes over one that is reserved in a way that allows it.
            let reserved = try UnservedPort(mayBeTakenOver: true)
            let settings = """
                listener \(reserved.number) 127.0.0.1
                certfile \(stage.originIdentity.certificate)
                keyfile \(stage.originIdentity.key)
                allow_anonymous true
                user \(NSUserName())

                """
            let file = try folder.file("mosquitto.conf", Array(settings.utf8)).path
            let broker = try RealClient.mosquitto.start(["-c", file])
            _ = try await broker.wait(for: "its start") { $0.errorText.contains(" running") ? true : nil }
            let (lines, record) = try await run(client: Self.mqttClient, to: reserved.number)
            #expect(lines == ["connected 0", "True", "thing/0 0 True", "thing/1 1 True", "thing/2 2 True"])
            #expect(record.clientSession?.alpn == nil)
            #expect(record.closed.clientBytes > 3 << 18)
            #expect(record.closed.originBytes > 3 << 18)
        }
    }
}
