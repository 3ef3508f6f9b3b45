internal import Foundation
internal import Pinning
internal import Wire

/// What an answer's redirect means for an app (RFC 9110 section 15.4).
enum Redirect: Equatable {
    /// The answer is none.
    case none
    /// The app goes on there.
    case follow(CheckURL)
    /// The app stays where it is.
    case end(CheckJourney.Ending)

    /// Decides about an answer.
    ///
    /// - Parameters:
    ///   - result: What the server showed.
    ///   - url: What was fetched.
    ///   - conduct: What the app's HTTP stack does with redirects.
    ///   - followed: How many it has followed so far.
    init(of result: CheckResult, from url: CheckURL, _ conduct: RedirectConduct, followed: Int) {
        // A page of the proxy is no answer of the server's.
        guard let response = result.response, result.proxyFault == nil, conduct.statuses.contains(response.status),
            let location = response.headers.first(where: { $0.name.lowercased() == "location" })?.value,
            !location.isEmpty
        else {
            self = .none
            return
        }
        func stay(_ reason: String) -> Redirect { .end(.notFollowed(location: location, reason: reason)) }
        guard conduct.limit > 0 else {
            self = stay("the app follows no redirects")
            return
        }
        guard followed < conduct.limit else {
            self = .end(.tooManyRedirects(limit: conduct.limit))
            return
        }
        do throws(CheckURLError) {
            let next = try url.following(location)
            let isAllowed = conduct.changesScheme || next.scheme == url.scheme
            self = isAllowed ? .follow(next) : stay("the app does not go from \(url.scheme) to \(next.scheme)")
        } catch {
            self = stay(error.description)
        }
    }

}

extension CheckURL {
    /// Resolves a reference (RFC 3986 section 5).
    ///
    /// - Parameter reference: The value of a `Location` field.
    /// - Returns: Where it leads.
    /// - Throws: What keeps it from being fetched.
    func following(_ reference: String) throws(CheckURLError) -> CheckURL {
        guard let base = URL(string: description), let target = URL(string: reference, relativeTo: base),
            var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
        else { throw .badReference(reference) }
        // Clients go there all the same, and may or may not send it.
        parts.user = nil
        parts.password = nil
        guard let text = parts.string else { throw .badReference(reference) }
        return try CheckURL(text, allowsPlain: true)
    }
}
