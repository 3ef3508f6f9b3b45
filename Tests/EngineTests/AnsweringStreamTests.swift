import Crypto
import Engine
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// An HTTP server's side of a channel, asked by a client of the test's own.
@Suite struct AnsweringStreamTests {
    /// Answers `/bytes/N` with a pattern of N bytes and everything else with its target; notes what came.
    private final class Source: AnswerSource {
        var bodyBytes = 0

        func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest) { bodyBytes += bytes.count }

        func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer {
            if let size = request.target.wholeMatch(of: /\/bytes\/(\d+)/), let length = UInt64(size.1) {
                return Answer(status: 200, headers: [], body: .pattern(length: length))
            }
            return Answer(status: 200, headers: [], body: .bytes(Array("\(request.target) \(bodyLength)".utf8)))
        }
    }

    private struct View: Sendable, CustomStringConvertible {
        var progress: [String] = []
        var most = 0
        var arrived = 0

        var description: String { "\(progress.suffix(5))" }
    }

    /// Drives a stream as its owners do.
    private final class Driver {
        let channel: Channel
        let loop: EventLoop
        let view: Watched<View>
        private var stream: AnsweringStream?

        init(_ channel: Channel, _ loop: EventLoop, _ view: Watched<View>, _ version: AnswerSession.Version) {
            self.channel = channel
            self.loop = loop
            self.view = view
            stream = AnsweringStream(channel, version: version, source: Source()) { bytes in
                let count = bytes.count
                view.update { $0.arrived += count }
            }
            channel.stream.onReadable = { [unowned self] in advance() }
            channel.stream.onWritable = { [unowned self] in advance() }
        }

        func advance() {
            guard let stream else { return }
            let progress = stream.advance()
            let word =
                switch progress {
                case .waiting: "waiting"
                case .full: "full"
                case .more: "more"
                case .delivered: "delivered"
                case .ended(let end): "ended \(end)"
                case .failed(let failure): "failed \(failure)"
                }
            let waiting = channel.outbound.count
            view.update {
                if $0.progress.last != word { $0.progress.append(word) }
                $0.most = max($0.most, waiting)
            }
            switch progress {
            case .waiting: channel.stream.wantsReadable = !channel.hasEnded
            case .full: channel.stream.wantsReadable = false
            case .more: loop.later { [self] in advance() }
            case .delivered, .ended, .failed:
                self.stream = nil
                channel.finish(.proxy)
                _ = channel.flush()
                channel.stream.onWritable = { [unowned self] in _ = channel.flush() }
                channel.stream.wantsReadable = false
            }
        }
    }

    /// A served channel and the client at its other end.
    private struct Served {
        let fixture: ChannelFixture
        let view = Watched(View())
        private let driver: LoopBound<Driver>

        init(_ version: AnswerSession.Version, peerBuffer: Int32? = nil) async throws {
            fixture = try await .accepted(peerBuffer: peerBuffer)
            let (loop, view) = (fixture.loop.loop, view)
            driver = try await fixture.channel.perform { channel in
                let driver = Driver(channel, loop, view, version)
                driver.advance()
                return LoopBound(driver, loop: loop)
            }
        }

        var client: Peer { fixture.peer }

        func ended() async throws -> String {
            try await view.first("the end") {
                $0.progress.last.flatMap { $0.contains(" ") || $0 == "delivered" ? $0 : nil }
            }
        }
    }

    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: h.test\r\n\(fields)\r\n"
    }

    @Test func requestsAreAnsweredInOrder() async throws {
        let served = try await Served(.http1)
        try await served.client.send(get("/one") + get("/two") + get("/three", "Connection: close\r\n"))
        #expect(try await served.ended() == "delivered")
        #expect(try await served.client.ended() == .fin)
        let bodies = served.client.seen.text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix(8) }
        #expect(bodies == ["/one 0HT", "/two 0HT", "/three 0"])
        #expect(served.client.seen.sawCloseNotify)
        #expect(
            served.view.current.arrived
                == (get("/one") + get("/two") + get("/three", "Connection: close\r\n")).utf8.count)
    }

    /// A body larger than every buffer, to a client that reads slowly: all of it, and little of it at a time.
    @Test func largeBodyIsMadeAsItIsTaken() async throws {
        let served = try await Served(.http1, peerBuffer: 65_536)
        try await served.client.setReading(false)
        try await served.client.send(get("/bytes/20000000", "Connection: close\r\n"))
        try await served.view.wait("the client to be full") { $0.progress.last == "full" }
        try await served.client.setReading(true)
        let head = try await served.client.receive(through: "\r\n\r\n")
        #expect(head.contains("Content-Length: 20000000\r\n"))
        let body = try await served.client.receive(20_000_000)
        expectSame(body, pattern(20_000_000))
        #expect(served.view.current.most < 128 * 1024)
    }

    /// A client that ends its direction behind its request gets the whole answer (C78).
    @Test(arguments: [true, false]) func halfCloseIsAnswered(_ notifies: Bool) async throws {
        let served = try await Served(.http1, peerBuffer: 65_536)
        try await served.client.send(get("/bytes/3000000"))
        if notifies { try await served.client.sendCloseNotify() }
        try await served.client.sendFIN()
        _ = try await served.client.receive(through: "\r\n\r\n")
        expectSame(try await served.client.receive(3_000_000), pattern(3_000_000))
        #expect(try await served.ended() == (notifies ? "ended closeNotify" : "ended fin"))
    }

    @Test func clientThatJustEndsIsAnEnd() async throws {
        let served = try await Served(.http1)
        try await served.client.sendFIN()
        #expect(try await served.ended() == "ended fin")
    }

    @Test func resetIsAnEnd() async throws {
        let served = try await Served(.http1)
        try await served.client.reset()
        #expect(try await served.ended() == "ended reset")
    }

    /// What a client says before it goes counts, though a write finds it gone first.
    @Test func alertBeforeAResetIsTheEnd() async throws {
        let served = try await Served(.http1, peerBuffer: 65_536)
        try await served.client.setReading(false)
        try await served.client.send(get("/bytes/20000000"))
        try await served.view.wait("the client to be full") { $0.progress.last == "full" }
        try await served.client.withSession { $0.inbound.append([0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32)) }
        try await served.client.provoke()
        try await served.client.delivered()
        try await served.client.reset()
        #expect(try await served.ended() == "ended alert(20)")
    }

    @Test func brokenHTTPIsToldAndEnds() async throws {
        let served = try await Served(.http1)
        try await served.client.send("NONSENSE\r\n\r\n")
        #expect(try await served.ended() == "delivered")
        #expect(try await served.client.ended() == .fin)
        #expect(served.client.seen.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func brokenTLSIsAFailureThatIsTold() async throws {
        let served = try await Served(.http1)
        try await served.client.send(raw: [0x17, 0x03, 0x03, 0x00, 0x20] + pattern(32))
        #expect(try await served.ended().hasPrefix("failed "))
        try await served.client.wait("bad_record_mac") { $0.alerts.contains(20) }
    }

    /// An upload: taken as it comes, answered at its end.
    @Test func uploadIsTakenAsItComes() async throws {
        let served = try await Served(.http1)
        try await served.client.send("POST /up HTTP/1.1\r\nHost: h.test\r\nContent-Length: 5000000\r\n\r\n")
        try await served.client.send(pattern(5_000_000))
        #expect(try await served.client.receive(through: "/up 5000000").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    // MARK: HTTP/2

    /// The frames so far that are whole.
    private static func frames(_ bytes: [UInt8]) -> [HTTP2Frame] {
        var whole = 0
        while bytes.count >= whole + 9 {
            let length = Int(bytes[whole]) << 16 | Int(bytes[whole + 1]) << 8 | Int(bytes[whole + 2])
            guard bytes.count >= whole + 9 + length else { break }
            whole += 9 + length
        }
        return HTTP2Frame.parse(Array(bytes.prefix(whole))) ?? []
    }

    @Test func streamsOfHTTP2AreAnswered() async throws {
        let served = try await Served(.http2)
        try await served.client.send(
            HTTP2Client.preface + HTTP2Client.headers(1, path: "/one").bytes
                + HTTP2Client.headers(3, path: "/three").bytes)
        let view = try await served.client.wait("both answers") { view in
            Self.frames(view.received).count { $0.kind == .data && $0.flags & 1 == 1 } == 2
        }
        let frames = Self.frames(view.received)
        // The server's SETTINGS come first (RFC 9113 section 3.4); `:status 200` is 0x88.
        #expect(frames.first?.kind == .settings)
        #expect(frames.filter { $0.kind == .headers }.allSatisfy { $0.payload.first == 0x88 })
        let bodies = frames.filter { $0.kind == .data }.map { ($0.stream, String(decoding: $0.payload, as: UTF8.self)) }
        #expect(bodies.contains { $0 == (1, "/one 0") })
        #expect(bodies.contains { $0 == (3, "/three 0") })
    }

    /// A body beyond the window waits for the client's WINDOW_UPDATE (RFC 9113 section 5.2).
    @Test func windowOfHTTP2IsKept() async throws {
        let served = try await Served(.http2)
        try await served.client.send(HTTP2Client.preface + HTTP2Client.headers(1, path: "/bytes/100000").bytes)
        @Sendable func body(_ view: PeerView) -> [UInt8] {
            Self.frames(view.received).filter { $0.kind == .data }.flatMap(\.payload)
        }
        // The initial window is 65,535 octets.
        try await served.client.wait("the window to be used up") { body($0).count >= 65_535 }
        #expect(served.view.current.progress.last == "waiting")
        #expect(body(served.client.seen).count == 65_535)
        try await served.client.send(HTTP2Client.window(0, 50_000).bytes + HTTP2Client.window(1, 50_000).bytes)
        let view = try await served.client.wait("the rest") { body($0).count >= 100_000 }
        expectSame(body(view), pattern(100_000))
    }

    /// The client's preface is wrong: GOAWAY, then the end.
    @Test func brokenHTTP2IsToldAndEnds() async throws {
        let served = try await Served(.http2)
        try await served.client.send("GET / HTTP/1.1\r\nHost: h.test\r\n\r\n")
        #expect(try await served.ended() == "delivered")
        #expect(try await served.client.ended() == .fin)
        #expect(Self.frames(served.client.seen.received).last?.kind == .goAway)
    }
}
