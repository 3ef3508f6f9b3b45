internal import Pinning

/// What apps with a profile do.
extension PolicyFile {
    func appPolicy(_ profile: Profile, _ environment: PolicyEnvironment) throws(PolicyFileError) -> AppPolicy {
        try expectKnown(environment.libraryVersion, of: profile.policy.releases)
        let version = environment.libraryVersion ?? profile.version
        switch profile.policy {
        case .afNetworking(let fields):
            try expect([.ios, .macos], environment)
            return try appPolicy(fields, version ?? AFSecurityPolicy.latestVersion)
        case .alamofire(let hosts):
            try expect([.ios, .macos], environment)
            return try appPolicy(hosts, version ?? hosts.newest)
        case .okHttp(let pins, let isOnAndroid):
            return try appPolicy(pins, profile.version ?? OkHttpPins.newest, isOnAndroid: isOnAndroid, environment)
        case .urllib3(let policy):
            try expectNoPlatform(environment)
            return AppPolicy(
                name: version.map { "urllib3 \($0)" } ?? "urllib3", policy: policy, redirects: .requests)
        }
    }

    private func appPolicy(_ hosts: AlamofireHosts, _ version: LibraryVersion) throws(PolicyFileError) -> AppPolicy {
        if let slip = hosts.slip(in: version) {
            throw PolicyFileError(slip.reason, in: name, at: .key([slip.field]), mend: slip.mend)
        }
        let policy: any PinningPolicy =
            version.major == 4
            ? Alamofire4Session(version: version, policies: hosts.policies)
            : Alamofire5Session(
                version: version, evaluators: hosts.evaluators,
                allHostsMustBeEvaluated: hosts.allHostsMustBeEvaluated ?? true)
        return AppPolicy(name: "Alamofire \(version)", policy: policy, redirects: .urlSession)
    }

    private func appPolicy(
        _ fields: AFNetworkingFields, _ version: LibraryVersion
    ) throws(PolicyFileError) -> AppPolicy {
        // PS-1.4: the session manager raises an exception when the policy is set.
        if version >= LibraryVersion(3, 2), fields.mode != .none, fields.baseIsHTTPS == false {
            throw PolicyFileError(
                "AFHTTPSessionManager \(version) raises an exception: it pins, and its baseURL is not one of https",
                in: name, at: .key(["baseURL"]), mend: "give it a baseURL that begins with https://")
        }
        let policy = AFSecurityPolicy(
            version: version, mode: fields.mode, pins: fields.pins,
            allowInvalidCertificates: fields.allowInvalidCertificates,
            validatesDomainName: fields.validatesDomainName,
            validatesCertificateChain: fields.validatesCertificateChain, construction: fields.construction)
        return AppPolicy(name: "AFNetworking \(version)", policy: policy, redirects: .urlSession)
    }
}
