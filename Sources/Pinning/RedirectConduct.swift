/// What an app's HTTP stack does with redirects.
///
/// Each one that it follows is another server, about which the policy is asked anew.
public struct RedirectConduct: Hashable, Sendable {
    /// How many it follows one after the other; 0 for none.
    public var limit: Int
    /// Whether it follows one from `https` to `http`, or back.
    public var changesScheme: Bool
    /// The statuses of answers that it takes for redirects if they name a location.
    public var statuses: Set<Int>

    /// Describes a stack; the usual statuses are those of RFC 9110 section 15.4 that say where the resource is.
    public init(limit: Int, changesScheme: Bool, statuses: Set<Int> = [301, 302, 303, 307, 308]) {
        self.limit = limit
        self.changesScheme = changesScheme
        self.statuses = statuses
    }

    /// None is followed.
    public static let none = RedirectConduct(limit: 0, changesScheme: false)

    /// Apple's `URLSession`; whether it goes to `http` is App Transport Security's affair.
    public static let urlSession = RedirectConduct(limit: 20, changesScheme: true)

    /// OkHttp with its default `followSslRedirects`.
    public static let okHttp = RedirectConduct(
        limit: 20, changesScheme: true, statuses: [300, 301, 302, 303, 307, 308])

    /// Android's `HttpsURLConnection`.
    public static let androidPlatform = RedirectConduct(
        limit: 20, changesScheme: false, statuses: [300, 301, 302, 303, 307, 308])

    /// requests, and urllib3 as it is used there.
    public static let requests = RedirectConduct(limit: 30, changesScheme: true)

    /// curl with `--location`: whatever is from 300 to 399 and names a location.
    ///
    /// - Parameter limit: `--max-redirs`.
    /// - Returns: The conduct.
    public static func curl(limit: Int) -> RedirectConduct {
        RedirectConduct(limit: limit, changesScheme: true, statuses: Set(300...399))
    }
}
