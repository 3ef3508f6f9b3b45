import Pinning
import PublicSuffixList
import Testing
import Wire

/// The suffixes of hosts by the list that libpsl has built in.
@Suite struct PublicSuffixListTests {
    private let list = PublicSuffixList()

    @Test(
        "The longest rule counts, of either section",
        arguments: [
            ("example.com", 3), ("a.b.example.com", 3), ("example.co.uk", 5), ("co.uk", 5), ("com", 3),
            ("bucket.s3.amazonaws.com", 16), ("amazonaws.com", 3), ("user.github.io", 9),
            // *.ck is a suffix, but www.ck is none.
            ("shop.example.ck", 10), ("www.ck", 2),
        ])
    func rules(host: String, length: Int) { #expect(list.suffixLength(of: host) == length) }

    @Test(
        "Case does not matter, and a dot at the end belongs to the suffix",
        arguments: [("EXAMPLE.Co.UK", 5), ("example.com.", 4), ("example.co.uk.", 6), ("com.", 4)])
    func spelling(host: String, length: Int) { #expect(list.suffixLength(of: host) == length) }

    @Test(
        "International names count in either spelling, in the octets that they are spelled with",
        arguments: [("公司.cn", 9), ("x.公司.cn", 9), ("x.xn--55qx5d.cn", 13), ("x.みんな", 9)])
    func international(host: String, length: Int) { #expect(list.suffixLength(of: host) == length) }

    @Test(
        "A last label that is on no list is no suffix, nor is a part of an address",
        arguments: [
            "localhost", "printer.local", "host.nosuchdomain", "192.0.2.1", "2001:db8::1", "[2001:db8::1]", "", ".",
            "..", ".com", "example..com", "example.com..", "a\0.com",
        ])
    func none(host: String) { #expect(list.suffixLength(of: host) == 0) }

    @Test("What is longer than a name may be has none")
    func tooLong() {
        let labels = String(repeating: "a.", count: 125)
        #expect(list.suffixLength(of: labels + "com") == 3)
        #expect(list.suffixLength(of: labels + "a.com") == 0)
    }

    @Test("PS-0.5-1: Apple's comparison refuses an asterisk directly above a suffix of the list")
    func asterisks() throws {
        func matches(_ name: String, _ host: String) throws -> Bool {
            AppleHostMatch.dnsName(Array(name.utf8), covers: try #require(HostName(host)), suffixes: list)
        }
        #expect(try matches("*.example.com", "api.example.com"))
        #expect(try !matches("*.co.uk", "bank.co.uk"))
        #expect(try matches("*.bank.co.uk", "www.bank.co.uk"))
        #expect(try !matches("*.s3.amazonaws.com", "bucket.s3.amazonaws.com"))
    }
}
