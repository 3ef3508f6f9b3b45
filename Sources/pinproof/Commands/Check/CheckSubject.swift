internal import Crypto
internal import PinClient
internal import Pinning
internal import PolicyFiles

/// The policy that is checked, with what there is to say about it beside its verdicts.
struct CheckSubject {
    /// The library and its release.
    let name: String
    /// The file and its format; nil for a policy of the options.
    private(set) var file: (path: String, format: PolicyFormat)?
    /// The tutorial; nil for another policy.
    private(set) var tutorial: TutorialPolicy?
    /// What becomes of redirects.
    let redirects: RedirectConduct
    /// What the owner of the policy, or of a pinned certificate, should know.
    let remarks: [String]
    private let policy: any PinningPolicy
    private let pinnedDomains: PinnedDomains?
    private let transportSecurity: TransportSecurity?

    /// Reads the policy that the options name or describe.
    init(_ options: CheckOptions, _ platform: CheckPlatform) throws {
        if let path = options.policyFile {
            try self.init(file: path, options, platform)
        } else {
            let pins = try options.pins.map { path in
                PinFile(name: path.lastPathComponent, contents: try Files.read(path))
            }
            self.init(options, pins)
        }
    }

    /// Whoever decides about servers for the app.
    func judge(on platform: CheckPlatform) -> ServerJudge {
        let evaluator = platform.evaluator
        return ServerJudge(
            policy: policy, trust: pinnedDomains.map { PinnedDomainsEvaluator($0, on: evaluator) } ?? evaluator,
            transportSecurity: transportSecurity)
    }

    private init(file path: String, _ options: CheckOptions, _ platform: CheckPlatform) throws {
        let file = try PolicyFile(
            try Files.read(path, limit: PolicyFile.sizeLimit), named: path, as: options.format,
            resources: PolicyFolder(of: path))
        let app = try file.appPolicy(in: platform.environment)
        if options.trustKind == .app, [.networkSecurityConfig, .trustKitAndroid].contains(file.format) {
            throw CommandError(
                "--trust-kind app says nothing to a network security configuration",
                mend: "name the certificates in its <trust-anchors>, as @raw/NAME")
        }
        name = app.name
        self.file = (path, file.format)
        redirects = app.redirects
        remarks = file.remarks.map { remark in
            let place = remark.place.description
            return place.isEmpty ? remark.text : "\(place): \(remark.text)"
        }
        policy = app.policy
        pinnedDomains = app.pinnedDomains
        transportSecurity = app.transportSecurity
    }

    private init(_ options: CheckOptions, _ pins: [PinFile]) {
        remarks = pins.flatMap { pin in pin.remarks.map { "\(pin.name): \($0)" } }
        redirects = .urlSession
        pinnedDomains = nil
        transportSecurity = nil
        guard let tutorial = options.tutorial else {
            let version = options.libraryVersion ?? AFSecurityPolicy.latestVersion
            name = "AFNetworking \(version)"
            policy = AFSecurityPolicy(
                version: version, mode: options.mode?.policyMode ?? .none, pins: pins.flatMap(\.pins),
                allowInvalidCertificates: options.allowsInvalidCertificates,
                validatesDomainName: options.validatesDomainName)
            return
        }
        let written = TutorialPolicy(
            tutorial, pins: pins.flatMap(\.pins),
            hosts: options.tutorialHosts.isEmpty ? Tutorial.listedHosts : options.tutorialHosts,
            password: options.tutorialPassword ?? .right)
        name = tutorial.name
        self.tutorial = written
        policy = written
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

extension String {
    /// What stands behind the last slash.
    fileprivate var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
