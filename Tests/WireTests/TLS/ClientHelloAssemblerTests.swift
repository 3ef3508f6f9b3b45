import Testing
import Wire

@Suite("ClientHelloAssembler")
struct ClientHelloAssemblerTests {
    /// Feeds `pieces` one by one; every outcome but the last must be `incomplete`.
    private func feed(_ pieces: [[UInt8]], limit: Int = 65536) -> ClientHelloAssembler.Progress {
        var assembler = ClientHelloAssembler(limit: limit)
        var progress = ClientHelloAssembler.Progress.incomplete
        for piece in pieces {
            #expect(progress == .incomplete)
            progress = assembler.receive(piece)
        }
        return progress
    }

    @Test("A hello in one segment")
    func whole() throws {
        let captured = CapturedHello.curl
        let expected = try ClientHelloAssembler.Progress.hello(captured.hello, message: captured.message)
        #expect(feed([captured.flight]) == expected)
        #expect(captured.message.prefix(4) == [1, 0, 1, 0xfc])
    }

    @Test(
        "C31: however records and segments cut the hello, it is one hello",
        arguments: [1, 2, 3, 5, 64, 511, 16384], [1, 4, 5, 6, 64, 100_000])
    func fragmented(record: Int, segment: Int) throws {
        let captured = CapturedHello.curl
        let wire = records(captured.message, size: record)
        let pieces = stride(from: 0, to: wire.count, by: segment).map {
            [UInt8](wire[$0..<min($0 + segment, wire.count)])
        }
        let expected = try ClientHelloAssembler.Progress.hello(captured.hello, message: captured.message)
        #expect(feed(pieces) == expected)
    }

    @Test("C31: a first write of one octet, and empty reads between")
    func firstOctet() throws {
        let captured = CapturedHello.go
        let expected = try ClientHelloAssembler.Progress.hello(captured.hello, message: captured.message)
        #expect(feed([[22], [], [UInt8](captured.flight.dropFirst())]) == expected)
    }

    @Test("C66: a hello of 1721, 2176 and 4200 octets in two segments", arguments: [0, 2176, 4200])
    func large(size: Int) throws {
        var wire = CapturedHello.browser.flight
        if size > 0 {
            // The first extension is an empty GREASE one; a padding extension of the right size goes before it.
            let start = 5 + 4 + 2 + 32 + 33 + 2 + 32 + 2 + 2
            let padding = bytes16(21) + vector16([UInt8](repeating: 0, count: size - wire.count - 4))
            wire.insert(contentsOf: padding, at: start)
            wire.replaceSubrange(3..<5, with: bytes16(size - 5))
            wire.replaceSubrange(7..<9, with: bytes16(size - 9))
            let before = Int(wire[start - 2]) << 8 | Int(wire[start - 1])
            wire.replaceSubrange(start - 2..<start, with: bytes16(before + padding.count))
            #expect(wire.count == size)
        }
        let progress = feed([[UInt8](wire.prefix(1460)), [UInt8](wire.dropFirst(1460))])
        guard case .hello(let hello, let assembled) = progress else {
            Issue.record("no hello: \(progress)")
            return
        }
        #expect(hello.serverName == "public.test")
        #expect(hello.keyShareGroups == [0x1a1a, 0x11ec, 29])
        #expect(assembled == [UInt8](wire.dropFirst(5)))
    }

    @Test("What follows the hello is ignored, in its record and behind it; the outcome stays")
    func trailing() throws {
        let message = HelloLayout().message
        let expected = try ClientHelloAssembler.Progress.hello(ClientHello(message: message[4...]), message: message)
        var assembler = ClientHelloAssembler()
        #expect(assembler.receive([22, 3, 1] + vector16(message + [20, 0, 0]) + [23, 3, 3, 0, 1, 9]) == expected)
        #expect(assembler.receive([0xff, 0xff]) == expected)
        #expect(assembler.receive([]) == expected)
        #expect(assembler.received == [22, 3, 1] + vector16(message + [20, 0, 0]) + [23, 3, 3, 0, 1, 9, 0xff, 0xff])
    }

    @Test(
        "What is not TLS is told by its first octets",
        arguments: [
            (bytes(of: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), bytes(of: "GET / HTTP/1.1\r\n")),
            (bytes(of: "SSH-2.0-x\r\n"), bytes(of: "SSH-2.0-x\r\n")),
            // An SSL 2.0 hello, an alert, TLS's first octet with another second one.
            (bytes("802e0103010015"), bytes("802e0103010015")),
            (bytes("15030100020100"), bytes("15030100020100")),
            (bytes("160500"), bytes("160500")),
            ([0], [0]),
        ])
    func notTLS(sent: [UInt8], first: [UInt8]) {
        #expect(feed([sent]) == .notTLS(firstBytes: first))
    }

    @Test("What is not TLS is told as early as it shows")
    func notTLSEarly() {
        #expect(feed([[22]]) == .incomplete)
        #expect(feed([[22], [4], [1]].dropLast()) == .notTLS(firstBytes: [22, 4]))
        #expect(feed([[22, 3, 1, 2]]) == .incomplete)
    }

    @Test(
        "TLS that is no hello is malformed",
        arguments: [
            ("empty record", "1603010000", "record length"),
            ("record above 2^14", "1603014001", "record length"),
            ("ServerHello", "1603010004 02000000", "handshake message type"),
            ("alert between the records of a hello", "1603010002 0100 1503010002 0228", "record header"),
            ("other major version between the records", "1603010002 0100 1602", "record header"),
        ])
    func malformed(what: String, sent: String, field: String) {
        #expect(feed([bytes(sent)]) == .malformed(.malformed(field: field)))
    }

    @Test("A hello whose inside does not fit is malformed, with the field's name")
    func malformedInside() {
        #expect(feed([bytes("1603010004 01000000")]) == .malformed(.truncated(field: "version")))
        #expect(feed([bytes("1603010006 01000002 0303")]) == .malformed(.truncated(field: "random")))
    }

    @Test("A record of the largest size is taken")
    func largestRecord() throws {
        let message = HelloLayout.with(21, [UInt8](repeating: 0, count: 20_000)).message
        guard case .hello(let hello, _) = feed([records(message)]) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.extensions.first?.body.count == 20_000)
    }

    @Test("The limit counts the hello with the headers of its records; what it announces is enough to refuse it")
    func limit() throws {
        let message = HelloLayout().message
        let wire = records(message)
        let hello = try ClientHelloAssembler.Progress.hello(ClientHello(message: message[4...]), message: message)
        #expect(feed([wire], limit: wire.count - 1) == .tooLarge)
        #expect(feed([wire], limit: wire.count) == hello)
        #expect(feed([wire + [9, 9]], limit: wire.count) == hello)
        // In records of one octet each it takes six times as many.
        #expect(feed([records(message, size: 1)], limit: 6 * message.count) == hello)
        #expect(feed([records(message, size: 1)], limit: 6 * message.count - 1) == .tooLarge)
        // 65537 octets announced: refused before they are sent.
        #expect(feed([bytes("1603010004 0100fffd")]) == .tooLarge)
        #expect(feed([bytes("1603010004 0100fffc")]) == .incomplete)
        #expect(feed([bytes("1603010004 01ffffff")]) == .tooLarge)
    }
}
