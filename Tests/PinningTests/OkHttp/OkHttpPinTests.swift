import Pinning
import Testing

@Suite struct OkHttpPinTests {
    private static let digest = digestText("leaf")
    private static let url = "bGVhZn5-fn5-fn5-fn5-fn5-fn5-fn5-fn5-fn5-fn4"

    private func problem(_ pin: String, _ version: LibraryVersion) -> ConfigurationFault.Kind? {
        let pinner = OkHttpCertificatePinner(
            version: version, entries: [.init(pattern: "api.example.com", pins: [pin])])
        guard case .invalidConfiguration(let fault) = pinner.configurationProblem?.kind else { return nil }
        #expect(pinner.configurationProblem?.rule.description == "PS-4-1")
        return fault.kind
    }

    @Test("PS-4-1: sha256 pins exist since 3.2, sha1 pins always, others never")
    func kinds() {
        let sha256 = "sha256/" + Self.digest
        for old in [LibraryVersion(2, 7), LibraryVersion(2, 7, 5), LibraryVersion(3, 1, 2)] {
            #expect(problem(sha256, old) == .unknownPinKind(sha256))
            #expect(problem("sha1/AAAA", old) == nil)
        }
        for new in [LibraryVersion(3, 2), LibraryVersion(3, 13, 1), LibraryVersion(5, 4)] {
            #expect(problem(sha256, new) == nil)
            #expect(problem("sha1/AAAA", new) == nil)
            #expect(problem("md5/AAAA", new) == .unknownPinKind("md5/AAAA"))
            #expect(problem("SHA256/AAAA", new) == .unknownPinKind("SHA256/AAAA"))
            #expect(problem(Self.digest, new) == .unknownPinKind(Self.digest))
        }
    }

    @Test("PS-4-1: what is no Base64 throws, and a length that no digest has does not")
    func base64() {
        let version = LibraryVersion(4, 12)
        #expect(problem("sha256/!", version) == .notBase64("sha256/!"))
        #expect(problem("sha256/AAAAA", version) == .notBase64("sha256/AAAAA"))
        #expect(problem("sha256/AA=A", version) == .notBase64("sha256/AA=A"))
        #expect(problem("sha256/", version) == nil)
        #expect(problem("sha256/AAAA", version) == nil)
    }

    @Test(
        "PS-4-1: both alphabets, blanks and missing padding are read",
        arguments: [
            "sha256/" + digest, "sha256/" + url, "sha256/ " + digest + "\n", "sha256/" + digest.dropLast(),
            "sha256/bGVhZn5+\tfn5+fn5+fn5+fn5+fn5+fn5+ fn5+fn5+fn4=",
        ])
    func lenient(pin: String) {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(3, 13, 1), entries: [.init(pattern: "api.example.com", pins: [pin])])
        let verdict = pinner.evaluate(Minted.server(), using: Minted.platform)
        #expect(verdict.decision == .accept)
        #expect(verdict.match == PinMatch(pin: pin, certificate: Minted.leaf, depth: 0))
    }

    @Test("PS-4-1: a sha1 pin is of the key's SHA-1")
    func sha1() {
        // "leaf" and sixteen tildes.
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(2, 7, 5),
            entries: [.init(pattern: "api.example.com", pins: ["sha1/bGVhZn5+fn5+fn5+fn5+fn5+fn4="])])
        #expect(pinner.evaluate(Minted.server(), using: Minted.platform).decision == .accept)
        let other = OkHttpCertificatePinner(
            version: LibraryVersion(2, 7, 5), entries: [.init(pattern: "api.example.com", pins: ["sha1/AAAA"])])
        #expect(other.evaluate(Minted.server(), using: Minted.platform).decision == .reject)
    }

    @Test("PS-4-1: a pin that throws makes no connection")
    func configError() {
        let pinner = OkHttpCertificatePinner(
            version: LibraryVersion(5, 0), entries: [.init(pattern: "api.example.com", pins: ["sha256/!"])])
        #expect(pinner.evaluate(Minted.server(), using: Minted.platform).decision == .configError)
    }
}
