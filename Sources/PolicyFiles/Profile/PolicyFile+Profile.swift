internal import Pinning

/// What apps with a profile do.
extension PolicyFile {
    func appPolicy(_ profile: Profile, _ environment: PolicyEnvironment) throws(PolicyFileError) -> AppPolicy {
        let version = environment.libraryVersion ?? profile.version
        switch profile.policy {
        case .afNetworking(let fields):
            try expect([.ios, .macos], environment)
            return try appPolicy(fields, version ?? AFSecurityPolicy.latestVersion)
        case .alamofire4(let policies):
            try expect([.ios, .macos], environment)
            let session = version.map { Alamofire4Session(version: $0, policies: policies) }
            return appPolicy(session ?? Alamofire4Session(policies: policies), \.version)
        case .alamofire5(let evaluators, let allHostsMustBeEvaluated):
            try expect([.ios, .macos], environment)
            let session = version.map {
                Alamofire5Session(
                    version: $0, evaluators: evaluators, allHostsMustBeEvaluated: allHostsMustBeEvaluated)
            }
            let newest = Alamofire5Session(
                evaluators: evaluators, allHostsMustBeEvaluated: allHostsMustBeEvaluated)
            return appPolicy(session ?? newest, \.version)
        case .okHttp(let pins, let isOnAndroid):
            return try appPolicy(pins, profile.version ?? OkHttpPins.newest, isOnAndroid: isOnAndroid, environment)
        case .urllib3(let policy):
            try expectNoPlatform(environment)
            return AppPolicy(
                name: version.map { "urllib3 \($0)" } ?? "urllib3", policy: policy, redirects: .requests)
        }
    }

    private func appPolicy<Session: PinningPolicy>(
        _ session: Session, _ version: KeyPath<Session, LibraryVersion>
    ) -> AppPolicy {
        AppPolicy(name: "Alamofire \(session[keyPath: version])", policy: session, redirects: .urlSession)
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
