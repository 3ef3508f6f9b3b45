internal import Pinning

/// A library, its release and the fields of its policy, as a profile names them.
struct Profile: Sendable {
    /// The release; nil if the profile does not say.
    var version: LibraryVersion?
    var policy: Policy

    /// A library's policy.
    enum Policy: Sendable {
        case afNetworking(AFNetworkingFields)
        case alamofire(AlamofireHosts)
        case okHttp(OkHttpPins, isOnAndroid: Bool?)
        case urllib3(UrllibFingerprintPolicy)

        /// The releases of its library.
        var releases: KnownReleases {
            switch self {
            case .afNetworking: .afNetworking
            case .alamofire: .alamofire
            case .okHttp: .okHttp
            case .urllib3: .urllib3
            }
        }
    }
}

/// The fields of an `AFSecurityPolicy`, and how the app uses it.
struct AFNetworkingFields: Sendable {
    var mode = AFSecurityPolicy.Mode.none
    var pins: [CertificatePin] = []
    var allowInvalidCertificates = false
    /// nil for the release's own default.
    var validatesDomainName: Bool?
    var validatesCertificateChain = true
    var construction: AFSecurityPolicy.Construction?
    /// Whether the policy is an `AFHTTPSessionManager`'s, and whether its `baseURL` is one of HTTPS; nil for another's.
    var baseIsHTTPS: Bool?
}
