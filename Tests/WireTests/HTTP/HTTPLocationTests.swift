import Testing
import Wire

@Suite struct HTTPLocationTests {
    @Test(arguments: [
        ("http://pki.example.com/ca.cer", "pki.example.com:80", "/ca.cer"),
        ("HTTP://PKI.example.com:8080/a/b?c=d#e", "pki.example.com:8080", "/a/b?c=d"),
        ("http://192.0.2.1", "192.0.2.1:80", "/"), ("http://[2001:db8::1]/x", "[2001:db8::1]:80", "/x"),
        ("http://[2001:db8::1]:81?q", "[2001:db8::1]:81", "/?q"),
    ])
    func isTakenApart(_ text: String, _ endpoint: String, _ target: String) throws {
        let location = try #require(HTTPLocation(text))
        #expect(location.endpoint.description == endpoint)
        #expect(location.target == target)
        #expect(location.description == "http://\(endpoint)\(target)")
    }

    @Test(arguments: [
        "", "http:", "http://", "http:///x", "https://pki.example.com/ca.cer", "ldap://pki.example.com/cn=ca",
        "http://user@pki.example.com/", "http://pki.example.com:0/", "http://pki.example.com:99999/",
        "http://pki.example.com/a b", "http://pki.example.com/\r\nX: y", "http://pki.example.com/\u{e9}",
        "http://2001:db8::1/", "http://" + String(repeating: "a", count: 2048),
    ])
    func isNone(_ text: String) { #expect(HTTPLocation(text) == nil) }
}
