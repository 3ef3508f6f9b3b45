import Glibc
import Testing
import Wire

@Suite("HostName")
struct HostNameTests {
    @Test(
        "C38 and C30: every way to write a host gives one canonical value",
        arguments: [
            ("example.test", "example.test"),
            ("EXAMPLE.test", "example.test"),
            ("example.test.", "example.test"),
            ("Api.Example.TEST.", "api.example.test"),
            ("localhost", "localhost"),
            ("_dmarc.example.test", "_dmarc.example.test"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("r3---sn-4g5e6nez.example", "r3---sn-4g5e6nez.example"),
            ("1.2.3.example", "1.2.3.example"),
            ("3com.com", "3com.com"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("255.255.255.255", "255.255.255.255"),
            ("::1", "::1"),
            ("[::1]", "::1"),
            ("0:0:0:0:0:0:0:1", "::1"),
            ("0000:0000:0000:0000:0000:0000:0000:0001", "::1"),
            ("::", "::"),
            ("[2001:DB8::A]", "2001:db8::a"),
            ("::ffff:127.0.0.1", "127.0.0.1"),
            ("[::FFFF:7f00:1]", "127.0.0.1"),
            ("::1.2.3.4", "::102:304"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ])
    func canonical(written: String, text: String) throws {
        #expect(try #require(HostName(written)).text == text)
    }

    @Test(
        "RFC 5952 section 4: the canonical text of IPv6 addresses",
        arguments: [
            ("2001:0db8::0001", "2001:db8::1"),
            ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("0:1:1:1:1:1:1:0", "0:1:1:1:1:1:1:0"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:DB8::ABCD", "2001:db8::abcd"),
        ])
    func canonicalIPv6(written: String, text: String) throws {
        #expect(try #require(HostName(written)).text == text)
    }

    @Test(
        "What is no host is refused",
        arguments: [
            "", ".", "..", "a..b", ".a", "a..", "a b", " a", "a\0b", "a\n", "a/b", "a:b", "user@host", "a,b", "*.a",
            "-a.test", "a-.test", "bücher.example", "a%00", "[a]", "[", "]", "[]", "[::1", "::1]", "[127.0.0.1]",
            "[[::1]]", "::1.", "fe80::1%eth0", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7::8", "12345::", "g::", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::1.2.3", "::1.2.3.4:5",
            "1:2:3:4:5:6:7:1.2.3.4", "::256.1.1.1",
        ])
    func refused(written: String) {
        #expect(HostName(written) == nil)
    }

    @Test(
        "Names that resolvers read as an address are refused: they would slip past the rules for it",
        arguments: [
            "127.1", "2130706433", "0x7f000001", "0x7f.1", "127.0.0.01", "0177.0.0.1", "256.1.1.1", "1.2.3.4.5", "a.1",
            "a.0X1f", "a.0x", "1.2.3.4..",
        ])
    func numbers(written: String) {
        #expect(HostName(written) == nil)
    }

    @Test("A label has at most 63 octets, a name at most 253")
    func lengths() {
        let label = String(repeating: "a", count: 63)
        #expect(HostName(label)?.text == label)
        #expect(HostName(label + "a") == nil)
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(longest.utf8.count == 253)
        #expect(HostName(longest)?.text == longest)
        #expect(HostName(longest + ".")?.text == longest)
        #expect(HostName(longest + "b") == nil)
    }

    @Test("C30: addresses know their octets")
    func octets() throws {
        #expect(HostName("example.test")?.isAddress == false)
        #expect(HostName("example.test")?.addressBytes == nil)
        #expect(HostName("192.0.2.7")?.isAddress == true)
        #expect(HostName("192.0.2.7")?.addressBytes == [192, 0, 2, 7])
        #expect(HostName("192.0.2.7")?.kind == .ipv4([192, 0, 2, 7]))
        let loopback: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        #expect(HostName("[::1]")?.addressBytes == loopback)
        #expect(HostName("[::1]")?.kind == .ipv6(loopback))
        #expect(HostName("::ffff:192.0.2.7") == HostName("192.0.2.7"))
        #expect(HostName(addressBytes: loopback) == HostName("::1"))
        #expect(HostName(addressBytes: [192, 0, 2, 7]) == HostName("192.0.2.7"))
        #expect(HostName(addressBytes: []) == nil)
        #expect(HostName(addressBytes: [1, 2, 3, 4, 5]) == nil)
    }

    @Test("Descriptions put IPv6 addresses in brackets")
    func descriptions() {
        #expect(HostName("::1")?.description == "[::1]")
        #expect(HostName("::1")?.text == "::1")
        #expect(HostName("127.0.0.1")?.description == "127.0.0.1")
        #expect(HostName("Example.test.")?.description == "example.test")
    }

    @Test("Addresses are read and written as the C library does")
    func againstTheCLibrary() {
        var generator = SeededGenerator(seed: 30)
        let alphabet = [UInt8]("0123456789abcdefABF::::...".utf8)
        let seeds = [
            "1:2:3:4:5:6:7:8", "2001:db8::1", "::ffff:1.2.3.4", "1::", "::", "1:2:3:4:5:6:1.2.3.4", "10.0.0.255",
        ]
        for round in 0..<10_000 {
            var text = bytes(of: seeds[round % seeds.count])
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let index = Int.random(in: 0...text.count, using: &generator)
                if Bool.random(using: &generator), index < text.count { text.remove(at: index) }
                text.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)], at: min(index, text.count))
            }
            let written = String(decoding: text, as: UTF8.self)
            guard written.contains(":") else { continue }
            #expect(HostName(written)?.addressBytes == octets(ofIPv6: written), "\(written)")
        }
        for _ in 0..<5_000 {
            // Half of the groups zero, so that runs are common; the first is not, so that no IPv4 form is in play.
            let octets: [UInt8] = (0..<8).flatMap { group -> [UInt8] in
                let isZero = group > 0 && Bool.random(using: &generator)
                return isZero
                    ? [0, 0] : [.random(in: 0...2, using: &generator), .random(in: 1...255, using: &generator)]
            }
            #expect(HostName(addressBytes: octets)?.text == text(ofIPv6: octets))
        }
    }

    /// What `inet_pton` reads; an IPv4 address inside IPv6 in its four octets.
    private func octets(ofIPv6 text: String) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &octets) == 1 else { return nil }
        let isMapped = octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
        return isMapped ? [UInt8](octets[12...]) : octets
    }

    /// What `inet_ntop` writes.
    private func text(ofIPv6 octets: [UInt8]) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        return inet_ntop(AF_INET6, octets, &buffer, socklen_t(buffer.count)).map { String(cString: $0) }
    }
}
