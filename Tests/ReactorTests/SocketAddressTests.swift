import Reactor
import Testing
import Wire

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1:443"),
        ("0.0.0.0", "0.0.0.0:443"),
        ("::1", "[::1]:443"),
        ("2001:DB8:0:0:0:0:0:1", "[2001:db8::1]:443"),
        ("::ffff:192.0.2.1", "192.0.2.1:443"),
        ("fe80::1%7", "[fe80::1%7]:443"),
        ("fe80::1%lo", "[fe80::1%1]:443"),
    ])
    func addressesAreReadAndWritten(text: String, description: String) throws {
        #expect(try #require(SocketAddress(address: text, port: 443)).description == description)
    }

    @Test(arguments: [
        "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::1%", "127.0.0.1%lo", "fe80::1%nosuch", "::g",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(SocketAddress(address: text, port: 80) == nil)
    }

    @Test func hostsThatAreAddressesAreTakenOver() throws {
        let ipv4 = try #require(HostName("192.0.2.7"))
        let ipv6 = try #require(HostName("[2001:db8::7]"))
        #expect(SocketAddress(ipv4, port: 1)?.description == "192.0.2.7:1")
        #expect(SocketAddress(ipv6, port: 2)?.description == "[2001:db8::7]:2")
        #expect(SocketAddress(ipv4, port: 1)?.host == ipv4)
        #expect(SocketAddress(ipv6, port: 2)?.host == ipv6)
        #expect(SocketAddress(try #require(HostName("example.com")), port: 3) == nil)
    }

    @Test func equalityLooksAtAddressAndPort() throws {
        let one = try #require(SocketAddress(address: "127.0.0.1", port: 1))
        #expect(one == SocketAddress(address: "::ffff:127.0.0.1", port: 1))
        #expect(one != SocketAddress(address: "127.0.0.1", port: 2))
        #expect(one != SocketAddress(address: "127.0.0.2", port: 1))
        #expect(SocketAddress(address: "fe80::1%1", port: 1) != SocketAddress(address: "fe80::1%2", port: 1))
    }

    @Test(arguments: [
        ("127.0.0.1", true, false), ("127.255.0.9", true, false), ("::1", true, false),
        ("::ffff:127.0.0.1", true, false), ("0.0.0.0", false, true), ("::", false, true),
        ("128.0.0.1", false, false), ("::2", false, false), ("1::1", false, false),
    ])
    func loopbackAndUnspecified(text: String, isLoopback: Bool, isUnspecified: Bool) throws {
        let address = try #require(SocketAddress(address: text, port: 0))
        #expect(address.isLoopback == isLoopback)
        #expect(address.isUnspecified == isUnspecified)
    }
}
