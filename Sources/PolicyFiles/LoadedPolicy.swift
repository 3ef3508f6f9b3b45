internal import Pinning

/// What a policy's file says, whatever environment it is read for.
enum LoadedPolicy: Sendable {
    case networkSecurity(NetworkSecurityConfig)
    case trustKitAndroid(NetworkSecurityConfig)
    case information(AppleInformation)
    case okHttp(OkHttpPins)
    case reactNative(ReactNativePinning)
    case profile(Profile)
    case curl(CurlOptions)
}

extension LoadedPolicy {
    /// Reads a file of a known format.
    init(_ contents: [UInt8], as format: PolicyFormat, _ context: LoadingContext) throws(PolicyFileError) {
        switch format {
        case .networkSecurityConfig:
            var loader = AndroidConfigurationLoader(context, readsTrustKit: false)
            self = .networkSecurity(try loader.load(contents))
        case .trustKitAndroid:
            var loader = AndroidConfigurationLoader(context, readsTrustKit: true)
            self = .trustKitAndroid(try loader.load(contents))
        case .infoPlist: self = .information(try InformationLoader(context).load(contents))
        case .okHttp: self = .okHttp(try OkHttpPins(JSONValue(contents, context), context))
        case .reactNative: self = .reactNative(try ReactNativeLoader(context).load(JSONValue(contents, context)))
        case .profile: self = .profile(try ProfileLoader(context).load(JSONValue(contents, context)))
        case .curl: self = .curl(try CurlLoader(context).load(contents))
        }
    }
}
