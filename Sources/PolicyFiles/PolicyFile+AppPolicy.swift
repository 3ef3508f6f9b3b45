internal import Pinning

extension PolicyFile {
    /// What the app does.
    ///
    /// Pins of which none can be used are no error here: the policy says so itself.
    ///
    /// - Parameter environment: What the file does not say.
    /// - Returns: The policy.
    /// - Throws: What of the environment contradicts the file, a release that there is not, or what the release throws at.
    public func appPolicy(in environment: PolicyEnvironment) throws(PolicyFileError) -> AppPolicy {
        switch policy {
        case .networkSecurity(let config):
            try expect([.android], environment)
            try expectNoVersion(environment, of: "Android's own configuration")
            guard environment.device.apiLevel >= 24 else {
                throw PolicyFileError(
                    "Android reads it since API 24, and the device's is \(environment.device.apiLevel)", in: name)
            }
            return AppPolicy(
                name: Self.androidName("Android network security configuration", environment),
                policy: NetworkSecurityPolicy(
                    config, application: environment.application, device: environment.device),
                redirects: .androidPlatform)
        case .trustKitAndroid(let config):
            try expect([.android], environment)
            try expectNoVersion(environment, of: "TrustKit for Android, which is emulated in one release")
            return AppPolicy(
                name: Self.androidName("TrustKit for Android", environment),
                policy: TrustKitAndroidPolicy(
                    config, application: environment.application, device: environment.device),
                redirects: .androidPlatform)
        case .information(let information): return try appPolicy(information, environment)
        case .okHttp(let pins): return try appPolicy(pins, OkHttpPins.newest, isOnAndroid: nil, environment)
        case .reactNative(let pinning): return try appPolicy(pinning, environment)
        case .profile(let profile): return try appPolicy(profile, environment)
        case .curl(let options): return try appPolicy(options, environment)
        }
    }

    private static func androidName(_ text: String, _ environment: PolicyEnvironment) -> String {
        let application = environment.application
        return "\(text), targetSdk \(application.targetSDK)" + (application.isDebuggable ? ", debuggable" : "")
    }

    // MARK: Apple

    private func appPolicy(
        _ information: AppleInformation, _ environment: PolicyEnvironment
    ) throws(PolicyFileError) -> AppPolicy {
        try expect([.ios, .macos], environment)
        let isMacOS = environment.platform == .macos
        guard let configuration = information.trustKit else {
            try expectNoVersion(environment, of: "an Info.plist without TrustKit")
            return AppPolicy(
                name: "NSPinnedDomains on \(isMacOS ? "macOS" : "iOS")",
                policy: PinnedDomainsPolicy(information.pinnedDomains ?? PinnedDomains(entries: [:])),
                transportSecurity: information.transportSecurity, redirects: .urlSession)
        }
        let trustKit = try trustKitPolicy(configuration, environment)
        return AppPolicy(
            name: "TrustKit \(trustKit.version)", policy: trustKit, pinnedDomains: information.pinnedDomains,
            transportSecurity: information.transportSecurity, redirects: .urlSession)
    }

    private func trustKitPolicy(
        _ configuration: TrustKitConfiguration, _ environment: PolicyEnvironment
    ) throws(PolicyFileError) -> TrustKitPolicy {
        try expectKnown(environment.libraryVersion, of: .trustKit)
        let setting = TrustKitPolicy.Setting(
            isMacOS: environment.platform == .macos, isDebugBuild: environment.application.isDebuggable)
        guard let version = environment.libraryVersion else {
            return TrustKitPolicy(configuration: configuration, suffixes: environment.suffixes, setting: setting)
        }
        return TrustKitPolicy(
            version: version, configuration: configuration, suffixes: environment.suffixes, setting: setting)
    }

    // MARK: OkHttp and React Native

    /// What an app with OkHttp does.
    func appPolicy(
        _ pins: OkHttpPins, _ version: LibraryVersion, isOnAndroid: Bool?, _ environment: PolicyEnvironment
    ) throws(PolicyFileError) -> AppPolicy {
        try expect([.android], environment)
        if isOnAndroid == false, environment.platform == .android {
            throw PolicyFileError(
                "the runtime is jvm, and the platform is to be android", in: name, at: .key(["runtime"]))
        }
        let isOnAndroid = isOnAndroid ?? (environment.platform == .android)
        let runtime: OkHttpCertificatePinner.Runtime =
            isOnAndroid ? .android : .jvm(trustRoots: environment.trustRoots, hasSigned: environment.hasSigned)
        try expectKnown(environment.libraryVersion, of: .okHttp)
        let version = environment.libraryVersion ?? version
        var pinner = try pins.pinner(version: version, runtime: runtime, file: name)
        pinner.androidAuthorities = environment.standardAuthorities
        return AppPolicy(
            name: "OkHttp \(version) on \(isOnAndroid ? "Android" : "a JVM")", policy: pinner, redirects: .okHttp,
            remarks: pins.remarks(version: version))
    }

    private func appPolicy(
        _ pinning: ReactNativePinning, _ environment: PolicyEnvironment
    ) throws(PolicyFileError) -> AppPolicy {
        let library = "react-native-ssl-public-key-pinning"
        switch environment.platform {
        case .android?, nil:
            try expectKnown(environment.libraryVersion, of: .okHttp)
            let version = environment.libraryVersion ?? OkHttpPins.newest
            do throws(ConfigurationFault) {
                var pinner = try pinning.okHttp(version: version, startedAt: environment.time)
                pinner.androidAuthorities = environment.standardAuthorities
                return AppPolicy(
                    name: "\(library), OkHttp \(version) on Android", policy: pinner, redirects: .okHttp,
                    remarks: pinning.remarks(version: version))
            } catch {
                throw PolicyFileError(error.description, in: name)
            }
        case .ios?:
            let trustKit = try trustKitPolicy(pinning.trustKit, environment)
            return AppPolicy(
                name: "\(library), TrustKit \(trustKit.version) on iOS", policy: trustKit, redirects: .urlSession)
        case .macos?:
            throw PolicyFileError("\(library) runs on android and ios, and not on macos", in: name)
        }
    }
}

extension PolicyEnvironment {
    /// What the app trusts on its device unless a configuration says otherwise.
    fileprivate var standardAuthorities: [CertificateFacts] {
        device.standardAuthorities(for: application) + applicationAuthorities
    }
}

// MARK: Contradictions

extension PolicyFile {
    /// Throws if the app is to run where its library does not.
    func expect(
        _ platforms: [PolicyEnvironment.Platform], _ environment: PolicyEnvironment
    ) throws(PolicyFileError) {
        guard let platform = environment.platform, !platforms.contains(platform) else { return }
        let names = platforms.map(\.rawValue).joined(separator: " or ")
        throw PolicyFileError("a policy of \(names) cannot run on \(platform.rawValue)", in: name)
    }

    /// Throws if a platform is named for what runs on none of them.
    func expectNoPlatform(_ environment: PolicyEnvironment) throws(PolicyFileError) {
        guard let platform = environment.platform else { return }
        throw PolicyFileError("a program's policy has no platform, and \(platform.rawValue) is to be it", in: name)
    }

    /// Throws if a release is named of what has none.
    private func expectNoVersion(_ environment: PolicyEnvironment, of what: String) throws(PolicyFileError) {
        guard let version = environment.libraryVersion else { return }
        throw PolicyFileError("release \(version) is asked for of \(what)", in: name)
    }
}
