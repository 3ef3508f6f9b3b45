/// What a platform trusts, by whose decision.
///
/// Some rules for TLS servers depend on it (PS-0.3-7): a vendor asks more of the authorities that it ships than of
/// those that somebody added.
public struct PlatformAnchors: Sendable {
    /// What came with the system.
    public let system: TrustStore
    /// What a user or an administrator installed; a leaf is allowed too.
    public let user: [Certificate]
    /// What the application anchors in its own trust manager, for every connection.
    public let application: [Certificate]

    /// Joins what the system, its users and the application trust.
    ///
    /// - Parameters:
    ///   - system: What came with the system.
    ///   - user: What a user or an administrator installed.
    ///   - application: What the application anchors beside the anchors of a single evaluation.
    public init(system: TrustStore, user: [Certificate] = [], application: [Certificate] = []) {
        self.system = system
        self.user = user
        self.application = application
    }
}
