import Authority
import Crypto
import Testing
import Wire

@Suite struct SerialTests {
    @Test("C58: serials are positive, minimal, of 16 octets, and differ over a restart")
    func serials() throws {
        let folder = try TemporaryFolder()
        let home = folder.path + "/ca"
        let first = try CertificateAuthority.create(in: home, now: now)
        let restarted = try CertificateAuthority.load(
            certificateFile: home + "/ca.pem", keyFile: home + "/ca.key", now: now
        ).authority
        let request = LeafRequest(host: try host("api.example.test"))

        var serials: Set<String> = [first.certificate.serial]
        for turn in 0..<1000 {
            let leaf = try (turn < 500 ? first : restarted).issue(request, now: now).chain[0]
            // Certificate { TBSCertificate { [0] { INTEGER 2 }, INTEGER serial ...: two headers of 4 octets stand before.
            let start = Array(leaf.der[8..<16])
            #expect(Array(start[..<7]) == [0xA0, 0x03, 0x02, 0x01, 0x02, 0x02, 0x10])
            #expect((0x01...0x7F).contains(start[7]))
            #expect(serials.insert(leaf.serial).inserted)
        }
        #expect(serials.count == 1001)
    }
}
