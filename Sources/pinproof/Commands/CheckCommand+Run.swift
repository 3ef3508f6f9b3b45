internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import PinClient
internal import Pinning
internal import Reactor
internal import Wire

extension CheckCommand {
    /// Performs the check and prints what it showed.
    static func run(_ options: CheckOptions) async throws -> ExitCode {
        guard !options.listsPolicies else {
            try StandardStream.output.write(options.json ? try PolicyList.json() : Array(PolicyList.text.utf8))
            return .asExpected
        }
        guard let url = options.url else { preconditionFailure("the table asks for a URL") }
        let pins = try options.pins.map { path in
            PinFile(name: URL(filePath: path).lastPathComponent, contents: try Files.read(path))
        }
        let policy = options.policy(pinning: pins.flatMap(\.pins))
        var check = Check(
            url: url, policy: policy, trust: PathBuilder(platform: try store(options.trust)),
            time: Int64(Date.now.timeIntervalSince1970))
        check.proxy = options.proxy
        check.identityConduct = (policy as? TutorialPolicy)?.identityConduct ?? .whenAsked(leafOnly: false)
        if var location = options.identity {
            location.allowsWeak = options.allowsWeakIdentity
            let source = try IdentitySource(location, readingPasswordFrom: options.identityPassword)
            check.identity = try source.current().identity
        }
        var overrides = ResolveOverrides()
        for override in options.resolve { overrides.add(override) }
        let table = overrides
        check.override = { table.address(for: $0) }
        check.limits = CheckLimits(each: options.timeout)

        let loop = try EventLoop.onOwnThread(name: "client")
        defer {
            loop.stop()
            loop.join()
        }
        let report = CheckReport(check: check, pins: pins, result: try await check.run(on: loop))
        try StandardStream.output.write(options.json ? try report.json() : Array(report.text.utf8))
        return report.exitCode
    }

    private static func store(_ source: TrustSource) throws -> TrustStore {
        switch source {
        case .system: try TrustStore.system()
        case .file(let path): try TrustStore(anchors: try CertificateFile.read(path))
        }
    }
}

extension CheckOptions {
    /// The policy that the options describe.
    fileprivate func policy(pinning pins: [AFSecurityPolicy.Pin]) -> any PinningPolicy {
        guard let tutorial else {
            return AFSecurityPolicy(
                mode: mode?.policyMode ?? .none, pins: pins, allowInvalidCertificates: allowsInvalidCertificates,
                validatesDomainName: validatesDomainName)
        }
        return TutorialPolicy(
            tutorial, pins: pins, hosts: tutorialHosts.isEmpty ? Tutorial.listedHosts : tutorialHosts,
            password: tutorialPassword ?? .right)
    }
}

extension PinningMode {
    fileprivate var policyMode: AFSecurityPolicy.Mode {
        switch self {
        case .none: .none
        case .certificate: .certificate
        case .publickey: .publicKey
        }
    }
}
