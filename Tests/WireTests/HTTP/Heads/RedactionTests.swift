import Testing
import Wire

/// What is left of secrets in heads that are told of.
@Suite struct RedactionTests {
    /// What a head of HTTP/1 is told as.
    static func head(_ text: String) throws -> ObservedHead {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        guard case .head(let head) = watch.observe(.client, text: text).first else {
            throw WireError.malformed(field: "head")
        }
        return head
    }

    @Test(
        "Fields keep what is no secret",
        arguments: [
            ("Authorization", "Bearer eyJhbGciOi", "Bearer (redacted)"),
            ("AUTHORIZATION", "Basic  dXNlcjpwYXNz", "Basic (redacted)"),
            ("authorization", "AWS4-HMAC-SHA256 Credential=a/b, Signature=c", "AWS4-HMAC-SHA256 (redacted)"),
            ("Authorization", "dXNlcjpwYXNz", "(redacted)"), ("Authorization", "a=b c", "(redacted)"),
            ("Proxy-Authorization", "Digest username=\"u\"", "Digest (redacted)"),
            ("Cookie", "a=1; b=2", "a=(redacted); b=(redacted)"), ("Cookie", "a=1;b=x=y", "a=(redacted); b=(redacted)"),
            ("Cookie", "only-a-value", "(redacted)"), ("Cookie", "a=\u{301}hidden=2", "a=(redacted)"),
            ("Set-Cookie", "id=42; Path=/; HttpOnly", "id=(redacted); Path=/; HttpOnly"),
            ("Set-Cookie", "id=42", "id=(redacted)"), ("Set-Cookie", "id; Secure", "(redacted); Secure"),
            ("X-Api-Key", "k", "(redacted)"), ("api-key", "k", "(redacted)"), ("X-Auth-Token", "k", "(redacted)"),
            ("X-CSRF-Token", "k", "(redacted)"), ("X-Amz-Security-Token", "k", "(redacted)"),
            ("My-Client-Secret", "k", "(redacted)"), ("X-PASSWORD", "k", "(redacted)"),
            ("ApiKey", "k", "(redacted)"), ("Stripe-Signature", "t=1,v1=k", "(redacted)"),
            ("Location", "https://u:p@h.test/cb?code=1&state=2", "https://h.test/cb?code=(redacted)&state=2"),
            ("Referer", "/a?b=c#access_token=d", "/a?b=c#access_token=(redacted)"),
            ("Accept", "text/html, */*;q=0.8", "text/html, */*;q=0.8"), ("X-Keyboard", "k", "k"),
            ("WWW-Authenticate", "Basic realm=\"a\"", "Basic realm=\"a\""),
        ])
    func fields(name: String, value: String, expected: String) throws {
        let head = try Self.head("GET / HTTP/1.1\r\n\(name): \(value)\r\n\r\n")
        #expect(head.fields == [HTTPHeader(name: name, value: expected)])
    }

    @Test(
        "Targets keep the names of their parameters",
        arguments: [
            ("/", "/"), ("/a;b=c?d=e", "/a;b=c?d=e"), ("*", "*"),
            ("/?token=1&a=2", "/?token=(redacted)&a=2"), ("/?a=2&TOKEN=1", "/?a=2&TOKEN=(redacted)"),
            (
                "/?access_token=1&id_token=2&refresh_token=3",
                "/?access_token=(redacted)&id_token=(redacted)&refresh_token=(redacted)"
            ),
            (
                "/?code=1&key=2&api_key=3&apikey=4",
                "/?code=(redacted)&key=(redacted)&api_key=(redacted)&apikey=(redacted)"
            ),
            (
                "/?secret=1&client_secret=2&password=3",
                "/?secret=(redacted)&client_secret=(redacted)&password=(redacted)"
            ),
            (
                "/?passwd=1&pwd=2&sig=3&signature=4",
                "/?passwd=(redacted)&pwd=(redacted)&sig=(redacted)&signature=(redacted)"
            ),
            ("/?session=1&auth=2&jwt=3", "/?session=(redacted)&auth=(redacted)&jwt=(redacted)"),
            (
                "/o?X-Amz-Signature=1&X-Amz-Date=2&X-Amz-Credential=3&X-Amz-Security-Token=4",
                "/o?X-Amz-Signature=(redacted)&X-Amz-Date=2&X-Amz-Credential=(redacted)&X-Amz-Security-Token=(redacted)"
            ),
            ("/?zip_code=1&keyboard=2", "/?zip_code=1&keyboard=2"), ("/?token", "/?token"), ("/?token=", "/?token="),
            ("/?a;token=1;b=2&c=3", "/?a;token=(redacted)&c=3"), ("/?token=1?2=3&c=4", "/?token=(redacted)&c=4"),
            ("/?t%6fken=1&%74oken=2", "/?t%6fken=(redacted)&%74oken=(redacted)"), ("/?a=token=1", "/?a=token=1"),
            ("/#access_token=1&b=2", "/#access_token=(redacted)&b=2"),
            ("/a?b#/c?access_token=1", "/a?b#/c?access_token=(redacted)"),
            ("http://u:p@h.test:80/a@b?c=d@e", "http://h.test:80/a@b?c=d@e"), ("http://u@h.test", "http://h.test"),
            ("http://u:p@q@h.test?x", "http://h.test?x"), ("/a//u@h", "/a//u@h"), ("/?u=http://a@b", "/?u=http://b"),
        ])
    func targets(target: String, expected: String) throws {
        #expect(try Self.head("GET \(target) HTTP/1.1\r\n\r\n").target == expected)
    }

    @Test("Authorities lose their userinfo, in CONNECT too")
    func authorities() throws {
        let head = try Self.head("CONNECT u:p@h.test:443 HTTP/1.1\r\nHost: u:p@h.test\r\n\r\n")
        #expect(head.target == "h.test:443")
        #expect(head.authority == "h.test")
    }

    @Test("The secrets of a long head cost no more than its length asks for", .timeLimit(.minutes(1)))
    func isLinear() throws {
        let text = String(repeating: "=", count: 60_000)
        #expect(try Self.head("GET /?\(text) HTTP/1.1\r\n\r\n").target == "/?\(text)")
        let parameters = String(repeating: "token=a&", count: 7_000)
        let expected = String(repeating: "token=(redacted)&", count: 7_000)
        #expect(try Self.head("GET /?\(parameters) HTTP/1.1\r\n\r\n").target == "/?\(expected)")
    }
}
