/// A format in which apps and programs write pinning policies down.
public enum PolicyFormat: String, Sendable, CaseIterable {
    /// Android's network security configuration (XML).
    case networkSecurityConfig = "android"
    /// The same, read by TrustKit for Android too, whose tags are in it.
    case trustKitAndroid = "trustkit-android"
    /// An app's Info.plist, XML or binary: TrustKit, `NSPinnedDomains` and App Transport Security.
    case infoPlist = "info-plist"
    /// OkHttp's pins as JSON: an object of patterns with their pins.
    case okHttp = "okhttp"
    /// Options of curl, as a `.curlrc` holds them.
    case curl
    /// `react-native-ssl-public-key-pinning`'s configuration as JSON.
    case reactNative = "react-native"
    /// JSON that names a library, its release and the fields of its policy: AFNetworking, Alamofire, OkHttp, urllib3.
    case profile
}
