import Testing
import Wire

@Suite("Endpoint")
struct EndpointTests {
    @Test(
        "C30, C38 and C69: authorities as clients send them",
        arguments: [
            ("example.test:443", "example.test:443"),
            ("EXAMPLE.test.:8443", "example.test:8443"),
            ("127.0.0.1:1", "127.0.0.1:1"),
            ("[::1]:443", "[::1]:443"),
            ("[0:0:0:0:0:0:0:1]:65535", "[::1]:65535"),
            ("[::ffff:127.0.0.1]:443", "127.0.0.1:443"),
            ("fd00::1:443", "[fd00::1]:443"),
            ("::1:443", "[::1]:443"),
            ("example.test:00443", "example.test:443"),
        ])
    func read(authority: String, description: String) throws {
        #expect(try #require(Endpoint(authority)).description == description)
    }

    @Test(
        "C69: a target without a usable port or host is refused",
        arguments: [
            "", ":", ":443", "example.test", "example.test:", "example.test:0", "example.test:65536",
            "example.test:443443", "example.test:+443", "example.test:-1", "example.test: 443", "example.test:443 ",
            "example.test:https", "example.test:٤٤٣", "https://example.test:443", "https://example.test:443/",
            "user@example.test:443", "[::1]", "[::1]443", "[::1:443", "::1]:443", "fd00::1", "example.test:443:443",
            "example.test:18446744073709551617",
        ])
    func refused(authority: String) {
        #expect(Endpoint(authority) == nil)
    }

    @Test("Endpoints are equal when host and port are")
    func equality() throws {
        let host = try #require(HostName("example.test"))
        #expect(Endpoint("EXAMPLE.TEST:443") == Endpoint(host: host, port: 443))
        #expect(Endpoint("example.test:443") != Endpoint(host: host, port: 444))
    }
}
