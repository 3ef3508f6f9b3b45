// How many verdicts a second: swift run -c release evaluations [SECONDS]
//
// A chain of three certificates (leaf, intermediate, root; P-256), judged by one policy of each library: with the path built
// each time, and with the path given, so that only the library's own steps count. What a verdict with its path costs is
// put beside the two signature checks that no path can do without, in the same run.
import Crypto
import Foundation
import Pinning
import PublicSuffixList
import Wire

/// Answers what was evaluated before.
struct GivenPath: TrustEvaluator {
    let result: TrustResult

    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult { result }
}

/// Three certificates, and who asks for them.
struct Chain {
    let root: TLSIdentity
    let server: ServerTrust
    let leaf: Certificate
    let intermediate: Certificate

    init() throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        let day: Int64 = 86_400
        root = try CertificateTemplate.authority(
            subject: [("CN", "Root")], notBefore: now - 300 * day, notAfter: now + 300 * day
        ).identity()
        let issuing = try CertificateTemplate.authority(
            subject: [("CN", "Intermediate")], notBefore: now - 300 * day, notAfter: now + 300 * day
        ).identity(issuer: root)
        let identity = try CertificateTemplate.server(
            names: [.dns("api.example.com")], notBefore: now - 10 * day, notAfter: now + 80 * day
        ).identity(issuer: issuing)
        leaf = identity.chain[0]
        intermediate = issuing.chain[0]
        server = ServerTrust(
            sent: [leaf, intermediate].map(CertificateFacts.init), host: HostName("api.example.com"),
            spelling: "api.example.com", time: now)
    }

    /// One policy of each library that pins the leaf.
    var policies: [(name: String, policy: any PinningPolicy)] {
        let facts = CertificateFacts(leaf)
        let host = "api.example.com"
        let pins = [CertificatePin(name: "leaf", certificate: facts)]
        let hash = Base64.encode(facts.details.spkiSHA256)
        let backup = Base64.encode([UInt8](repeating: 0, count: 32))
        let roots = root.chain.map(CertificateFacts.init)
        return [
            ("AFNetworking", AFSecurityPolicy(mode: .publicKey, pins: pins)),
            ("Alamofire 4", Alamofire4Session(policies: [host: .pinPublicKeys(pins)])),
            ("Alamofire 5", Alamofire5Session(evaluators: [host: .publicKeys(pins)])),
            (
                "TrustKit",
                TrustKitPolicy(
                    configuration: TrustKitConfiguration(domains: [
                        host: TrustKitDomain(publicKeyHashes: [hash, backup])
                    ]), suffixes: PublicSuffixList())
            ),
            (
                "Android",
                NetworkSecurityPolicy(
                    NetworkSecurityConfig(domainConfigs: [
                        .init(domains: [.init(host)], pinSet: .init([.init(hash)]))
                    ]), application: AndroidApplication(targetSDK: 34),
                    device: AndroidDevice(systemAuthorities: roots))
            ),
            (
                "NSPinnedDomains",
                PinnedDomainsPolicy(PinnedDomains(entries: [host: .init(leafPins: [facts.details.spkiSHA256])]))
            ),
            (
                "OkHttp",
                OkHttpCertificatePinner(
                    version: LibraryVersion(4, 12), entries: [.init(pattern: host, pins: ["sha256/\(hash)"])])
            ),
            ("curl", CurlPolicy(pin: CurlPublicKeyPin("sha256//\(hash)") { _ in nil })),
            ("urllib3", UrllibFingerprintPolicy(fingerprint: Hex.encode(facts.sha256))),
        ]
    }
}

/// Repeats `body` for so many seconds and returns how often a second.
func rate(_ seconds: Double, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    while true {
        for _ in 0..<16 { body() }
        count += 16
        let elapsed = (clock.now - start) / .seconds(1)
        if elapsed >= seconds { return Double(count) / elapsed }
    }
}

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 1
let chain = try Chain()
let platform = PathBuilder(platform: try TrustStore(anchors: chain.root.chain))
let signatures = rate(seconds) {
    precondition(chain.intermediate.hasSigned(chain.leaf) && chain.root.chain[0].hasSigned(chain.intermediate))
}
print("two signature checks: \(Int(signatures)) a second")
func pad(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
print(pad("library", 18) + pad("path built/s", 14) + pad("of two checks", 15) + "path given/s")
for (name, policy) in chain.policies {
    let verdict = policy.evaluate(chain.server, using: platform)
    precondition(verdict.decision == .accept, "\(name): \(verdict.reason)")
    let built = rate(seconds) { _ = policy.evaluate(chain.server, using: platform) }
    let path = GivenPath(result: verdict.trust ?? TrustResult(path: [], errors: [], notChecked: []))
    let given = rate(seconds) { _ = policy.evaluate(chain.server, using: path) }
    print(
        pad(name, 18) + pad("\(Int(built))", 14) + pad(String(format: "%.2fx", signatures / built), 15)
            + "\(Int(given))")
}
