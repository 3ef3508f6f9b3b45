internal import Pinning
internal import Wire

/// Reads a profile: JSON that names a library, its release and the fields of its policy.
struct ProfileLoader {
    let context: LoadingContext
    let folders: CertificateFolders

    /// The libraries that a profile may name.
    static let libraries = ["afnetworking", "alamofire", "okhttp", "urllib3"]

    init(_ context: LoadingContext) {
        self.context = context
        folders = CertificateFolders(context)
    }

    /// Reads the file's value.
    func load(_ value: JSONValue) throws(PolicyFileError) -> Profile {
        var fields = try JSONObject(value, at: [], context, what: "an object")
        let names = Self.libraries.joined(separator: ", ")
        guard let library = try fields.text("library") else {
            throw context.error("library is missing", mend: "it is one of \(names)")
        }
        let version = try fields.text("version", what: "a text such as \"3.2.1\"").map {
            (text) throws(PolicyFileError) in
            guard let version = LibraryVersion(text) else {
                throw context.error("\(text.quoted) is no release", at: fields.place("version"), mend: "such as 3.2.1")
            }
            return version
        }
        let policy: Profile.Policy
        switch library.lowercased() {
        case "afnetworking": policy = .afNetworking(try afNetworking(&fields))
        case "alamofire":
            try expectKnown(version, of: .alamofire)
            policy = try alamofire(&fields, version)
        case "okhttp": policy = try okHttp(&fields)
        case "urllib3": policy = .urllib3(try urllib3(&fields))
        default:
            let near = NearestName.of(library, among: Self.libraries)
            throw context.error(
                "no library that is emulated is named \(library.quoted)", at: fields.place("library"),
                mend: near.map { "did you mean \($0)?" } ?? "it is one of \(names)")
        }
        try fields.finish()
        try expectKnown(version, of: policy.releases)
        return Profile(version: version, policy: policy)
    }

    private func expectKnown(_ version: LibraryVersion?, of releases: KnownReleases) throws(PolicyFileError) {
        guard let problem = version.flatMap(releases.problem) else { return }
        throw context.error(problem, at: .key(["version"]))
    }

    // MARK: AFNetworking

    private static let modes: [(name: String, mode: AFSecurityPolicy.Mode)] = [
        ("AFSSLPinningModeNone", .none), ("AFSSLPinningModePublicKey", .publicKey),
        ("AFSSLPinningModeCertificate", .certificate),
    ]

    private func afNetworking(_ fields: inout JSONObject) throws(PolicyFileError) -> AFNetworkingFields {
        var read = AFNetworkingFields()
        let names = Self.modes.map(\.name)
        if let name = try fields.text("SSLPinningMode", what: "one of \(names.joined(separator: ", "))") {
            guard let found = Self.modes.first(where: { $0.name == name }) else {
                let near = NearestName.of(name, among: names) ?? NearestName.of("AFSSLPinningMode" + name, among: names)
                throw context.error(
                    "there is no mode \(name.quoted)", at: fields.place("SSLPinningMode"),
                    mend: near.map { "did you mean \($0)?" } ?? "it is one of \(names.joined(separator: ", "))")
            }
            read.mode = found.mode
        }
        read.allowInvalidCertificates = try fields.flag("allowInvalidCertificates") ?? false
        read.validatesDomainName = try fields.flag("validatesDomainName")
        read.validatesCertificateChain = try fields.flag("validatesCertificateChain") ?? true
        switch try fields.text("construction") {
        case "defaultPolicy"?: read.construction = .defaultPolicy
        case "policyWithPinningMode"?: read.construction = .policyWithPinningMode
        case nil: break
        case let other?:
            throw context.error(
                "there is no construction \(other.quoted)", at: fields.place("construction"),
                mend: "it is defaultPolicy or policyWithPinningMode")
        }
        switch fields.value("baseURL") {
        case nil: break
        case .null?: read.baseIsHTTPS = false
        case .string(let url)?: read.baseIsHTTPS = url.lowercased().hasPrefix("https://")
        case let value?: throw fields.wrongKind(value, "baseURL", "a URL or null")
        }
        if let folder = try fields.text("certificates", what: "a folder") {
            read.pins = try folders.pins(in: folder, of: .afNetworking, at: fields.place("certificates"))
        }
        return read
    }

    // MARK: OkHttp and urllib3

    private func okHttp(_ fields: inout JSONObject) throws(PolicyFileError) -> Profile.Policy {
        let isOnAndroid: Bool?
        switch try fields.text("runtime") {
        case "jvm"?: isOnAndroid = false
        case "android"?: isOnAndroid = true
        case nil: isOnAndroid = nil
        case let other?:
            throw context.error(
                "there is no runtime \(other.quoted)", at: fields.place("runtime"), mend: "it is jvm or android")
        }
        guard let pins = fields.value("pins") else {
            throw context.error("pins is missing", mend: "it is an object of patterns with arrays of pins")
        }
        return .okHttp(try OkHttpPins(pins, at: ["pins"], context), isOnAndroid: isOnAndroid)
    }

    private func urllib3(_ fields: inout JSONObject) throws(PolicyFileError) -> UrllibFingerprintPolicy {
        var policy = UrllibFingerprintPolicy(fingerprint: try fields.text("assert_fingerprint") ?? "")
        if let problem = policy.configurationProblem {
            throw context.error(
                problem.explanation, at: fields.place("assert_fingerprint"),
                mend: "write 32, 40 or 64 hexadecimal digits, with colons or without")
        }
        switch try fields.text("cert_reqs") {
        case "CERT_NONE"?: policy.verifiesChain = false
        case "CERT_REQUIRED"?, "CERT_OPTIONAL"?, nil: policy.verifiesChain = true
        case let other?:
            throw context.error(
                "there is no \(other.quoted)", at: fields.place("cert_reqs"),
                mend: "it is CERT_NONE, CERT_OPTIONAL or CERT_REQUIRED")
        }
        if let file = try fields.text("ca_certs", what: "a file") {
            let place = fields.place("ca_certs")
            guard let contents = context.resources.contents(of: file) else {
                throw context.error("\(file.quoted) cannot be read", at: place)
            }
            guard let authorities = context.resources.certificates(in: contents), !authorities.isEmpty else {
                throw context.error("\(file.quoted) holds no certificate, or a damaged one", at: place)
            }
            policy.authorities = authorities
        }
        if policy.fingerprint.isEmpty {
            context.remark("without assert_fingerprint nothing is pinned")
        }
        return policy
    }
}
