import Crypto
import Pinning
import PolicyFiles
import Testing
import Wire

/// What lies beside a policy's file, as a test puts it there.
struct MemoryResources: PolicyResources {
    var files: [String: [UInt8]] = [:]

    func contents(of path: String) -> [UInt8]? { files[path] }

    func names(in path: String) -> [String]? {
        let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
        return names.isEmpty ? nil : names.sorted()
    }

    func certificates(in contents: [UInt8]) -> [CertificateFacts]? {
        if contents.first == 0x30 { return (try? Certificate(der: contents)).map { [CertificateFacts($0)] } }
        guard let found = try? Certificate.pem(contents), !found.isEmpty else { return nil }
        return found.map(CertificateFacts.init)
    }
}

/// The text of a digest of 32 equal octets in Base64.
func digest(_ octet: UInt8) -> String { Base64.encode([UInt8](repeating: octet, count: 32)) }

func load(
    _ text: String, named name: String = "policy", as format: PolicyFormat? = nil, beside files: [String: [UInt8]] = [:]
) throws(PolicyFileError) -> PolicyFile {
    try PolicyFile(Array(text.utf8), named: name, as: format, resources: MemoryResources(files: files))
}

/// The error of a file that cannot be loaded, in one line; nil if it can.
func complaint(
    _ text: String, as format: PolicyFormat? = nil, beside files: [String: [UInt8]] = [:]
) -> String? {
    do throws(PolicyFileError) {
        _ = try load(text, as: format, beside: files)
        return nil
    } catch {
        return error.description
    }
}

/// The remarks on a file, each behind its place.
func remarks(
    _ text: String, as format: PolicyFormat? = nil, beside files: [String: [UInt8]] = [:]
) throws -> [String] {
    try load(text, as: format, beside: files).remarks.map(\.line)
}

extension PolicyFile.Remark {
    var line: String { place == .file ? text : "\(place): \(text)" }
}

/// Suffixes of one label.
struct OneLabel: PublicSuffixes {
    func suffixLength(of host: String) -> Int {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, Int(last) == nil else { return 0 }
        return last.isEmpty ? labels[labels.count - 2].utf8.count + 1 : last.utf8.count
    }
}

/// 2026-03-01 00:00:00 UTC.
let testTime: Int64 = 1_772_323_200

func environment(
    _ platform: PolicyEnvironment.Platform? = nil, version: LibraryVersion? = nil, targetSDK: Int = 34,
    isDebuggable: Bool = false, apiLevel: Int = 34, time: Int64 = testTime
) -> PolicyEnvironment {
    PolicyEnvironment(
        libraryVersion: version, platform: platform,
        application: AndroidApplication(targetSDK: targetSDK, isDebuggable: isDebuggable),
        device: AndroidDevice(apiLevel: apiLevel), trustRoots: [Presented.root], hasSigned: { _, _ in true },
        suffixes: OneLabel(), time: time)
}

/// A platform that finds every path valid.
struct ValidPlatform: TrustEvaluator {
    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult { TrustResult(path: sent, errors: [], notChecked: []) }
}

/// What a server presents.
enum Presented {
    static let root = CertificateFacts(
        der: [2], publicKey: [2], sha256: [2], subject: "CN=root",
        details: CertificateDetails(
            spki: [0x32], spkiSHA256: Array(repeating: 0xEE, count: 32), subjectName: Array("root".utf8),
            issuerName: Array("root".utf8), authority: .init()), key: .ellipticCurve("P-256", bits: 256))

    /// A leaf for a host, whose key has the digest of 32 of these octets.
    static func leaf(for host: String, key: UInt8 = 0xDD) -> CertificateFacts {
        let name = HostName(host)
        let alternative = name?.addressBytes.map(CertificateDetails.Name.address) ?? .dns(name?.text ?? host)
        return CertificateFacts(
            der: [1, key], publicKey: [key], sha256: [1], subject: "CN=\(host)",
            details: CertificateDetails(
                spki: [0x30, key], spkiSHA256: Array(repeating: key, count: 32), subjectName: Array(host.utf8),
                issuerName: Array("root".utf8), names: [alternative]), key: .ellipticCurve("P-256", bits: 256))
    }

    static func server(_ host: String, key: UInt8 = 0xDD, time: Int64 = testTime) -> ServerTrust {
        ServerTrust(sent: [leaf(for: host, key: key), root], host: HostName(host), spelling: host, time: time)
    }
}

extension PolicyFile {
    /// What the policy decides about a server whose chain is valid.
    func verdict(
        on host: String, key: UInt8 = 0xDD, in environment: PolicyEnvironment, time: Int64 = testTime
    ) throws -> PolicyVerdict {
        try appPolicy(in: environment).policy.evaluate(
            Presented.server(host, key: key, time: time), using: ValidPlatform())
    }
}

/// A certificate in DER whose key no server of these tests has.
func pinnedCertificate() throws -> [UInt8] {
    try CertificateTemplate.server(
        names: [.dns("a.test")], notBefore: testTime - 86_400, notAfter: testTime + 86_400
    ).signed(for: PrivateKey.generate(.p256)).der
}
