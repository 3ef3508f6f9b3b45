internal import Pinning

/// What curl does with its options.
extension PolicyFile {
    func appPolicy(_ options: CurlOptions, _ environment: PolicyEnvironment) throws(PolicyFileError) -> AppPolicy {
        try expectNoPlatform(environment)
        try expectKnown(environment.libraryVersion, of: .curl)
        let version = environment.libraryVersion
        if let joined = options.joined, let version, version < CurlOptions.joinedSince {
            throw PolicyFileError(
                "curl \(version) does not split \(joined.option) at =, and has no such option", in: name,
                at: .line(joined.line), mend: "put a blank in the place of =")
        }
        return AppPolicy(
            name: version.map { "curl \($0)" } ?? "curl",
            policy: options.policy(version: version ?? CurlPublicKeyPin.newest), redirects: options.redirects)
    }
}
