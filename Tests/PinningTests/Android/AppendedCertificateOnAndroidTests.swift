import Pinning
import Testing

/// A pinned certificate that is only sent along, which the path does not hold, must not change a verdict.
@Suite struct AppendedCertificateOnAndroidTests {
    struct Library: Sendable, CustomStringConvertible {
        var description: String
        /// Known to be taken in (CVE-2016-2402).
        var isVulnerable = false
        /// Pins the key of `Minted.leaf` for api.example.com.
        var policy: any PinningPolicy
    }

    private static let pins = ["sha1/bGVhZn5+fn5+fn5+fn5+fn5+fn4="]

    private static func okHttp(_ version: LibraryVersion, onAndroid: Bool) -> Library {
        let roots = [Minted.root, Minted.otherRoot]
        let isVulnerable =
            version < LibraryVersion(2, 7, 3) || version.major == 3 && version < LibraryVersion(3, 1)
        return Library(
            description: "OkHttp \(version) on \(onAndroid ? "Android" : "a JVM")", isVulnerable: isVulnerable,
            policy: OkHttpCertificatePinner(
                version: version, entries: [.init(pattern: "api.example.com", pins: pins)],
                runtime: onAndroid ? .android : .jvm(trustRoots: roots, hasSigned: mintedSignature)))
    }

    private static let versions = [
        LibraryVersion(2, 7, 0), LibraryVersion(2, 7, 1), LibraryVersion(2, 7, 2), LibraryVersion(2, 7, 3),
        LibraryVersion(2, 7, 4), LibraryVersion(2, 7, 5), LibraryVersion(3, 0, 0), LibraryVersion(3, 0, 1),
        LibraryVersion(3, 1, 0), LibraryVersion(3, 1, 1), LibraryVersion(3, 1, 2), LibraryVersion(3, 2),
        LibraryVersion(3, 3), LibraryVersion(3, 4), LibraryVersion(3, 8, 1), LibraryVersion(3, 9),
        LibraryVersion(3, 13, 1), LibraryVersion(4, 0), LibraryVersion(4, 2), LibraryVersion(4, 3),
        LibraryVersion(4, 12), LibraryVersion(5, 0), LibraryVersion(5, 4),
    ]

    static let libraries: [Library] = {
        let pinned = Android.domain(
            "api.example.com", pins: Android.pins("leaf", "spare"), trustKit: .init(enforcePinning: true))
        var libraries = versions.flatMap { [okHttp($0, onAndroid: true), okHttp($0, onAndroid: false)] }
        libraries += [23, 34].map { target in
            Library(
                description: "network security config, target \(target)",
                policy: Android.policy(Android.config(pinned), targetSDK: target))
        }
        libraries += [17, 23, 24, 34].map { api in
            Library(
                description: "TrustKit for Android, API \(api)",
                policy: TrustKitAndroidPolicy(
                    Android.config(pinned), application: AndroidApplication(targetSDK: 34),
                    device: Android.device(api: api)))
        }
        let pin = CurlPublicKeyPin("sha256//\(digestText("leaf"))") { _ in nil }
        let file = CurlPublicKeyPin("leaf.pub") { _ in Minted.leaf.details.spki }
        libraries += [
            Library(description: "curl, digest", policy: CurlPolicy(pin: pin)),
            Library(description: "curl -k, file", policy: CurlPolicy(pin: file, isInsecure: true)),
        ]
        for (digits, count) in [("SHA-256", 28), ("SHA-1", 16), ("MD5", 12)] {
            let fingerprint = "6c656166" + String(repeating: "7e", count: count)
            libraries += [true, false].map { verifies in
                Library(
                    description: "urllib3, \(digits)\(verifies ? "" : ", CERT_NONE")",
                    policy: UrllibFingerprintPolicy(fingerprint: fingerprint, verifiesChain: verifies))
            }
        }
        let native = ReactNativePinning([.init("api.example.com", publicKeyHashes: [digestText("leaf")])])
        if let policy = try? native.okHttp(version: LibraryVersion(4, 9), startedAt: 0) {
            libraries.append(Library(description: "React Native on Android", policy: policy))
        }
        return libraries
    }()

    /// What a server may add behind its own chain: the pinned certificate, with its issuers and strangers around it.
    private static let additions = [
        [Minted.leaf], [Minted.leaf, Minted.intermediate], Minted.chain,
        [Minted.root, Minted.intermediate, Minted.leaf],
        [minted("stranger"), Minted.leaf, Minted.leaf],
    ]

    @Test(
        "An appended pinned certificate changes no verdict but of the vulnerable releases (PS-0.3-1, PS-4-6)",
        arguments: libraries)
    func appended(library: Library) {
        // The platform looks for what it knows, wherever it was sent; curl and urllib3 ask for no anchors of theirs.
        var platform = Android.platform
        platform.system = [Minted.root, Minted.otherRoot]
        let policy = library.policy
        #expect(policy.evaluate(Minted.server(), using: platform).decision == .accept)
        let bare = policy.evaluate(Minted.server([Minted.otherLeaf]), using: platform)
        #expect(bare.decision == .reject)
        for addition in Self.additions {
            for place in [1, 2] {
                var sent = [Minted.otherLeaf, Minted.otherRoot]
                sent.insert(contentsOf: addition, at: place)
                let verdict = policy.evaluate(Minted.server(sent), using: platform)
                #expect(verdict.decision == (library.isVulnerable ? .accept : .reject))
                if !library.isVulnerable { #expect(verdict.reason == bare.reason) }
            }
        }
    }

    @Test("Every library is among those that are tried")
    func complete() {
        #expect(Self.libraries.count == 46 + 2 + 4 + 2 + 6 + 1)
        #expect(Self.libraries.count(where: \.isVulnerable) == 10)
    }
}
