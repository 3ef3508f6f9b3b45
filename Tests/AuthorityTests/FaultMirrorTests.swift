import Authority
import Crypto
import Testing
import Wire

/// Which leaf an origin's faults make; faults by the numbers of OpenSSL's `X509_V_ERR_*`.
@Suite struct FaultMirrorTests {
    private let authority: CertificateAuthority
    private let forge: Forge

    init() throws {
        authority = try CertificateAuthority.ephemeral(now: now)
        forge = Forge(authority: authority)
    }

    /// An origin's certificate; who signed it does not matter here.
    private func origin(
        _ names: [AlternativeName] = [.dns("api.test")], from: Int64 = now - day, to: Int64 = now + day,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        var template = CertificateTemplate.server(names: names, notBefore: from, notAfter: to)
        change(&template)
        return try template.identity().chain[0]
    }

    private func mirror(_ numbers: [Int32], _ origin: Certificate) throws -> FaultMirror {
        try FaultMirror(of: numbers.map { VerificationFault(verifyError: $0, depth: 0) }, on: origin)
    }

    /// The chain for a client that asks for api.test.
    private func chain(_ numbers: [Int32], _ origin: Certificate, host name: String = "api.test") throws
        -> [Certificate]
    {
        try forge.leaf(for: host(name), mirroring: mirror(numbers, origin), now: now).identity.chain
    }

    @Test("C53: an expired leaf has the origin's dates, and is sound otherwise")
    func expired() throws {
        let origin = try origin(from: now - 90 * day, to: now - 5)
        let chain = try chain([10], origin)
        let leaf = try #require(chain.first)
        #expect(leaf.notBefore == now - 90 * day)
        #expect(leaf.notAfter == now - 5)
        #expect(leaf.subjectAltNames == ["DNS:api.test"])
        #expect(leaf.isIssued(by: authority.certificate))
        #expect(leaf.spkiSHA256 != origin.spkiSHA256)
        #expect(chain.count == 1)
    }

    @Test("C53: a leaf that is not yet valid has the origin's dates")
    func notYetValid() throws {
        let leaf = try #require(try chain([9], origin(from: now + 5, to: now + 90 * day)).first)
        #expect(leaf.notBefore == now + 5)
        #expect(leaf.notAfter == now + 90 * day)
        #expect(leaf.isIssued(by: authority.certificate))
    }

    /// 397 days in all, the last second included, are 34,300,800 seconds.
    @Test("C57: the length of an origin's validity is no fault of its own")
    func longest() throws {
        let over = try #require(try chain([10], origin(from: now - 4000 * day, to: now - 5)).first)
        #expect(over.notBefore == now - 5 - 34_300_799)
        #expect(over.notAfter == now - 5)
        let early = try #require(try chain([9], origin(from: now + 5, to: now + 4000 * day)).first)
        #expect(early.notBefore == now + 5)
        #expect(early.notAfter == now + 5 + 34_300_799)
    }

    @Test("C53: dates in the wrong order stay so")
    func neverValid() throws {
        let leaf = try #require(try chain([9, 10], origin(from: now + 60, to: now - 60)).first)
        #expect(leaf.notBefore == now + 60)
        #expect(leaf.notAfter == now - 60)
        #expect(try mirror([10, 9], origin(from: now + 60, to: now - 60)).faults == [.expired, .notYetValid])
    }

    @Test("C53: a leaf for another name has the origin's names and no other", arguments: [62, 64] as [Int32])
    func wrongName(_ number: Int32) throws {
        let names: [AlternativeName] = [.dns("www.test.example"), .dns("*.other.example"), .address([192, 0, 2, 1])]
        let leaf = try #require(try chain([number], origin(names)).first)
        #expect(leaf.subjectAltNames == ["DNS:www.test.example", "DNS:*.other.example", "IP:192.0.2.1"])
        #expect(leaf.subject == "CN=www.test.example")
        #expect(leaf.isValid(at: now))
        #expect(leaf.isIssued(by: authority.certificate))
    }

