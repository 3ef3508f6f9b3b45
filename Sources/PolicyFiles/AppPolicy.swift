public import Pinning

/// What an app does with a server: the policy of its library, and what its platform adds by itself.
public struct AppPolicy: Sendable {
    /// The library and its release, as people say it.
    public let name: String
    /// The library's policy.
    public let policy: any PinningPolicy
    /// The pins that Apple's platforms apply wherever a TLS server with a host is evaluated; nil for none.
    public let pinnedDomains: PinnedDomains?
    /// App Transport Security; nil where there is none.
    public let transportSecurity: TransportSecurity?
    /// What becomes of redirects.
    public let redirects: RedirectConduct
    /// What of the file the release takes in another way than its owner may think.
    public let remarks: [PolicyFile.Remark]

    /// Joins a library's policy and its platform's.
    public init(
        name: String, policy: any PinningPolicy, pinnedDomains: PinnedDomains? = nil,
        transportSecurity: TransportSecurity? = nil, redirects: RedirectConduct,
        remarks: [PolicyFile.Remark] = []
    ) {
        self.name = name
        self.policy = policy
        self.pinnedDomains = pinnedDomains
        self.transportSecurity = transportSecurity
        self.redirects = redirects
        self.remarks = remarks
    }
}
