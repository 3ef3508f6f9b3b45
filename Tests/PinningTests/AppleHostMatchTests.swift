import Pinning
import Testing
import Wire

/// PS-0.5-1, by hand.
@Suite struct AppleHostMatchTests {
    @Test(
        "PS-0.5-1: names",
        arguments: [
            // The name itself, whatever its case; a trailing dot of the reference is dropped.
            ("example.com", "example.com", true),
            ("EXAMPLE.com", "example.COM", true),
            ("example.com", "example.com.", true),
            ("example.com.", "example.com", false),
            (".example.com", "www.example.com", false),
            ("example.com", "www.example.com", false),
            ("www.example.com", "example.com", false),
            ("", "example.com", false),
            // An asterisk is one whole left-most label with more than one behind it.
            ("*.example.com", "www.example.com", true),
            ("*.example.com", "a_b.example.com", true),
            ("*.my_company.example", "www.my_company.example", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false),
            ("*.*.example.com", "a.b.example.com", false),
            ("a.*.example.com", "a.b.example.com", false),
            ("*.com", "example.com", false),
            ("*", "localhost", false),
            ("w*.example.com", "www.example.com", false),
            ("*w.example.com", "www.example.com", false),
            // A NUL does not end a name.
            ("www.example.com\0.attacker.test", "www.example.com", false),
            // An address is not a name.
            ("192.0.2.1", "192.0.2.1", false),
            ("*.0.2.1", "192.0.2.1", false),
        ])
    func dnsName(name: String, host: String, covered: Bool) throws {
        #expect(AppleHostMatch.dnsName(Array(name.utf8), covers: try #require(HostName(host))) == covered)
    }

    @Test(
        "PS-0.5-1: an asterisk directly above a public suffix covers nothing",
        arguments: [
            ("*.co.uk", "example.co.uk", false), ("*.example.co.uk", "www.example.co.uk", true),
            ("*.s3.amazonaws.com", "x.s3.amazonaws.com", false), ("*.example.com", "www.example.com", true),
            ("example.co.uk", "example.co.uk", true), ("*.db.internal", "a.db.internal", true),
        ])
    func publicSuffixes(name: String, host: String, covered: Bool) throws {
        let host = try #require(HostName(host))
        #expect(AppleHostMatch.dnsName(Array(name.utf8), covers: host, suffixes: FewSuffixes()) == covered)
        #expect(AppleHostMatch.dnsName(Array(name.utf8), covers: host), "without a list none is refused")
    }

    @Test("PS-0.5-1: an address is compared with addresses, octet by octet")
    func addresses() throws {
        let host = try #require(HostName("192.0.2.1"))
        #expect(AppleHostMatch.address([192, 0, 2, 1], covers: host))
        #expect(!AppleHostMatch.address([192, 0, 2, 2], covers: host))
        // An address with a mask is the form of a name constraint, not of a host.
        #expect(!AppleHostMatch.address([192, 0, 2, 1, 255, 255, 255, 255], covers: host))
        #expect(!AppleHostMatch.address(Array("192.0.2.1".utf8), covers: host))
        #expect(!AppleHostMatch.address([], covers: try #require(HostName("example.com"))))
        let long = try #require(HostName("2001:db8::1"))
        #expect(AppleHostMatch.address([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], covers: long))
    }
}
