/// Which of Apple's two generations of rules for TLS servers a device applies (PS-0.3-7).
///
/// It is a property of the device, not of a library: trust evaluations are made for one, and policies never ask.
public enum AppleEpoch: String, Sendable, CaseIterable {
    /// iOS 12, macOS 10.14 and earlier: common names count where there is no alternative name, short RSA keys and SHA-1
    /// pass, and none of the dated rules exists.
    case legacy
    /// iOS 13, macOS 10.15 and later.
    case iOS13 = "ios13+"
}
