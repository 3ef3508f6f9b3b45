/// What an app's HTTP stack does with redirects.
///
/// Each one that it follows is another server, about which the policy is asked anew.
public struct RedirectConduct: Hashable, Sendable {
    /// How many it follows one after the other; 0 for none.
    public var limit: Int
    /// Whether it follows one from `https` to `http`, or back.
    public var changesScheme: Bool

    /// Describes a stack.
    public init(limit: Int, changesScheme: Bool) {
        self.limit = limit
        self.changesScheme = changesScheme
    }

    /// None is followed.
    public static let none = RedirectConduct(limit: 0, changesScheme: false)

    /// Apple's `URLSession`; whether it goes to `http` is App Transport Security's affair.
    public static let urlSession = RedirectConduct(limit: 20, changesScheme: true)
}