    @Test("C53: a common name alone is mirrored as a common name alone")
    func commonNameOnly() throws {
        let origin = try origin { $0.alternativeNames = [] }
        let leaf = try #require(try chain([62], origin).first)
        #expect(leaf.subject == "CN=api.test")
        #expect(leaf.subjectAltNames == [])
        // subjectAltName is 2.5.29.17.
        #expect(!Hex.encode(leaf.der).contains("0603551d11"))
    }

    /// What is written differently from the host's own name must not become it.
    @Test("C59: only sound names are copied, as they stand, and not more than a hundred")
    func oddNames() throws {
        let label = String(repeating: "a", count: 64)
        let odd: [AlternativeName] = [
            .uri("https://api.test/"), .email("me@api.test"), .dns(label + ".test"), .dns("api.test:443"),
            .dns("api.test."), .dns(".api.test"), .dns("../../etc/x"), .dns("192.0.2.1"), .dns("a*.test"), .dns("*"),
        ]
        let some = try #require(try chain([62], origin(odd + [.dns("WWW.example")])).first)
        #expect(some.subjectAltNames == ["DNS:WWW.example"])

        let many = (1...200).map { AlternativeName.dns("host\($0).example") }
        let first = try #require(try chain([62], origin(many)).first)
        #expect(first.subjectAltNames == (1...100).map { "DNS:host\($0).example" })

        // Without names the common name would count, and here it is the host's.
        let none = try origin([.dns("api.test")]) { $0.alternativeNames = odd }
        #expect(throws: UnmirroredFault.self) { try mirror([62], none) }
    }

    @Test("C53: names that cannot stand in a common name are not mirrored")
    func oddCommonNames() throws {
        for name in [String?.none, "api\u{7}test"] {
            let origin = try origin {
                $0.alternativeNames = []
                $0.subject = DistinguishedName(commonName: name)
            }
            #expect(throws: UnmirroredFault.self) { try mirror([62], origin) }
        }
    }

    @Test("C53: a self-signed leaf is signed with its own key, which is not the origin's")
    func selfSigned() throws {
        let origin = try origin()
        let chain = try chain([18], origin)
        let leaf = try #require(chain.first)
        #expect(chain.count == 1)
        #expect(leaf.hasSigned(leaf))
        #expect(!authority.certificate.hasSigned(leaf))
        #expect(leaf.issuer == "CN=api.test")
        #expect(leaf.subjectAltNames == ["DNS:api.test"])
        #expect(leaf.spkiSHA256 != origin.spkiSHA256)
        #expect(leaf.isValid(at: now))
    }

    @Test("C61: a self-signed leaf for a name that is no common name has an issuer all the same")
    func longSelfSigned() throws {
        let long = String(repeating: "a", count: 61) + ".test"
        let leaf = try #require(try chain([18], origin(), host: long).first)
        #expect(leaf.issuer == "O=Pinproof TEST ONLY")
        #expect(leaf.subjectAltNames == ["DNS:" + long])
    }

    @Test("C63: an unknown issuer is a CA that nobody was given", arguments: [2, 20, 21, 19] as [Int32])
    func untrusted(_ number: Int32) throws {
        let chain = try chain([number], origin())
        let leaf = try #require(chain.first)
        #expect(!leaf.isIssued(by: authority.certificate))
        let stranger = /CN=Pinproof untrusted TEST ONLY CA [0-9a-f]{8},O=Pinproof untrusted/
        #expect(leaf.issuer.wholeMatch(of: stranger) != nil)
        // Where the origin's chain ended in a root that is not trusted, this one does too.
        #expect(chain.count == (number == 19 ? 2 : 1))
        #expect(number != 19 || leaf.isIssued(by: chain[1]))
        // The same for all hosts of the run.
        #expect(try self.chain([20], origin(), host: "www.test")[0].issuer == leaf.issuer)
        #expect(try !self.chain([20], origin(), host: "www.test")[0].isIssued(by: leaf))
    }

