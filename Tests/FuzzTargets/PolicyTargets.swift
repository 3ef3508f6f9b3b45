internal import Pinning
internal import PolicyFiles
internal import Wire

extension FuzzTarget {
    /// `PolicyFile` with Android's XML.
    static let policyXML = FuzzTarget("policy-xml") { input throws(BrokenProperty) in
        try check(input, as: [.networkSecurityConfig, .trustKitAndroid, nil])
    }

    /// `PolicyFile` with property lists.
    static let policyPropertyList = FuzzTarget("policy-plist") { input throws(BrokenProperty) in
        try check(input, as: [.infoPlist, nil])
    }

    /// `PolicyFile` with the formats that are JSON.
    static let policyJSON = FuzzTarget("policy-json") { input throws(BrokenProperty) in
        try check(input, as: [.okHttp, .reactNative, .profile, nil])
    }

    /// `PolicyFile` with options of curl.
    static let policyCurl = FuzzTarget("policy-curl") { input throws(BrokenProperty) in
        try check(input, as: [.curl, nil])
    }

    private static let name = "policy"

    private static func check(_ input: [UInt8], as formats: [PolicyFormat?]) throws(BrokenProperty) {
        for format in formats {
            let file = try load(input, as: format)
            let again = try load(input, as: format)
            try require(file?.remarks == again?.remarks, "what is read twice says the same")
            guard let file else { continue }
            try require(format == nil || file.format == format, "a file is read as what it is said to be")
            for remark in file.remarks {
                try require(isLine(remark.text), "a remark is a line")
                try require(isPlace(remark.place), "a remark has a place")
            }
            try checkPolicy(of: file)
        }
    }

    private static func load(_ input: [UInt8], as format: PolicyFormat?) throws(BrokenProperty) -> PolicyFile? {
        do throws(PolicyFileError) {
            return try PolicyFile(input, named: name, as: format, resources: FewResources())
        } catch {
            try check(error)
            return nil
        }
    }

    private static func check(_ error: PolicyFileError) throws(BrokenProperty) {
        try require(error.file == name || error.file == "policy_debug.xml", "an error has a file")
        try require(isPlace(error.place), "an error has a place")
        try require(isLine(error.reason) && error.mend.map(isLine) ?? true, "an error has a reason in one line")
    }

    /// Nobody is accepted who presents nothing, but by a policy that accepts anybody.
    private static func checkPolicy(of file: PolicyFile) throws(BrokenProperty) {
        for environment in environments {
            let app: AppPolicy
            do throws(PolicyFileError) {
                app = try file.appPolicy(in: environment)
            } catch {
                try check(error)
                continue
            }
            try require(isLine(app.name), "an app's policy has a name")
            guard app.policy.configurationProblem == nil else { continue }
            let server = ServerTrust(sent: [], host: HostName("api.example.com"), time: environment.time)
            let verdict = app.policy.evaluate(server, using: NothingValid())
            try require(
                verdict.decision != .accept || verdict.reason.kind == .anythingAllowed,
                "nobody is accepted who presents nothing")
        }
    }

    private static var environments: [PolicyEnvironment] {
        let versions: [LibraryVersion?] = [nil, LibraryVersion(2, 5, 4), LibraryVersion(4, 3)]
        return versions.flatMap { version in
            [nil, .android, .ios].map { platform in
                PolicyEnvironment(
                    libraryVersion: version, platform: platform, device: AndroidDevice(), trustRoots: [],
                    hasSigned: { _, _ in false }, suffixes: LastLabel(), time: 1_772_323_200)
            }
        }
    }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.count <= 1001
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    private static func isPlace(_ place: PolicyFileError.Place) -> Bool {
        switch place {
        case .file: true
        case .line(let number): number >= 1
        case .key(let keys): !keys.isEmpty
        }
    }
}

/// A folder in which a few names are something.
private struct FewResources: PolicyResources {
    func contents(of path: String) -> [UInt8]? {
        switch path {
        case "key.pem": Array("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n".utf8)
        case "certificates/a.cer": [0x30, 0x00]
        case "raw/ca.pem", "ca.pem": Array("-----BEGIN CERTIFICATE-----\n".utf8)
        default: nil
        }
    }

    func names(in path: String) -> [String]? { path == "certificates" ? ["a.cer"] : nil }

    func certificates(in contents: [UInt8]) -> [CertificateFacts]? { nil }
}

/// A platform that finds no path valid.
private struct NothingValid: TrustEvaluator {
    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        let error = TrustError(.noCertificate, depth: 0, detail: "there is no certificate")
        return TrustResult(path: [], errors: [error], notChecked: [])
    }
}

/// Suffixes of one label.
private struct LastLabel: PublicSuffixes {
    func suffixLength(of host: String) -> Int { host.split(separator: ".").last?.utf8.count ?? 0 }
}
