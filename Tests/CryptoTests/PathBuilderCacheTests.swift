import Pinning
import Testing
import Wire

@testable import Crypto

/// What a builder keeps from one evaluation for the next.
@Suite struct PathBuilderCacheTests {
    private func root(_ index: Int) throws -> Certificate {
        try CertificateTemplate.authority(
            subject: [("CN", "Root \(index)")], notBefore: pathTestTime, notAfter: pathTestTime + 1
        ).identity().chain[0]
    }

    @Test("The lists of anchors that are used are kept, the oldest goes")
    func cache() throws {
        let cache = AnchorCache()
        let lists = try (0..<9).map { index in
            [CertificateFacts(try root(index))]
        }
        let first = cache.store(of: lists[0])
        #expect(cache.store(of: lists[0]) === first)
        #expect(cache.store(of: lists[0].map(\.self)) === first)
        #expect(cache.store(of: lists[0] + lists[1]) !== first)
        for list in lists.dropFirst(3) { _ = cache.store(of: list) }
        // Used again, it is not the oldest.
        #expect(cache.store(of: lists[0]) === first)
        _ = cache.store(of: lists[1])
        #expect(cache.count == 8)
        #expect(cache.store(of: lists[0]) === first)
        for list in lists.dropFirst() { _ = cache.store(of: list) }
        #expect(cache.store(of: lists[0]) !== first)
    }

    @Test("Certificates that are used are kept, the oldest goes")
    func certificates() throws {
        let cache = CertificateCache()
        let all = try (0...CertificateCache.capacity).map(root)
        let first = try #require(cache.certificate(all[0].der))
        for certificate in all.dropLast() { _ = cache.certificate(certificate.der) }
        #expect(cache.count == CertificateCache.capacity)
        #expect(cache.certificate(all[0].der) === first)
        let second = cache.certificate(all[1].der)
        // Room for one more: the third is the oldest now.
        _ = cache.certificate(all[CertificateCache.capacity].der)
        #expect(cache.count == CertificateCache.capacity)
        #expect(cache.certificate(all[0].der) === first)
        #expect(cache.certificate(all[1].der) === second)
    }

    @Test("What is stated of a certificate is the same from memory")
    func facts() throws {
        let cache = CertificateCache()
        let certificate = try root(0)
        for _ in 0..<2 {
            let facts = cache.facts(of: certificate)
            #expect(facts.der == certificate.der)
            #expect(facts.details.spkiSHA256 == certificate.spkiSHA256)
            #expect(facts.subject == "CN=Root 0")
        }
        #expect(cache.count == 1)
        #expect(cache.certificate([1, 2, 3]) == nil)
        #expect(cache.count == 1)
    }
}
