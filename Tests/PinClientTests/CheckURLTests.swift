import PinClient
import Testing
import Wire

@Suite struct CheckURLTests {
    @Test(arguments: [
        ("https://example.com", "example.com:443", "/", "https://example.com/"),
        ("HTTPS://Example.COM./a/b?c=d#e", "example.com:443", "/a/b?c=d", "https://example.com/a/b?c=d"),
        ("https://example.com:8443?q", "example.com:8443", "/?q", "https://example.com:8443/?q"),
        ("https://example.com:/x", "example.com:443", "/x", "https://example.com/x"),
        ("https://[2001:DB8::1]/", "[2001:db8::1]:443", "/", "https://[2001:db8::1]/"),
        ("https://[::1]:444/@:", "[::1]:444", "/@:", "https://[::1]:444/@:"),
        ("https://192.0.2.1/", "192.0.2.1:443", "/", "https://192.0.2.1/"),
        ("https://example.com/%20?%0d%0a", "example.com:443", "/%20?%0d%0a", "https://example.com/%20?%0d%0a"),
    ])
    func accepted(text: String, endpoint: String, target: String, canonical: String) throws {
        let url = try CheckURL(text)
        #expect(url.endpoint.description == endpoint)
        #expect(url.target == target)
        #expect(url.description == canonical)
    }

    @Test(arguments: [
        ("", CheckURLError.empty),
        ("example.com", .noScheme),
        ("example.com/https://", .noScheme),
        ("https:/example.com", .noScheme),
        ("//example.com", .noScheme),
        ("http://example.com/", .notHTTPS(scheme: "http")),
        ("://example.com/", .notHTTPS(scheme: "")),
        ("https://user:secret@example.com/", .userInformation),
        ("https://", .noHost),
        ("https:///path", .noHost),
        ("https://:443/", .noHost),
        ("https://exa_mple..com:8443/", .badHost("exa_mple..com:8443")),
        ("https://2001:db8::1/", .badHost("2001:db8::1")),
        ("https://[2001:db8::1", .badHost("[2001:db8::1")),
        ("https://example.com:0/", .badPort("0")),
        ("https://example.com:65536/", .badPort("65536")),
        ("https://example.com:-1/", .badPort("-1")),
        ("https://example.com:https/", .badPort("https")),
        ("https://example.com/a b", .notPrintable(" ")),
        ("https://example.com/\r\nHost:evil", .notPrintable("\r")),
        ("https://bücher.example/", .notPrintable("ü")),
    ])
    func refused(text: String, error: CheckURLError) {
        #expect(throws: error) { try CheckURL(text) }
    }

    @Test(arguments: [
        ("http://example.com", CheckURL.Scheme.http, "example.com:80", "http://example.com/"),
        ("HTTP://example.com:8080/a", .http, "example.com:8080", "http://example.com:8080/a"),
        ("http://example.com:443/", .http, "example.com:443", "http://example.com:443/"),
        ("https://example.com:80/", .https, "example.com:80", "https://example.com:80/"),
    ])
    func plainWhereItIsAllowed(text: String, scheme: CheckURL.Scheme, endpoint: String, canonical: String) throws {
        let url = try CheckURL(text, allowsPlain: true)
        #expect(url.scheme == scheme)
        #expect(url.endpoint.description == endpoint)
        #expect(url.description == canonical)
    }

    @Test func otherSchemesAreNeverAllowed() {
        #expect(throws: CheckURLError.notHTTPS(scheme: "ftp")) {
            try CheckURL("ftp://example.com/", allowsPlain: true)
        }
    }

    @Test func errorsSayHowToMendThem() {
        #expect(CheckURLError.notPrintable("ü").description.contains("U+00FC"))
        #expect(
            CheckURLError.notHTTPS(scheme: "http").description
                == "the scheme is http: only https has a certificate to check")
    }
}
