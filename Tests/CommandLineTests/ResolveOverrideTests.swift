import Testing
import Wire

@testable import pinproof

@Suite struct ResolveOverrideTests {
    @Test(
        arguments: [
            ("api.example.com:127.0.0.1", "api.example.com", nil, "127.0.0.1", nil),
            ("api.example.com:443:127.0.0.1", "api.example.com", 443, "127.0.0.1", nil),
            ("api.example.com:127.0.0.1:8443", "api.example.com", nil, "127.0.0.1", 8443),
            ("api.example.com:443:127.0.0.1:8443", "api.example.com", 443, "127.0.0.1", 8443),
            ("API.example.com.:[::1]", "api.example.com", nil, "::1", nil),
            ("api.example.com:443:[fd00::1]:8443", "api.example.com", 443, "fd00::1", 8443),
            ("[2001:db8::1]:443:[::1]:8443", "2001:db8::1", 443, "::1", 8443),
            ("192.0.2.1:127.0.0.1", "192.0.2.1", nil, "127.0.0.1", nil),
            ("api.example.com:1:127.0.0.1:65535", "api.example.com", 1, "127.0.0.1", 65535),
        ] as [(String, String, UInt16?, String, UInt16?)])
    func reads(text: String, host: String, port: UInt16?, address: String, addressPort: UInt16?) throws {
        let override = try #require(ResolveOverride(text))
        #expect(override.host.text == host)
        #expect(override.port == port)
        #expect(override.address.text == address)
        #expect(override.addressPort == addressPort)
    }

    @Test(arguments: [
        "", ":", "api.example.com", "api.example.com:", ":127.0.0.1", "api.example.com:443",
        // The address has to be one: there is nobody to ask for another name.
        "api.example.com:localhost", "api.example.com:443:localhost:8443",
        "api.example.com:0:127.0.0.1", "api.example.com:65536:127.0.0.1", "api.example.com:127.0.0.1:0",
        "api.example.com:127.0.0.1:https", "api.example.com:-1:127.0.0.1", "api.example.com:443:127.0.0.1:1:2",
        // Brackets are needed to tell an IPv6 address from ports.
        "api.example.com:443:::1", "api.example.com:[::1", "api.example.com:]::1[", "*:127.0.0.1",
    ])
    func refuses(text: String) {
        #expect(ResolveOverride(text) == nil)
    }
}
