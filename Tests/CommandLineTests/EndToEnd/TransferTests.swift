import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Much data, many connections, slow readers: what passes is what was sent, and memory stays bounded.
    @Suite struct TransferTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        private static let size = 64 << 20

        @Test(.needs(.curl), .needs(.openssl), arguments: ["--http1.1", "--http2"])
        func `64 MiB come and go without a changed octet`(version: String) async throws {
            let host = try stage.newHost()
            let curl = Curl(through: stage.proxy.port, trusting: stage.proxyCA)
            let pattern = try folder.file("pattern", PatternBody.bytes(Self.size)).path
            let digest = try await digest(of: pattern)

            let down = try await curl.fetch(
                "https://\(host)/bytes/64M", version, "--output", folder.path("down"))
            #expect(down.code == .exit(0), "\(down.complaint)")
            #expect(try await self.digest(of: folder.path("down")) == digest)

            let up = try await curl.fetch("https://\(host)/upload", version, "--upload-file", pattern)
            #expect(up.code == .exit(0), "\(up.complaint)")
            let seen = try up.seen
            #expect(seen.method == "PUT")
            #expect(seen.bodyBytes == Self.size)
            #expect(seen.bodySHA256 == digest)

            let records = try await stage.proxy.connections(2) { $0.host == host }
            #expect(records.contains { $0.closed.originBytes > Self.size && $0.closed.clientBytes < 1 << 16 })
            #expect(records.contains { $0.closed.clientBytes > Self.size && $0.closed.originBytes < 1 << 16 })
        }

        @Test(.needs(.curl)) func `50 connections at once`() async throws {
            let host = try stage.newHost()
            let expected = PatternBody.bytes(100_000)
            let run = try await Curl(through: stage.proxy.port, trusting: stage.proxyCA).start(
                "https://\(host)/bytes/100000?[1-50]",
                [
                    "--http1.1", "--parallel", "--parallel-immediate", "--parallel-max", "50", "--output",
                    folder.path("#1"),
                ]
            ).end()
            #expect(run.ending == .exit(0), "\(run.errorText.prefix(1000))")
            #expect(try (1...50).filter { try folder.bytes("\($0)") != expected } == [])
            let records = try await stage.proxy.connections(50) { $0.host == host }
            #expect(records.count == 50)
            #expect(records.allSatisfy { $0.failure == nil && $0.closed.originBytes > 100_000 })
        }

        /// Asks for a gigabyte on each of four connections, reads a little of each and then no more.
        private static let slowReader = """
            import signal, socket, ssl, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            sockets = []
            for host in sys.argv[3:]:
                plain = socket.create_connection(("127.0.0.1", int(sys.argv[2])), 60)
                plain.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\n\\r\\n".encode())
                answer = b""
                while not answer.endswith(b"\\r\\n\\r\\n"): answer += plain.recv(1)
                secure = context.wrap_socket(plain, server_hostname=host)
                secure.sendall(f"GET /bytes/1G HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n".encode())
                secure.recv(1000)
                sockets.append(secure)
            print("reading no more", flush=True)
            signal.pause()
            """

        /// One worker shares its time fairly.
        ///
        /// While somebody reads 64 MiB, four others who do not read would be given as much if nothing held it back.
        @Test(
            .needs(.curl), .needs(.python), .enabled(if: !isSanitized, "a sanitizer keeps what was freed"))
        func `who does not read costs bounded memory`() async throws {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], ["--workers", "1"])
            let before = try Self.peakMemory(of: proxy.process.id)
            let slow = try RealClient.python.start(
                ["-c", Self.slowReader, stage.proxyCA, "\(proxy.port)"] + Array(repeating: host, count: 4))
            _ = try await slow.wait(for: "the readers to stop") { $0.lines.first }
            let fast = try await Curl(through: proxy.port, trusting: stage.proxyCA).fetch(
                "https://\(host)/bytes/64M", "--http1.1", "--output", "/dev/null")
            #expect(fast.code == .exit(0), "\(fast.complaint)")
            let after = try Self.peakMemory(of: proxy.process.id)
            #expect(after < before + 16 << 10, "\(before) kB before, \(after) kB after")
            slow.signal(SIGKILL)
            _ = try await proxy.connections(5) { $0.host == host }
            try await proxy.stop()
        }

        /// The most memory that a process ever had, in kB: proc(5).
        private static func peakMemory(of id: pid_t) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
        }

        private func digest(of file: String) async throws -> String {
            let printed = try await RealClient.openssl.run("dgst", "-sha256", "-r", file)
            return String(try #require(printed.outputText.split(separator: " ").first))
        }
    }
}

/// Whether this is a build with a sanitizer, whose library brings one of these functions.
private let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// The body of `/bytes/SIZE`, made from the description of `BodyPattern` rather than by the program.
private enum PatternBody {
    static func bytes(_ size: Int) -> [UInt8] {
        var state: UInt64 = 0
        let block = (0..<65_521).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + block.count)
        while bytes.count < size { bytes += block }
        return Array(bytes[..<size])
    }
}