    @Test("C53: several faults at once")
    func several() throws {
        let origin = try origin([.dns("www.example")], from: now - 2 * day, to: now - day)
        let found = try mirror([20, 21, 62, 10], origin)
        #expect(found.faults == [.expired, .wrongName, .untrusted])
        let leaf = try #require(try chain([20, 21, 62, 10], origin).first)
        #expect(leaf.notAfter == now - day)
        #expect(leaf.subjectAltNames == ["DNS:www.example"])
        #expect(leaf.issuer.hasPrefix("CN=Pinproof untrusted TEST ONLY CA "))

        let own = try #require(try chain([18, 62, 10], origin).first)
        #expect(own.hasSigned(own))
        #expect(own.notAfter == now - day)
        #expect(own.subjectAltNames == ["DNS:www.example"])
        #expect(try mirror([18, 62, 10], origin).faults == [.expired, .wrongName, .selfSigned])
    }

    @Test(
        "C53: a fault that no leaf of ours can have is none that is mirrored, whatever else is wrong",
        arguments: [
            // Signature, revoked, purpose, chain too long, weak key, a CA that is none; dates above the leaf.
            [7, 0], [23, 0], [26, 0], [22, 0], [66, 0], [79, 1], [10, 1], [9, 1], [13, 0], [14, 0],
        ] as [[Int]])
    func unmirrored(_ fault: [Int]) throws {
        let odd = VerificationFault(verifyError: Int32(fault[0]), depth: fault[1])
        let expired = VerificationFault(verifyError: 10, depth: 0)
        for found in [[odd], [odd, expired], [expired, odd]] {
            let error = #expect(throws: UnmirroredFault.self) { try FaultMirror(of: found, on: origin()) }
            #expect(error?.fault == odd)
        }
    }

    // MARK: The cache

    @Test("C53: what determines a leaf tells it apart in the cache")
    func cache() throws {
        let api = try host("api.test")
        let expired = try origin(from: now - 3 * day, to: now - day)
        func leaf(_ numbers: [Int32], _ origin: Certificate?) throws -> ForgedLeaf {
            try forge.leaf(for: api, mirroring: origin.map { try mirror(numbers, $0) }, now: now)
        }
        let sound = try leaf([], nil)
        let first = try leaf([10], expired)
        #expect(!sound.fromCache)
        #expect(sound.faults == [])
        #expect(!first.fromCache)
        #expect(first.faults == [.expired])
        // Though it is out of its time.
        #expect(try leaf([10], expired).fromCache)
        #expect(try leaf([10], origin(from: now - 3 * day, to: now - day)).fromCache)
        #expect(try !leaf([10], origin(from: now - 3 * day, to: now - 2 * day)).fromCache)
        #expect(try !leaf([10, 20], expired).fromCache)
        #expect(try !leaf([10, 19], expired).fromCache)
        #expect(try !leaf([10, 18], expired).fromCache)
        #expect(try !leaf([10, 62], origin([.dns("b.test")], from: now - 3 * day, to: now - day)).fromCache)
        #expect(try !leaf([10, 62], origin([.dns("c.test")], from: now - 3 * day, to: now - day)).fromCache)
        #expect(try leaf([10, 62], origin([.dns("b.test")], from: now - 3 * day, to: now - day)).fromCache)
        #expect(try leaf([], nil).fromCache)
        #expect(try leaf([], nil).identity.chain == sound.identity.chain)
    }

    @Test("C53: the CA that nobody was given is made anew when its time is over")
    func strangerExpires() throws {
        let folder = try TemporaryFolder()
        let lasting = Forge(authority: try .create(in: folder.path + "/ca", days: 3650, now: now))
        let mirror = try mirror([20], origin())
        let first = try lasting.leaf(for: host("api.test"), mirroring: mirror, now: now)
        let later = now + 398 * day
        let second = try lasting.leaf(for: host("api.test"), mirroring: mirror, now: later)
        #expect(second.identity.chain[0].isValid(at: later))
        #expect(second.identity.chain[0].issuer != first.identity.chain[0].issuer)
    }
}
