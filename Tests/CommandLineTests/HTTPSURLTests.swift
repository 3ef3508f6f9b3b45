import Testing
import Wire

@testable import pinproof

@Suite struct HTTPSURLTests {
    @Test(
        arguments: [
            ("https://api.example.com", "api.example.com", 443, "/", "https://api.example.com/"),
            ("https://api.example.com/", "api.example.com", 443, "/", "https://api.example.com/"),
            (
                "HTTPS://API.example.com:8443/a/b?c=d&e", "api.example.com", 8443, "/a/b?c=d&e",
                "https://api.example.com:8443/a/b?c=d&e"
            ),
            ("https://api.example.com?q", "api.example.com", 443, "/?q", "https://api.example.com/?q"),
            ("https://api.example.com/a#b", "api.example.com", 443, "/a", "https://api.example.com/a"),
            ("https://127.0.0.1:443/", "127.0.0.1", 443, "/", "https://127.0.0.1/"),
            ("https://[::1]/", "::1", 443, "/", "https://[::1]/"),
            ("https://[::1]:8443/", "::1", 8443, "/", "https://[::1]:8443/"),
            ("https://api.example.com//x:y@z", "api.example.com", 443, "//x:y@z", "https://api.example.com//x:y@z"),
        ] as [(String, String, UInt16, String, String)])
    func reads(text: String, host: String, port: UInt16, target: String, canonical: String) throws {
        let url = try #require(HTTPSURL(text))
        #expect(url.endpoint.host.text == host)
        #expect(url.endpoint.port == port)
        #expect(url.target == target)
        #expect(url.description == canonical)
    }

    @Test(arguments: [
        "", "https://", "https:///", "http://example.com/", "example.com", "https:example.com",
        "https://user@example.com/", "https://user:secret@example.com/", "https://example.com:/",
        "https://example.com:0/", "https://example.com:65536/", "https://::1/", "https://[::1/",
        // Nothing may break the lines of the request.
        "https://example.com/a b", "https://example.com/\r\nX: y", "https://example.com/\u{7F}",
        "https://bücher.example/",
    ])
    func refuses(text: String) {
        #expect(HTTPSURL(text) == nil)
    }
}
