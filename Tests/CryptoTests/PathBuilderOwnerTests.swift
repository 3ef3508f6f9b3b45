import Crypto
import Pinning
import Testing
import Wire

private let day: Int64 = 86_400
private let hour: Int64 = 3_600

/// By whose decision a path ends where it does.
enum AnchorOwner: CaseIterable {
    /// The application, for one evaluation.
    case given
    /// The application, in its own trust manager.
    case application
    case user
    case system
}

/// The rules of TLS servers that depend on whose anchor is at the end (PS-0.3-7).
@Suite struct PathBuilderOwnerTests {
    /// The faults of a leaf for api.example.com, a day after it was issued.
    private func faults(
        _ leaf: Certificate, below anchor: Certificate, of owner: AnchorOwner, through: [Certificate] = [],
        epoch: AppleEpoch = .iOS13
    ) throws -> [String] {
        try evaluate(
            [leaf] + through, policy: server("api.example.com"), anchors: owner == .given ? [anchor] : nil,
            platform: owner == .system ? [anchor] : [], user: owner == .user ? [anchor] : [],
            application: owner == .application ? [anchor] : [], time: leaf.notBefore + day, epoch: epoch
        ).faults
    }

    /// Seconds since 1970 of the days on which rules change.
    private static let july2016: Int64 = 1_467_331_200
    private static let march2018: Int64 = 1_519_862_400
    private static let july2019: Int64 = 1_561_939_200
    private static let september2020: Int64 = 1_598_918_400

    @Test(
        "PS-0.3-7: how long a leaf may be valid",
        arguments: [
            // Five years with two leap days, then 39 months, 825 days, and 398 without the hour.
            ([.system], july2016 - 1, 1827 * day + hour),
            ([.system], july2016, 1188 * day + hour),
            ([.system], march2018 - 1, 1188 * day + hour),
            ([.system], march2018, 825 * day + hour),
            ([.system], september2020 - 1, 825 * day + hour),
            ([.system], september2020, 398 * day),
            ([.system], pathTestTime, 398 * day),
            ([.given, .application, .user], july2019 + 1, 825 * day + hour),
            ([.given, .application, .user], pathTestTime, 825 * day + hour),
        ] as [([AnchorOwner], Int64, Int64)])
    func lifetime(owners: [AnchorOwner], issued: Int64, longest: Int64) throws {
        let pki = try Hierarchy(at: issued)
        func leaf(_ lifetime: Int64) throws -> Certificate {
            try pki.leaf(issuer: pki.root) { ($0.notBefore, $0.notAfter) = (issued, issued + lifetime) }
        }
        for owner in owners {
            #expect(try faults(leaf(longest), below: pki.rootCertificate, of: owner) == [], "\(owner)")
            let tooLong = try leaf(longest + 1)
            #expect(try faults(tooLong, below: pki.rootCertificate, of: owner) == ["lifetimeTooLong 0"], "\(owner)")
            #expect(try faults(tooLong, below: pki.rootCertificate, of: owner, epoch: .legacy) == [], "\(owner)")
        }
    }

    @Test("PS-0.3-7: leaves of others than the system's authorities had no longest lifetime before 2019-07-01")
    func formerLifetime() throws {
        let pki = try Hierarchy(at: Self.july2019)
        let leaf = try pki.leaf(issuer: pki.root) {
            ($0.notBefore, $0.notAfter) = (Self.july2019, Self.july2019 + 9000 * day)
        }
        for owner in [AnchorOwner.given, .application, .user] {
            #expect(try faults(leaf, below: pki.rootCertificate, of: owner) == [], "\(owner)")
        }
    }

    @Test("PS-0.3-7: neither lifetime nor key sizes matter for a leaf that a user installed")
    func installedLeaf() throws {
        let leaf = try Hierarchy().leaf(key: .rsa(1024)) { $0.notAfter = pathTestTime + 3000 * day }
        #expect(try faults(leaf, below: leaf, of: .user) == [])
        #expect(try faults(leaf, below: leaf, of: .given) == ["lifetimeTooLong 0", "weakKey 0"])
        #expect(try faults(leaf, below: leaf, of: .application) == ["lifetimeTooLong 0", "weakKey 0"])
        #expect(try faults(leaf, below: leaf, of: .system) == ["lifetimeTooLong 0", "weakKey 0"])
    }

