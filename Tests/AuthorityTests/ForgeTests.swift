import Authority
import Crypto
import Testing
import Wire

@Suite struct ForgeTests {
    /// A CA that outlives its leaves.
    private func longLivedAuthority() throws -> CertificateAuthority {
        let folder = try TemporaryFolder()
        return try CertificateAuthority.create(in: folder.path + "/ca", days: 3650, now: now - 100 * day)
    }

    private func digest(_ leaf: ForgedLeaf) -> [UInt8] { leaf.identity.chain[0].sha256 }

    @Test func aHostKeepsItsLeaf() throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        let first = try forge.leaf(for: host("api.example.test"), now: now)
        let second = try forge.leaf(for: host("API.example.test."), now: now + 60)
        #expect(!first.fromCache)
        #expect(second.fromCache)
        #expect(digest(first) == digest(second))
    }

    @Test("C30: one entry per address, however it is written")
    func addresses() throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        let first = try forge.leaf(for: host("::1"), now: now)
        #expect(try forge.leaf(for: host("[0:0:0:0:0:0:0:1]"), now: now).fromCache)
        #expect(try !forge.leaf(for: host("127.0.0.1"), now: now).fromCache)
        #expect(try forge.leaf(for: host("::ffff:127.0.0.1"), now: now).fromCache)
        #expect(first.identity.chain[0].subjectAltNames == ["IP:::1"])
    }

    @Test func kindsOfKeyAreKeptApart() throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        let elliptic = try forge.leaf(for: host("a.test"), key: .p256, now: now)
        let rsa = try forge.leaf(for: host("a.test"), key: .rsa(2048), now: now)
        #expect(!rsa.fromCache)
        #expect(rsa.identity.chain[0].keyDescription == "RSA 2048")
        #expect(try digest(forge.leaf(for: host("a.test"), key: .p256, now: now)) == digest(elliptic))
    }

    @Test func theLeastRecentlyUsedLeafIsDropped() throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now), capacity: 2)
        let first = try forge.leaf(for: host("a.test"), now: now)
        let second = try forge.leaf(for: host("b.test"), now: now)
        #expect(try forge.leaf(for: host("a.test"), now: now).fromCache)
        #expect(try !forge.leaf(for: host("c.test"), now: now).fromCache)
        #expect(try digest(forge.leaf(for: host("a.test"), now: now)) == digest(first))
        #expect(try digest(forge.leaf(for: host("b.test"), now: now)) != digest(second))
    }

    @Test("C57: minted anew a day before the end")
    func renewal() throws {
        let forge = Forge(authority: try longLivedAuthority())
        let first = try forge.leaf(for: host("a.test"), now: now)
        // The leaf's last second is 397 days less 48 hours less a second away; a day before that is its last use.
        let lastUse = now + 34_300_800 - 172_800 - 1 - 86_400
        #expect(try digest(forge.leaf(for: host("a.test"), now: lastUse)) == digest(first))
        let second = try forge.leaf(for: host("a.test"), now: lastUse + 1)
        #expect(!second.fromCache)
        #expect(second.identity.chain[0].isValid(at: lastUse + 1 + 300 * day))
        #expect(try forge.leaf(for: host("a.test"), now: lastUse + 2).fromCache)
    }

    @Test func mintedAnewWhenTheClockIsSetBack() throws {
        let forge = Forge(authority: try longLivedAuthority())
        _ = try forge.leaf(for: host("a.test"), now: now)
        #expect(try forge.leaf(for: host("a.test"), now: now - 172_800).fromCache)
        let earlier = try forge.leaf(for: host("a.test"), now: now - 172_801)
        #expect(!earlier.fromCache)
        #expect(earlier.identity.chain[0].isValid(at: now - 172_801))
    }

    @Test func aLeafIsUsedToTheEndOfItsAuthority() throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        _ = try forge.leaf(for: host("a.test"), now: now)
        #expect(try forge.leaf(for: host("a.test"), now: now + 86_400).fromCache)
        #expect(throws: AuthorityError(.expired, "", hint: "")) {
            try forge.leaf(for: host("a.test"), now: now + 86_401)
        }
    }

    @Test func whoeverMintsSecondGetsTheFirstLeaf() async throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now))
        let host = try host("a.test")
        // RSA keys take so long that all of them are at it before the first is done.
        let leaves = try await withThrowingTaskGroup(of: ForgedLeaf.self) { group in
            for _ in 0..<4 { group.addTask { try forge.leaf(for: host, key: .rsa(2048), now: now) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(leaves.map(digest)).count == 1)
        #expect(leaves.count { !$0.fromCache } == 1)
        for leaf in leaves { #expect(leaf.identity.key.belongs(to: leaf.identity.chain[0])) }
    }

    @Test func threadsAgreeOnOneLeafPerHost() async throws {
        let forge = Forge(authority: try CertificateAuthority.ephemeral(now: now), capacity: 8)
        let hosts = try (0..<8).map { try host("host\($0).test") }
        let seen = try await withThrowingTaskGroup(of: [HostName: Set<[UInt8]>].self) { group in
            for start in 0..<8 {
                group.addTask {
                    var seen: [HostName: Set<[UInt8]>] = [:]
                    for turn in 0..<80 {
                        let host = hosts[(start + turn) % 8]
                        let leaf = try forge.leaf(for: host, now: now)
                        #expect(leaf.identity.key.belongs(to: leaf.identity.chain[0]))
                        seen[host, default: []].insert(leaf.identity.chain[0].sha256)
                    }
                    return seen
                }
            }
            return try await group.reduce(into: [:]) { all, part in all.merge(part) { $0.union($1) } }
        }
        #expect(seen.count == 8)
        #expect(seen.values.allSatisfy { $0.count == 1 })
    }
}
