import Pinning
import Testing
import Wire

/// A pinned certificate that a server appends to its chain, without its being on any path, decides nothing (PS-0.3-1).
@Suite struct AppendedCertificateTests {
    /// Every release that is a band's first or last, and some between.
    private static let afVersions = [
        "2.0.0", "2.0.3", "2.1.0", "2.2.0", "2.2.3", "2.2.4", "2.3.1", "2.4.1", "2.5.0", "2.5.1", "2.5.2", "2.5.3",
        "2.5.4", "2.6.0", "2.6.3", "2.7.0", "3.0.0", "3.2.1", "4.0.0", "4.0.1",
    ].compactMap { LibraryVersion($0) }

    /// The certificates that are pinned, and appended.
    private static let pinned = [certificate("server"), certificate("authority"), certificate("self-signed")]
    private static let pins = pinned.map { CertificatePin(name: $0.subject, certificate: $0) }

    /// A library at a release, configured to pin.
    struct Configured: Sendable, CustomStringConvertible {
        var description: String
        var policy: any PinningPolicy

        init(_ description: String, _ policy: any PinningPolicy) {
            self.description = description
            self.policy = policy
        }
    }

    static let policies = afNetworking() + alamofire() + trustKit() + [pinnedDomains]

    private static func afNetworking() -> [Configured] {
        var all: [Configured] = []
        for version in afVersions {
            for mode in AFSecurityPolicy.Mode.allCases {
                for flags in 0..<8 {
                    let policy = AFSecurityPolicy(
                        version: version, mode: mode, pins: pins, allowInvalidCertificates: flags & 1 != 0,
                        validatesDomainName: flags & 2 != 0, validatesCertificateChain: flags & 4 != 0)
                    all.append(Configured("AFNetworking \(version) \(mode) \(flags)", policy))
                }
            }
        }
        return all
    }

    private static func alamofire() -> [Configured] {
        var all: [Configured] = []
        for flags in 0..<4 {
            let (first, second) = (flags & 1 != 0, flags & 2 != 0)
            let fours: [Alamofire4Session.ServerTrustPolicy] = [
                .pinCertificates(pins, validateCertificateChain: first, validateHost: second),
                .pinPublicKeys(pins, validateCertificateChain: first, validateHost: second),
                .performDefaultEvaluation(validateHost: second),
            ]
            for (index, policy) in fours.enumerated() {
                for version in [LibraryVersion(4, 0, 0), LibraryVersion(4, 9, 1)] {
                    let session = Alamofire4Session(version: version, policies: [TutorialScenario.host: policy])
                    all.append(Configured("Alamofire \(version) \(index) \(flags)", session))
                }
            }
            let fives: [Alamofire5Session.Evaluator] = [
                .pinnedCertificates(pins, performDefaultValidation: first, validateHost: second),
                .pinnedCertificates(
                    pins, acceptSelfSignedCertificates: true, performDefaultValidation: first, validateHost: second),
                .publicKeys(pins, performDefaultValidation: first, validateHost: second),
                .composite([.default(validateHost: first), .publicKeys(pins, validateHost: second)]),
            ]
            for (index, evaluator) in fives.enumerated() {
                for version in [LibraryVersion(5, 0, 0), LibraryVersion(5, 12, 0)] {
                    let session = Alamofire5Session(version: version, evaluators: [TutorialScenario.host: evaluator])
                    all.append(Configured("Alamofire \(version) \(index) \(flags)", session))
                }
            }
        }
        return all
    }

    private static func trustKit() -> [Configured] {
        var all: [Configured] = []
        for version in ["1.0.0", "1.5.3", "1.6.0", "3.0.4", "3.0.7"].compactMap({ LibraryVersion($0) }) {
            for enforces in [true, false] {
                let domain = TrustKitDomain(
                    publicKeyHashes: [pinText("server"), pinText("authority")], enforcesPinning: enforces,
                    publicKeyAlgorithms: [.secp256r1])
                let policy = TrustKitPolicy(
                    version: version, configuration: TrustKitConfiguration(domains: [TutorialScenario.host: domain]),
                    suffixes: FewSuffixes(), setting: .init(isMacOS: true))
                all.append(Configured("TrustKit \(version) \(enforces)", policy))
            }
        }
        return all
    }

    private static let pinnedDomains = Configured(
        "NSPinnedDomains",
        PinnedDomainsPolicy(
            PinnedDomains(entries: [
                TutorialScenario.host: .init(leafPins: [keyDigest("server")], authorityPins: [keyDigest("authority")])
            ])))

    /// The servers' certificates with their keys' digests, so that libraries that compare those have something to find.
    private static func stated(_ certificate: CertificateFacts) -> CertificateFacts {
        keyed(String(certificate.subject.dropFirst("CN=".count)))
    }

    @Test("PS-0.3-1: for every library and release", arguments: policies)
    func appended(configured: Configured) {
        let policy = configured.policy
        let platform = TutorialScenario.platform
        var compared = 0
        for scenario in TutorialScenario.allCases {
            var server = scenario.server
            server.sent = server.sent.map(Self.stated)
            let expected = policy.evaluate(server, using: platform)
            let path = Self.path(server, platform)
            for extra in Self.pinned.map(Self.stated) where !server.sent.contains(extra) {
                var more = server
                more.sent.append(extra)
                // Sending an issuer that was missing is not appending: it is on the path.
                guard Self.path(more, platform) == path else { continue }
                #expect(policy.evaluate(more, using: platform) == expected, "\(scenario), \(extra.subject)")
                compared += 1
            }
        }
        #expect(compared == 16)
    }

    private static func path(_ server: ServerTrust, _ platform: some TrustEvaluator) -> [CertificateFacts] {
        platform.evaluate(policy: .basicX509, anchors: nil, anchorsOnly: false, sent: server.sent, time: server.time)
            .path
    }
}
