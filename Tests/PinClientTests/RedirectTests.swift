import Pinning
import Testing
import Wire

@testable import PinClient

/// What an answer's redirect means for an app; expectations by RFC 9110 section 15.4 and RFC 3986 section 5.4.
@Suite struct RedirectTests {
    private let url: CheckURL

    init() throws { url = try CheckURL("https://a.test/b/c?q") }

    private func redirect(
        _ status: Int, _ location: String?, _ conduct: RedirectConduct = .urlSession, followed: Int = 0
    ) -> Redirect {
        var result = CheckResult()
        let headers = location.map { [HTTPHeader(name: "LOCATION", value: $0)] } ?? []
        result.response = HTTPResponseHead(status: status, headers: headers)
        return Redirect(of: result, from: url, conduct, followed: followed)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `redirects are followed`(status: Int) throws {
        #expect(redirect(status, "https://b.test/") == .follow(try CheckURL("https://b.test/")))
    }

    @Test(arguments: [200, 201, 300, 304, 305, 404])
    func `other answers are none, whatever they say`(status: Int) {
        #expect(redirect(status, "https://b.test/") == .none)
    }

    @Test func `a redirect to nowhere is an answer`() { #expect(redirect(302, nil) == .none) }

    @Test(arguments: [
        ("/x", "https://a.test/x"), ("x", "https://a.test/b/x"), ("?y", "https://a.test/b/c?y"),
        ("//c.test:8443/", "https://c.test:8443/"), ("../d", "https://a.test/d"),
    ])
    func `references are resolved`(reference: String, target: String) throws {
        #expect(redirect(302, reference) == .follow(try CheckURL(target)))
    }

    @Test func `the spelling of a host that is redirected to is kept`() throws {
        guard case .follow(let next) = redirect(302, "https://B.test./") else {
            Issue.record("not followed")
            return
        }
        #expect(next.spelledHost == "B.test.")
        #expect(next.endpoint.host.text == "b.test")
    }

    @Test func `who changes no scheme stays with https`() throws {
        let same = RedirectConduct(limit: 20, changesScheme: false)
        #expect(redirect(302, "https://b.test/", same) == .follow(try CheckURL("https://b.test/")))
        let ending = CheckJourney.Ending.notFollowed(
            location: "http://b.test/", reason: "the app does not go from https to http")
        #expect(redirect(302, "http://b.test/", same) == .end(ending))
        #expect(redirect(302, "http://b.test/") == .follow(try CheckURL("http://b.test/", allowsPlain: true)))
    }

    @Test func `the limit counts those that were followed`() throws {
        let two = RedirectConduct(limit: 2, changesScheme: true)
        #expect(redirect(302, "/x", two, followed: 1) == .follow(try CheckURL("https://a.test/x")))
        #expect(redirect(302, "/x", two, followed: 2) == .end(.tooManyRedirects(limit: 2)))
        let none = CheckJourney.Ending.notFollowed(location: "/x", reason: "the app follows no redirects")
        #expect(redirect(302, "/x", .none) == .end(none))
    }

    @Test func `what cannot be fetched is not followed`() {
        guard case .end(.notFollowed(_, let reason)) = redirect(302, "ftp://b.test/") else {
            Issue.record("followed")
            return
        }
        #expect(reason.hasPrefix("the scheme is ftp"))
    }

    @Test func `a name and a password are dropped, and the redirect is followed`() throws {
        #expect(redirect(302, "https://u:p@b.test/") == .follow(try CheckURL("https://b.test/")))
    }

    @Test(arguments: [300, 304, 305, 399])
    func `PS-7-2: curl follows whatever names a location`(status: Int) throws {
        #expect(redirect(status, "/x", .curl(limit: 50)) == .follow(try CheckURL("https://a.test/x")))
        #expect(redirect(status, "/x", .urlSession) == .none)
    }

    @Test func `an empty location leads nowhere`() { #expect(redirect(302, "") == .none) }

    @Test func `a page of the proxy redirects nobody`() {
        var result = CheckResult()
        result.response = HTTPResponseHead(
            status: 302,
            headers: [HTTPHeader(name: "Location", value: "/x"), HTTPHeader(name: "Pinproof-Fault", value: "refused")])
        #expect(Redirect(of: result, from: url, .urlSession, followed: 0) == .none)
    }
}
