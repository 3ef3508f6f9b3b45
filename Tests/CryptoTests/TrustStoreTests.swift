import Testing
import Wire

@testable import Crypto

/// Where the system's certificates are found, and what a store is asked.
@Suite struct TrustStoreTests {
    @Test("A bundle and the files that are named by a hash are read, each certificate once")
    func files() throws {
        let (first, second, third) = (try Hierarchy("First"), try Hierarchy("Second"), try Hierarchy("Third"))
        let shop = try Workshop()
        try shop.write("bundle.pem", [first.rootCertificate, second.rootCertificate])
        try shop.write("0123abcd.0", [second.rootCertificate])
        try shop.write("0123abcd.1", [third.rootCertificate])
        // Not a hash; OpenSSL does not find it either.
        try shop.write("Third.pem", [third.intermediateCertificate])
        let all = try TrustStore.certificates(inBundle: "\(shop.path)/bundle.pem", folders: "/nowhere:\(shop.path)")
        #expect(
            Set(all) == [first.rootCertificate, second.rootCertificate, third.rootCertificate])
        #expect(all.count == 3)
        let folder = try TrustStore.certificates(inBundle: "\(shop.path)/missing.pem", folders: shop.path)
        #expect(Set(folder) == [second.rootCertificate, third.rootCertificate])
        #expect(try TrustStore.certificates(inBundle: "", folders: "").isEmpty)
    }

    @Test("A file that is there and no certificate is an error")
    func unreadable() throws {
        let shop = try Workshop()
        try shop.write("bundle.pem", Array("nothing".utf8))
        #expect(throws: OpenSSLError.self) {
            try TrustStore.certificates(inBundle: "\(shop.path)/bundle.pem", folders: "")
        }
    }

    @Test("What is listed is what the system's store trusts, which looks into its folder when it is asked")
    func system() throws {
        let store = try TrustStore.system()
        for certificate in try TrustStore.systemCertificates() { #expect(store.contains(certificate)) }
        #expect(try !store.contains(Hierarchy().rootCertificate))
    }

    @Test("Anchors are found by name")
    func names() throws {
        let pki = try Hierarchy()
        let namesake = try Hierarchy().rootCertificate
        let store = try TrustStore(anchors: [pki.rootCertificate, namesake])
        #expect(store.contains(namesake))
        #expect(!store.contains(pki.intermediateCertificate))
        #expect(Set(store.namesakes(of: namesake)) == [pki.rootCertificate, namesake])
        #expect(Set(store.possibleIssuers(of: pki.intermediateCertificate)) == [pki.rootCertificate, namesake])
        #expect(try store.possibleIssuers(of: pki.leaf()).isEmpty)
    }
}
