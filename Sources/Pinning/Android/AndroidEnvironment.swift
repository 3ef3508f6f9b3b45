/// What of an app's manifest decides about its network security.
public struct AndroidApplication: Sendable, Hashable {
    /// `targetSdkVersion`.
    public var targetSDK: Int
    /// `android:debuggable`.
    public var isDebuggable: Bool
    /// Whether it is an instant app.
    public var isInstant: Bool
    /// Whether it is a privileged app of the system.
    public var isPrivileged: Bool
    /// `android:usesCleartextTraffic`, which counts without a configuration only; nil if it is not stated.
    public var usesCleartextTraffic: Bool?

    /// Whether what the user installed is trusted unless a configuration says otherwise.
    var trustsUserAuthorities: Bool { targetSDK <= 23 && !isPrivileged }

    /// States what a manifest says; the defaults are those of a released app.
    public init(
        targetSDK: Int, isDebuggable: Bool = false, isInstant: Bool = false, isPrivileged: Bool = false,
        usesCleartextTraffic: Bool? = nil
    ) {
        self.targetSDK = targetSDK
        self.isDebuggable = isDebuggable
        self.isInstant = isInstant
        self.isPrivileged = isPrivileged
        self.usesCleartextTraffic = usesCleartextTraffic
    }
}

/// What of an Android device decides about the network security of its apps.
public struct AndroidDevice: Sendable {
    /// The API level of its system.
    public var apiLevel: Int
    /// The authorities that came with the system.
    public var systemAuthorities: [CertificateFacts]
    /// The authorities that its user has installed.
    public var userAuthorities: [CertificateFacts]
    /// The authorities for Wi-Fi Alliance services.
    public var wifiAuthorities: [CertificateFacts]
    /// How far its clock on the wall is ahead of UTC, in seconds: days begin by it.
    public var secondsAheadOfUTC: Int

    /// What an app trusts that says nothing (PS-5-6): the system's authorities, and the user's up to target 23.
    ///
    /// - Parameter application: What its manifest says.
    /// - Returns: The authorities.
    public func standardAuthorities(for application: AndroidApplication) -> [CertificateFacts] {
        application.trustsUserAuthorities ? systemAuthorities + userAuthorities : systemAuthorities
    }

    /// Describes a device.
    public init(
        apiLevel: Int = 34, systemAuthorities: [CertificateFacts] = [], userAuthorities: [CertificateFacts] = [],
        wifiAuthorities: [CertificateFacts] = [], secondsAheadOfUTC: Int = 0
    ) {
        self.apiLevel = apiLevel
        self.systemAuthorities = systemAuthorities
        self.userAuthorities = userAuthorities
        self.wifiAuthorities = wifiAuthorities
        self.secondsAheadOfUTC = secondsAheadOfUTC
    }
}