    @Test("PS-0.3-7: the system's root is the system's, also where the application lists it")
    func systemRootListedByApplication() throws {
        let pki = try Hierarchy()
        let leaf = try pki.leaf { $0.notAfter = pathTestTime + 400 * day }
        let sent = [leaf, pki.intermediateCertificate]
        func faults(_ platform: [Certificate]) throws -> [String] {
            try evaluate(sent, policy: server(nil), anchors: [pki.rootCertificate], platform: platform).faults
        }
        #expect(try faults([pki.rootCertificate]) == ["lifetimeTooLong 0"])
        #expect(try faults([]) == [])
    }

    @Test("PS-0.3-7: the application's own anchors are the platform's, and out where only given ones count")
    func ownAnchorsAreOut() throws {
        let pki = try Hierarchy()
        let sent = [try pki.leaf(), pki.intermediateCertificate]
        #expect(try evaluate(sent, anchors: [], application: [pki.rootCertificate]).faults == ["noAnchor 1"])
        #expect(try evaluate(sent, anchors: [], user: [pki.rootCertificate]).faults == ["noAnchor 1"])
        #expect(try evaluate(sent, anchors: [], anchorsOnly: false, application: [pki.rootCertificate]).valid)
        #expect(try evaluate(sent, anchors: [], anchorsOnly: false, user: [pki.rootCertificate]).valid)
    }

    @Test(
        "PS-0.3-7: the leaf's purpose",
        arguments: [
            ([.serverAuth], july2019 + 1, true, true, true),
            ([.clientAuth, .serverAuth], july2019 + 1, true, true, true),
            ([.clientAuth], july2019 + 1, false, false, false),
            ([.clientAuth], july2019, false, false, false),
            // Any purpose, or none stated, is never enough below the system's roots, and below those of the
            // application only for leaves that are old.
            ([.any], july2019, true, true, false),
            ([.any], july2019 + 1, false, true, false),
            ([], july2019, true, true, false),
            ([], july2019 + 1, false, true, false),
        ] as [([CertificateTemplate.Purpose], Int64, Bool, Bool, Bool)])
    func purpose(
        purposes: [CertificateTemplate.Purpose], issued: Int64, application: Bool, user: Bool, system: Bool
    ) throws {
        let pki = try Hierarchy(at: issued)
        let leaf = try pki.leaf(issuer: pki.root) {
            ($0.notBefore, $0.purposes) = (issued, purposes)
        }
        let allowed: [AnchorOwner: Bool] = [
            .given: application, .application: application, .user: user, .system: system,
        ]
        for owner in AnchorOwner.allCases {
            let expected = allowed[owner] == true ? [] : ["wrongPurpose 0"]
            #expect(try faults(leaf, below: pki.rootCertificate, of: owner) == expected, "\(owner)")
        }
    }

    @Test("PS-0.3-7: a leaf that a user installed need not state its purpose")
    func purposeOfInstalledLeaf() throws {
        let leaf = try Hierarchy().leaf { $0.purposes = [] }
        #expect(try faults(leaf, below: leaf, of: .user) == [])
        #expect(try faults(leaf, below: leaf, of: .given) == ["wrongPurpose 0"])
    }

    @Test(
        "PS-0.3-7: the purpose of an authority between leaf and anchor, if it states one",
        arguments: [
            ([.serverAuth], true), ([.any], true), ([], true), ([.codeSigning], false), ([.clientAuth], false),
        ] as [([CertificateTemplate.Purpose], Bool)])
    func purposeOfAuthority(purposes: [CertificateTemplate.Purpose], allowed: Bool) throws {
        let pki = try Hierarchy { $0.purposes = purposes }
        let leaf = try pki.leaf()
        for owner in AnchorOwner.allCases {
            let expected = allowed || owner == .user ? [] : ["wrongPurpose 1"]
            let found = try faults(
                leaf, below: pki.rootCertificate, of: owner, through: [pki.intermediateCertificate])
            #expect(found == expected, "\(owner)")
            #expect(try faults(leaf, below: pki.intermediateCertificate, of: owner) == [], "as anchor of \(owner)")
        }
    }
}
