import Testing
import Wire

/// Random and mutated inputs for every parser: nothing may trap, and what is understood must hold together.
@Suite("Random input")
struct RandomInputTests {
    /// Small ones, so that a mutation often hits a length.
    private static let flights = [
        CapturedHello.opensslTLS12.flight, CapturedHello.go.flight, CapturedHello.openssl.flight,
        records(HelloLayout.with(0, HelloLayout.serverName(bytes(of: "a.test"))).message, size: 7),
    ]

    @Test("ClientHello: what decodes is laid out again as it was, and its accessors hold")
    func clientHello() {
        var generator = SeededGenerator(seed: 1)
        var decoded = 0
        for round in 0..<6_000 {
            let seed = [UInt8](Self.flights[round % 3].dropFirst(9))
            let body = round.isMultiple(of: 4) ? generator.noise(below: 200) : generator.mutated(seed)
            guard let hello = try? ClientHello(message: body) else { continue }
            decoded += 1
            let layout = HelloLayout(
                version: Int(hello.legacyVersion), random: hello.random, sessionID: hello.sessionID,
                suites: hello.cipherSuites.map(Int.init), compression: hello.compressionMethods,
                extensions: hello.extensions.map { (Int($0.type), $0.body) })
            #expect(layout.body == body || layout.body + [0, 0] == body)
            #expect(hello.ja4 { _ in [1, 2, 3, 4, 5, 6] }.utf8.count == 36)
            #expect(hello.ja3Text.count { $0 == "," } == 4)
            #expect(hello.keyShareGroups.count <= body.count)
            _ = hello.serverName.flatMap { HostName($0) }
        }
        // Mutations that leave the lengths alone keep the hello readable: the rules above did apply.
        #expect(decoded > 500)
    }

    @Test("ClientHelloAssembler: how the stream is cut makes no difference")
    func assembler() {
        var generator = SeededGenerator(seed: 2)
        var hellos = 0
        for round in 0..<5_000 {
            let flight = Self.flights[round % Self.flights.count]
            let stream = round.isMultiple(of: 8) ? [22, 3] + generator.noise(below: 200) : generator.mutated(flight)
            var whole = ClientHelloAssembler(limit: 2_000)
            var cut = ClientHelloAssembler(limit: 2_000)
            let expected = whole.receive(stream)
            var progress = ClientHelloAssembler.Progress.incomplete
            for piece in generator.pieces(stream) { progress = cut.receive(piece) }
            switch (expected, progress) {
            case (.notTLS(let all), .notTLS(let first)):
                #expect(all.starts(with: first))
            default:
                #expect(expected == progress)
            }
            if case .hello = expected { hellos += 1 }
        }
        #expect(hellos > 500)
    }

    @Test("HTTP heads: what is complete ends exactly there, whatever follows")
    func requestHead() {
        var generator = SeededGenerator(seed: 3)
        let seeds = [
            "CONNECT api.pinproof.test:443 HTTP/1.1\r\nHost: api.pinproof.test:443\r\nUser-Agent: x\r\n\r\n",
            "GET / HTTP/1.0\nAccept: */*\nX: \t y \n\n",
        ]
        var complete = 0
        for round in 0..<6_000 {
            let seed = bytes(of: seeds[round % 2])
            let stream = round.isMultiple(of: 4) ? generator.noise(below: 200) : generator.mutated(seed)
            guard case .complete(let head, let length) = HTTPRequestHead.parse(stream) else { continue }
            complete += 1
            let exact = [UInt8](stream.prefix(length))
            #expect(HTTPRequestHead.parse(exact) == .complete(head, length: length))
            #expect(HTTPRequestHead.parse(exact + generator.noise(below: 20)) == .complete(head, length: length))
            #expect(HTTPRequestHead.parse(exact.dropLast()) == .incomplete)
            #expect(HTTPRequestHead.parse(stream, limit: length - 1) == .tooLarge)
            _ = Endpoint(head.target)
        }
        #expect(complete > 500)
    }

    @Test("HTTP heads of responses: the same")
    func responseHead() {
        var generator = SeededGenerator(seed: 4)
        let seed = bytes(of: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Long:   a\r\n\r\nhello")
        var complete = 0
        for round in 0..<4_000 {
            let stream = round.isMultiple(of: 4) ? generator.noise(below: 200) : generator.mutated(seed)
            guard case .complete(let head, let length) = HTTPResponseHead.parse(stream) else { continue }
            complete += 1
            #expect((100...999).contains(head.status))
            #expect(HTTPResponseHead.parse([UInt8](stream.prefix(length))) == .complete(head, length: length))
        }
        #expect(complete > 500)
    }

    @Test("Hosts, endpoints and patterns: what is read is canonical, so reading it again changes nothing")
    func hosts() {
        var generator = SeededGenerator(seed: 5)
        let seeds = [
            "API.example.test.", "127.0.0.1", "[2001:db8::1]", "::ffff:1.2.3.4", "example.test:443", "[::1]:8443",
            "fd00::1:443", "*.example.test:443", "*",
        ]
        var read = 0
        for round in 0..<5_000 {
            let seed = bytes(of: seeds[round % seeds.count])
            let octets = round.isMultiple(of: 4) ? generator.noise(below: 80) : generator.mutated(seed)
            let text = String(decoding: octets, as: UTF8.self)
            if let host = HostName(text) {
                read += 1
                #expect(HostName(host.text) == host)
                #expect(HostName(host.description) == host)
                #expect(host.text.utf8.count <= 253)
                #expect(host.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !(0x41...0x5a).contains($0) })
            }
            if let endpoint = Endpoint(text) {
                read += 1
                #expect(Endpoint(endpoint.description) == endpoint)
                #expect(HostPattern(endpoint.description)?.matches(endpoint) == true)
            }
            if let pattern = HostPattern(text) { #expect(HostPattern(pattern.description) == pattern) }
        }
        #expect(read > 500)
    }
}
