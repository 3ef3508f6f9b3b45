import Testing
import Wire

/// What is taken for a secret, and what is not: written by hand, in both directions.
@Suite struct RedactionTableTests {
    private func told(_ name: String, _ value: String) throws -> String {
        let watch = HTTPHeadWatch(applicationProtocol: nil)
        guard case .head(let head) = watch.observe(.client, text: "GET / HTTP/1.1\r\n\(name): \(value)\r\n\r\n").first,
            let field = head.fields.first, head.fields.count == 1, field.name == name
        else { throw WireError.malformed(field: "head") }
        return field.value
    }

    @Test(
        "Fields whose whole value is a secret",
        arguments: [
            "X-Session-Id", "Set-Cookie2", "X-Goog-Iap-Jwt-Assertion", "X-Amzn-Oidc-Data", "X-Firebase-AppCheck",
            "Authentication-Info", "Proxy-Authentication-Info", "DPoP", "X-OTP", "X-Passcode", "X-GitHub-PAT",
            "X-Shopify-Access", "X-Shopify-Access-Token", "X-Vault-Token", "Cf-Access-Jwt-Assertion",
            "Ocp-Apim-Subscription-Key", "x-functions-key", "X-Api_Key", "X-ApiKey", "X-2FA", "X-User-Pin", "X-Pass",
            "X-XSRF", "X-Authentication", "X-My-Auth", "X-Parse-Session-Token", "XPinSecret", "X-accessKey", "X-SAML",
        ])
    func secretFields(_ name: String) throws {
        #expect(try told(name, "x7, y=z; /") == "(redacted)")
        #expect(try told(name, "") == "")
    }

    @Test(
        "Fields that stay as they are",
        arguments: [
            ("Content-Type", "multipart/form-data; boundary=token=x"), ("Date", "Tue, 01 Dec 2026 04:21:03 GMT"),
            ("ETag", "W/\"sig=eyJ\""), ("Cache-Control", "no-cache=\"Set-Cookie\", max-age=0"),
            ("Accept", "text/html;q=0.8, */*"), ("Accept-Encoding", "gzip"), ("Accept-Signature", "sig1=()"),
            ("User-Agent", "Bearer basic 1 (key=x)"), ("Host", "session.example.com:8443"),
            ("X-Request-Id", "7f-pin-9"),
            ("WWW-Authenticate", "Bearer realm=\"a\", error=\"invalid_token\""),
            ("WWW-Authenticate", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\""),
            ("Content-Security-Policy", "script-src 'nonce-abc'; report-uri /r?token=1"),
            ("Permissions-Policy", "publickey-credentials-get=(self)"), ("Vary", "Cookie, Authorization"),
            ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Allow-Headers", "Authorization, X-Token"),
            ("X-Shipping", "pin"), ("X-Path", "/a/b"), ("X-Keyboard", "k"), ("X-Compass", "n"), ("X-Accessible", "1"),
            ("X-Sidebar", "1"), ("Authority", "a"), ("Idempotency-Key", "7"), ("Sec-WebSocket-Key", "dGhl=="),
            ("X-Forwarded-Client-Cert", "Hash=ab;Cert=\"-----BEGIN\""), ("X-Forwarded-For", "192.0.2.1"),
            ("Forwarded", "for=192.0.2.1;proto=https"), ("Traceparent", "00-4bf9-00f0-01"), ("Content-Length", "0"),
            ("Strict-Transport-Security", "max-age=1; includeSubDomains"), ("Alt-Svc", "h3=\":443\"; ma=86400"),
            ("Server-Timing", "db;dur=53, miss"), ("If-None-Match", "\"a=b\""), ("Range", "bytes=0-1"),
            ("Content-Disposition", "attachment; filename=\"a%20b.txt\""), ("Refresh", "5; url=/next?page=2"),
            ("Link", "</a?page=2>; rel=\"next\", </b>; rel=\"last\""), ("X-Amzn-Trace-Id", "Root=1-67;Sampled=1"),
            ("X-Word", "heyJude12345 eyJ.x Bearer"), ("Sec-WebSocket-Protocol", "graphql-ws, v12.stomp"),
            ("X-Mail", "me@example.com"), ("Location", "/items?page=2&sort=name#top"),
        ])
    func harmlessFields(_ name: String, _ value: String) throws {
        #expect(try told(name, value) == value)
    }

