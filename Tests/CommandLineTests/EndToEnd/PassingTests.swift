import Foundation
import Testing

extension EndToEnd {
    /// What curl makes of exchanges that proxies in the field have spoiled.
    @Suite struct PassingTests {
        private let stage: Stage
        private let folder: TemporaryFolder

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
        }

        /// Fetches from an origin of the test's own, by a proxy of its own.
        private func fetch(
            from origin: ScriptedOrigin, _ more: [String]
        ) async throws -> (outcome: Curl.Outcome, record: ConnectionRecord) {
            let host = try stage.newHost()
            let proxy = try await stage.startProxy(resolving: [host], to: origin.port)
            let fetched = try await Curl.Outcome(
                Curl(through: proxy.port, trusting: stage.proxyCA).start(
                    "https://\(host)/", ["--http1.1"] + more
                ).end())
            let record = try await proxy.connection(to: host)
            try await proxy.stop()
            return (fetched, record)
        }

        @Test(.needs(.curl), arguments: ["download", "upload"])
        func `C51: 200 KiB pass on HTTP/2, beyond its first window`(direction: String) async throws {
            let host = try stage.newHost()
            let size = 200 << 10
            let curl = Curl(through: stage.proxy.port, trusting: stage.proxyCA)
            if direction == "download" {
                let fetched = try await curl.fetch("https://\(host)/bytes/\(size)", "--http2")
                #expect(fetched.httpVersion == "2")
                #expect(fetched.code == .exit(0), "\(fetched.complaint)")
                #expect(fetched.body.count == size)
            } else {
                let file = try folder.file("body", [UInt8](repeating: 7, count: size)).path
                let fetched = try await curl.fetch("https://\(host)/upload", "--http2", "--upload-file", file)
                #expect(fetched.httpVersion == "2")
                #expect(fetched.code == .exit(0), "\(fetched.complaint)")
                #expect(try fetched.seen.bodyBytes == size)
            }
        }

        // MARK: C72

        private static let uploadSize = 2 << 20

        private func expectation(_ script: [ScriptedOrigin.Step]) async throws -> ScriptedOrigin {
            let steps = [ScriptedOrigin.Step.read("expect: 100-CONTINUE"), .read("\r\n\r\n")] + script
            return try await ScriptedOrigin(stage.originIdentity, steps)
        }

        private func upload(to origin: ScriptedOrigin) async throws -> (outcome: Curl.Outcome, record: ConnectionRecord)
        {
            let file = try folder.file("body", [UInt8](repeating: 7, count: Self.uploadSize)).path
            return try await fetch(
                from: origin,
                ["--header", "expect: 100-CONTINUE", "--expect100-timeout", "2", "--upload-file", file])
        }

        private static let stored = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nstored"

        @Test(.needs(.curl), .needs(.python), arguments: [true, false])
        func `C72: an expectation that is met, or not heard of, ends in an upload`(isMet: Bool) async throws {
            let origin = try await expectation(
                (isMet ? [.send("HTTP/1.1 100 Continue\r\n\r\n")] : [])
                    + [.readOctets(Self.uploadSize), .send(Self.stored)])
            let (fetched, record) = try await upload(to: origin)
            #expect(fetched.code == .exit(0), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            #expect(fetched.text == "stored")
            #expect(record.closed.clientBytes > Self.uploadSize)
            #expect(record.closed.clientBytes < Self.uploadSize + 1000)
        }

        @Test(.needs(.curl), .needs(.python), arguments: [("417 Expectation Failed", 417), ("401 Unauthorized", 401)])
        func `C72: a refusal arrives before anything is uploaded`(line: String, status: Int) async throws {
            let refusal = "HTTP/1.1 \(line)\r\nContent-Length: 4\r\nConnection: close\r\n\r\nno!\n"
            // After 417 curl asks once more without the expectation, on another connection, which is not served.
            let origin = try await expectation([.send(refusal)])
            let (fetched, record) = try await upload(to: origin)
            if status == 401 {
                #expect(fetched.code == .exit(0), "\(fetched.complaint)")
                #expect(fetched.status == 401)
                #expect(fetched.text == "no!\n")
            }
            #expect(record.closed.clientBytes < 1000)
            #expect(record.closed.originBytes == refusal.utf8.count)
            #expect(record.failure == nil)
        }

        // MARK: C75

        @Test(
            .needs(.curl), .needs(.python),
            arguments: [
                ("Content-Length: 1048576\r\n\r\n", "", 0),
                ("Transfer-Encoding: chunked\r\n\r\n100000\r\n", "\r\n0\r\n\r\n", 0),
                // CURLE_PARTIAL_FILE is 18, CURLE_RECV_ERROR 56: libcurl-errors(3).
                ("Content-Length: 1048577\r\n\r\n", "", 56),
            ])
        func `C75: what an origin sent before it reset arrives whole, and no more is made of it`(
            head: String, tail: String, code: Int32
        ) async throws {
            let origin = try await ScriptedOrigin(
                stage.originIdentity,
                [.send("HTTP/1.1 200 OK\r\n" + head), .sendOctets(1 << 20)] + (tail.isEmpty ? [] : [.send(tail)]) + [
                    .reset
                ])
            let (fetched, record) = try await fetch(from: origin, ["--limit-rate", "8M"])
            #expect(fetched.code == .exit(code), "\(fetched.complaint)")
            #expect(fetched.status == 200)
            #expect(fetched.body == [UInt8](repeating: 0x78, count: 1 << 20))
            #expect(record.closed.by == (code == 0 ? record.closed.by : "origin"))
            #expect(record.closed.originBytes == 17 + head.utf8.count + (1 << 20) + tail.utf8.count)
        }
    }
}
