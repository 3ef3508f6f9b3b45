internal import Crypto
internal import Pinning
internal import PolicyFiles
internal import PublicSuffixList

/// The platform under a policy: what it trusts, and why.
struct CheckPlatform {
    /// Apple's, Android's and OpenSSL's trust evaluation.
    let evaluator: PathBuilder
    /// What a proxy has to trust to reach the same servers.
    let originTrust: TrustStore
    /// The certificates that a user or an administrator installed.
    let userAnchors: [CertificateFacts]
    /// What the policy's file does not say.
    let environment: PolicyEnvironment

    /// Reads what is trusted.
    ///
    /// - Parameters:
    ///   - options: Where it is, and how it came to be trusted.
    ///   - authority: The CA of an interception, which the client trusts too; nil for none.
    ///   - time: When the certificates must be valid.
    /// - Throws: `CommandError` for a file that cannot be read, `OpenSSLError` for what cannot be trusted.
    init(_ options: CheckOptions, trusting authority: Certificate?, time: Int64) throws {
        let extra = authority.map { [$0] } ?? []
        var named = extra
        if case .file(let path) = options.trust { named += try CertificateFile.readAnchors(path) }
        let installed = try options.userTrust.map { try CertificateFile.readAnchors($0) } ?? []
        let systemAdditions = options.trustKind == .system ? named : []
        let user = installed + (options.trustKind == .user ? named : [])
        let application = options.trustKind == .app ? named : []
        let system: TrustStore
        var authorities: [Certificate]
        switch options.trust {
        case .system:
            system = try TrustStore.system(adding: systemAdditions)
            // Only the platforms that are handed their anchors need them one by one.
            authorities = options.policyFile == nil ? [] : try TrustStore.systemCertificates() + systemAdditions
            originTrust = try TrustStore.system(adding: installed)
        case .file:
            system = try TrustStore(anchors: systemAdditions)
            authorities = systemAdditions
            originTrust = try TrustStore(anchors: named + installed)
        }
        let suffixes = PublicSuffixList()
        evaluator = PathBuilder(
            platform: PlatformAnchors(system: system, user: user, application: application), epoch: options.epoch,
            suffixes: suffixes)
        userAnchors = user.map(CertificateFacts.init)
        let applicationFacts = application.map(CertificateFacts.init)
        let systemFacts = authorities.map(CertificateFacts.init)
        environment = PolicyEnvironment(
            libraryVersion: options.libraryVersion, platform: options.platform,
            application: AndroidApplication(targetSDK: options.targetSDK, isDebuggable: options.isDebuggable),
            device: AndroidDevice(
                apiLevel: options.apiLevel, systemAuthorities: systemFacts, userAuthorities: userAnchors),
            applicationAuthorities: applicationFacts, trustRoots: systemFacts + userAnchors + applicationFacts,
            hasSigned: CertificateChainCleaner.verifySignature, suffixes: suffixes, time: time)
    }
}

extension CertificateFile {
    /// Reads what is to be trusted; an empty file is nothing.
    static func readAnchors(_ path: String) throws -> [Certificate] {
        let bytes = try Files.read(path)
        return bytes.isEmpty ? [] : try certificates(in: bytes, of: path)
    }
}