    @Test(
        "Secrets within values",
        arguments: [
            ("X-Custom", "Bearer abc", "Bearer (redacted)"), ("X-Custom", "basic dTpw x", "basic (redacted)"),
            ("X-Forwarded-Authorization", "Bearer abc", "Bearer (redacted)"),
            ("X-Original-Authorization", "abc", "(redacted)"),
            ("X-Custom", "as BEARER abc, x", "as BEARER (redacted), x"), ("X-Custom", "forbearer abc", "forbearer abc"),
            (
                "X-Custom", "a eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln-_x, b",
                "a (redacted), b"
            ),
            ("Etag", "\"eyJhbGciOi.x.y\"", "\"(redacted)\""),
            (
                "Link", "<https://h.test/a?access_token=abc&b=c>; rel=next",
                "<https://h.test/a?access_token=(redacted)&b=c>; rel=next"
            ),
            ("Refresh", "0; url=https://h.test/?access_token=abc", "0; url=https://h.test/?access_token=(redacted)"),
            ("X-Original-URL", "/a?b=c&token=abc", "/a?b=c&token=(redacted)"),
            ("X-Rewrite-Url", "/a;jsessionid=AB?c=d", "/a;jsessionid=(redacted)?c=d"),
            ("X-Any", "see https://u:p@h.test/ and http://v@i.test", "see https://h.test/ and http://i.test"),
            ("X-Any", "user=me, password=\"a, b\" c=d", "user=me, password=\"(redacted)\" c=d"),
            ("X-Any", "pin=12 pins=3", "pin=(redacted) pins=3"),
            ("X-Any", "https://h.test/?pin=1 pin=2", "https://h.test/?pin=(redacted) pin=(redacted)"),
            ("Host", "u:p@h.test", "h.test"),
            ("Set-Cookie", "a=1; Path=/, b=2; Secure; c=3", "a=(redacted); Path=(redacted); Secure; c=(redacted)"),
            (
                "Set-Cookie", "a=1; expires=Tue, 01 Dec 2026 00:00:00 GMT",
                "a=(redacted); expires=Tue, 01 Dec 2026 00:00:00 GMT"
            ),
            ("Sec-WebSocket-Protocol", "access_token, x7", "access_token, (redacted)"),
            ("Sec-WebSocket-Protocol", "chat, 1a2b3c4d5e6f", "chat, (redacted)"),
            (
                "Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.x, base64.k8s.io",
                "(redacted), (redacted)"
            ),
        ])
    func within(_ name: String, _ value: String, _ expected: String) throws {
        #expect(try told(name, value) == expected)
    }

    @Test(
        "Parameters that are secrets",
        arguments: [
            "pass", "pin", "otp", "sid", "JSESSIONID", "PHPSESSID", "ASP.NET_SessionId", "SAMLResponse", "SAMLRequest",
            "assertion", "client_assertion", "credential", "hmac", "ticket", "bearer", "refresh", "code_verifier",
            "code",
            "auth_code", "passphrase", "user[pin]", "userPin", "X-Amz-Signature", "AWSAccessKeyId", "oauth_token",
            "Key",
        ])
    func secretParameters(_ name: String) throws {
        for target in ["/?\(name)=x7", "/a?b=c&\(name)=x7", "/a;\(name)=x7", "/a#\(name)=x7"] {
            let secret = target.replacing("x7", with: "(redacted)")
            #expect(try RedactionTests.head("GET \(target) HTTP/1.1\r\n\r\n").target == secret)
        }
    }

    @Test(
        "Targets",
        arguments: [
            ("/?data=eyJhbGciOi", "/?data=(redacted)"), ("/r/eyJhbGciOi.eyJ9.x/go", "/r/(redacted)/go"),
            ("/a/password=x7/b?c=d", "/a/password=(redacted)?c=d"), ("/session/list?page=2", "/session/list?page=2"),
            // A URL within: what is encoded ends it, but not a value outside.
            (
                "/?next=https%3A%2F%2Fu%3Ap%40h%2F%3Ftoken%3Dabc%26b%3Dc&d=e",
                "/?next=https%3A%2F%2Fh%2F%3Ftoken%3D(redacted)%26b%3Dc&d=e"
            ),
            ("/?token=a%26b%3Dc&d=e", "/?token=(redacted)&d=e"),
            ("/?q=Bearer%20abc&b=c", "/?q=Bearer%20(redacted)&b=c"),
            ("/?q=bearer+abc", "/?q=bearer+(redacted)"), ("/?a=b,token=c", "/?a=b,token=(redacted)"),
            ("/?password=a\"<b' c", "/?password=(redacted)"), ("/?pass=%", "/?pass=(redacted)"),
            (
                "/?shipping=1&path=2&passenger=3&side=4&design=5&code2=6",
                "/?shipping=1&path=2&passenger=3&side=4&design=5&code2=6"
            ),
            (
                "/?postcode=1&state=2&nonce=3&code_challenge=4&page=5",
                "/?postcode=1&state=2&nonce=3&code_challenge=4&page=5"
            ),
            ("/search?q=what+is+a+key%3F&lang=en", "/search?q=what+is+a+key%3F&lang=en"), ("/%", "/%"),
            ("/?%=%3d", "/?%=%3d"),
        ])
    func targets(_ target: String, _ expected: String) throws {
        #expect(try RedactionTests.head("GET \(target) HTTP/1.1\r\n\r\n").target == expected)
    }
}
