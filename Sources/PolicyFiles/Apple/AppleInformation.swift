internal import Pinning

/// What of an app's Info.plist decides about its connections.
struct AppleInformation: Sendable {
    /// TrustKit's configuration; nil if there is none.
    var trustKit: TrustKitConfiguration?
    /// The platform's pins; nil in a file that holds TrustKit's configuration alone.
    var pinnedDomains: PinnedDomains?
    /// App Transport Security; nil likewise.
    var transportSecurity: TransportSecurity?
}
