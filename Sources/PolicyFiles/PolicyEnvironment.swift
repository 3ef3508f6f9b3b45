public import Pinning

/// What a policy's file does not say: the release of the library, the app's manifest, the device.
public struct PolicyEnvironment: Sendable {
    /// Where an app runs.
    public enum Platform: String, Sendable, CaseIterable {
        case android, ios, macos
    }

    /// The library's release; nil for what the file says, or else the newest.
    public var libraryVersion: LibraryVersion?
    /// Where the app runs; nil for where its library does, or else Android.
    public var platform: Platform?
    /// What the manifest of an Android app says.
    public var application: AndroidApplication
    /// The Android device, with what it trusts.
    public var device: AndroidDevice
    /// What an app's own trust manager accepts besides.
    public var applicationAuthorities: [CertificateFacts]
    /// What a JVM trusts.
    public var trustRoots: [CertificateFacts]
    /// Whether one certificate's key has signed another.
    public var hasSigned: CertificateChainCleaner.SignatureCheck
    /// The public suffixes.
    public var suffixes: any PublicSuffixes
    /// When the app starts, in seconds since 1970-01-01 UTC.
    public var time: Int64

    /// Describes an environment.
    public init(
        libraryVersion: LibraryVersion? = nil, platform: Platform? = nil,
        application: AndroidApplication = AndroidApplication(targetSDK: 34), device: AndroidDevice,
        applicationAuthorities: [CertificateFacts] = [], trustRoots: [CertificateFacts],
        hasSigned: @escaping CertificateChainCleaner.SignatureCheck,
        suffixes: any PublicSuffixes, time: Int64
    ) {
        self.libraryVersion = libraryVersion
        self.platform = platform
        self.application = application
        self.device = device
        self.applicationAuthorities = applicationAuthorities
        self.trustRoots = trustRoots
        self.hasSigned = hasSigned
        self.suffixes = suffixes
        self.time = time
    }
}
