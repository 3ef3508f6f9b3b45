import Foundation
import TestSupport
import Testing
import Transcript
import Wire

/// Whatever peers put into strings and bytes, every line is one line of ASCII and valid JSON, and says the same again.
///
/// The reader is Foundation's. Texts are compared as UTF-8, since Swift's `==` takes different spellings as equal.
struct HostileInputTests {
    @Test(arguments: UInt64(1)...40)
    func stringsComeBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let (first, second, third) = (random.text(), random.text(), random.text())
            try expect(.opened(client: first, listener: second), ["client": first, "listener": second])
            try expect(.requested(method: first, target: second, endpoint: nil), ["method": first, "target": second])
            try expect(.decided(.tunnel, rule: first), ["rule": first])
            try expect(.answered(status: 502, reason: third), ["reason": third])
            try expect(
                .failed(Failure(party: .client, code: .helloMalformed, phase: .hello, detail: first, hint: second)),
                ["detail": first, "hint": second])
            try expect(
                .forged(host: first, digest: second, key: third, fromCache: false),
                ["host": first, "digest": second, "key": third])
            try expect(
                .secured(
                    .client,
                    TLSParameters(
                        version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "", group: first, alpn: second,
                        serverName: third, resumed: false)),
                ["group": first, "alpn": second, "serverName": third])
            let chain = try decode(.chain(.client, [first, second, third]))
            let digests = try #require(chain["digests"] as? [String])
            #expect(digests.map { Array($0.utf8) } == [first, second, third].map { Array($0.utf8) })
        }
    }

    @Test(arguments: UInt64(1)...20)
    func bytesComeBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for length in 0..<40 {
            let bytes = random.bytes(length)
            let kinds: [(Event.Kind, field: String)] = [
                (.wire(.client, .received, bytes), "bytes"), (.message(.origin, .sent, bytes), "bytes"),
                (.certificate(digest: "", der: bytes), "der"),
            ]
            for (kind, field) in kinds {
                let text = try #require(try decode(kind)[field] as? String)
                #expect(Data(base64Encoded: text).map { [UInt8]($0) } == bytes)
            }
        }
    }

    @Test(arguments: UInt64(1)...20)
    func namesOfProtocolsComeBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = (0..<20).map { random.bytes($0) }
        let line = try decode(.hello(.offering(names)))
        let written = try #require(line["alpn"] as? [String])
        #expect(written.map(unescaped) == names)
    }

    @Test(arguments: [0, 1, 9, 10, 4_294_967_296, UInt64.max])
    func numbersComeBack(_ number: UInt64) throws {
        let line = try decode(.runEnded(RunEnded(connections: number, lost: number)))
        #expect((line["connections"] as? NSNumber)?.uint64Value == number)
        #expect((line["lost"] as? NSNumber)?.uint64Value == number)
    }

    /// Expects that the line of an event has these texts in these fields.
    private func expect(_ kind: Event.Kind, _ texts: [String: String]) throws {
        let line = try decode(kind)
        for (field, text) in texts {
            let read = try #require(line[field] as? String)
            #expect(Array(read.utf8) == Array(text.utf8))
        }
    }

    /// Encodes an event, checks the form of the line, and reads it.
    private func decode(_ kind: Event.Kind) throws -> [String: Any] {
        var buffer: [UInt8] = []
        EventEncoder().encode(Event(connection: 1, monotonic: 2, wall: 3, kind: kind), into: &buffer)
        #expect(buffer.last == UInt8(ascii: "\n"))
        #expect(buffer.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
        return try #require(try JSONSerialization.jsonObject(with: Data(buffer)) as? [String: Any])
    }

    /// Reads the name of a protocol as `docs/events.md` says.
    private func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
            bytes.append(UInt8(digits, radix: 16) ?? 0)
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}
