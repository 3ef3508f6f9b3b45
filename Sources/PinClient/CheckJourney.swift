public import Pinning
public import Reactor

/// A check that goes where its server sends it: each redirect is another server, about which the policy is asked anew.
public struct CheckJourney: Sendable {
    /// One server on the way.
    public struct Stop: Sendable {
        /// What was fetched there.
        public let url: CheckURL
        /// What it showed.
        public let result: CheckResult
    }

    /// Where it ended.
    public enum Ending: Sendable, Equatable {
        /// At an answer that is no redirect, at a refusal or a failure.
        case arrived
        /// At a redirect that the app does not follow, for this reason.
        case notFollowed(location: String, reason: String)
        /// At one redirect more than the app follows.
        case tooManyRedirects(limit: Int)
    }

    /// The servers in the order in which they were asked; at least one.
    public let stops: [Stop]
    /// Where it ended.
    public let ending: Ending
    /// What the last server showed.
    public let result: CheckResult

    /// A journey without redirects.
    public init(to url: CheckURL, result: CheckResult) {
        self.init([Stop(url: url, result: result)], .arrived, result)
    }

    fileprivate init(_ stops: [Stop], _ ending: Ending, _ result: CheckResult) {
        self.stops = stops
        self.ending = ending
        self.result = result
    }
}

extension Check {
    /// Performs the check, and the same at each server to which the answers redirect.
    ///
    /// - Parameters:
    ///   - redirects: What the app's HTTP stack does with redirects.
    ///   - loop: The loop to do it on, as for `run`.
    /// - Returns: What each server showed.
    /// - Throws: As `run`.
    public func journey(_ redirects: RedirectConduct, on loop: EventLoop) async throws -> CheckJourney {
        var check = self
        var stops: [CheckJourney.Stop] = []
        while true {
            let result = try await check.run(on: loop)
            stops.append(CheckJourney.Stop(url: check.url, result: result))
            switch Redirect(of: result, from: check.url, redirects, followed: stops.count - 1) {
            case .none: return CheckJourney(stops, .arrived, result)
            case .end(let ending): return CheckJourney(stops, ending, result)
            case .follow(let url): check.url = url
            }
        }
    }
}
