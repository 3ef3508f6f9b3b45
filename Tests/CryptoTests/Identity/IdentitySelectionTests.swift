import Crypto
import Testing

@Suite struct IdentitySelectionTests {
    private let authority: TestAuthority
    private let contents: IdentityContents

    init() throws {
        authority = try TestAuthority()
        var file: [UInt8] = []
        for name in ["Alice", "Bob", "Älice, Ltd."] {
            let identity = try CertificateTemplate.authority(
                subject: [("CN", name), ("O", "Test")], notBefore: 0, notAfter: authority.now + 60
            ).identity()
            file += identity.key.pem() + Array(identity.chain[0].pem.utf8)
        }
        contents = try IdentityReader.read(file, at: authority.now) { nil }
    }

    @Test func theOnlyOneOrNoneWithoutAName() throws {
        #expect(contents.candidates.map(\.subject) == ["O=Test,CN=Alice", "O=Test,CN=Bob", "O=Test,CN=Älice\\, Ltd."])
        #expect(throws: IdentityError.severalIdentities(contents.candidates.map(\.description))) {
            try contents.select(nil)
        }
    }

    @Test(arguments: ["Bob", "bob", "O=Test,CN=Bob", "o=test,cn=BOB"])
    func bySubject(wanted: String) throws { #expect(try contents.select(wanted).subject == "O=Test,CN=Bob") }

    @Test func namesBeyondASCII() throws {
        #expect(try contents.select("älice, ltd.").subject == "O=Test,CN=Älice\\, Ltd.")
    }

    @Test func byFingerprint() throws {
        let bob = contents.candidates[1]
        let digits = Array(bob.fingerprint)
        let colons = stride(from: 0, to: 64, by: 2).map { String(digits[$0...$0 + 1]) }.joined(separator: ":")
        for wanted in [bob.fingerprint, colons.uppercased(), String(digits.prefix(8))] {
            #expect(try contents.select(wanted).subject == bob.subject)
        }
        // Seven digits are too few, and one wrong digit is another certificate.
        for wanted in [String(digits.prefix(7)), String(digits.prefix(63)) + (digits[63] == "0" ? "1" : "0")] {
            #expect(throws: IdentityError.noSuchIdentity(wanted, contents.candidates.map(\.description))) {
                try contents.select(wanted)
            }
        }
    }

    @Test func aNameOfSeveralIsNone() throws {
        let twins = try (0..<2).map { _ in
            try CertificateTemplate.authority(
                subject: [("CN", "Twin")], notBefore: 0, notAfter: authority.now + 60
            ).identity()
        }
        let file = twins.flatMap { $0.key.pem() + Array($0.chain[0].pem.utf8) }
        let contents = try IdentityReader.read(file, at: authority.now) { nil }
        #expect(throws: IdentityError.severalIdentities(contents.candidates.map(\.description))) {
            try contents.select("Twin")
        }
    }

    @Test func everyErrorAndWarningIsOneLineThatSaysWhatToDo() {
        let errors: [IdentityError] = [
            .wrongPassword, .passwordNeeded, .noKey, .noCertificate,
            .keyDoesNotMatch(keys: ["EC P-256"], certificates: ["CN=a", "CN=b"]), .unsupportedAlgorithm("IDEA-CBC"),
            .weakKey("RSA 1024 bits"), .severalIdentities(["CN=a", "CN=b"]), .noSuchIdentity("c", ["CN=a"]),
            .notAnIdentityFile("empty"), .damaged("it ends early"), .tooCostly("it is too large"),
        ]
        #expect(Set(errors.map(\.message)).count == errors.count)
        for error in errors {
            #expect(error.description == "\(error.message); \(error.hint)")
            #expect(!error.description.contains("\n") && !error.hint.isEmpty)
        }
        #expect(
            IdentityError.keyDoesNotMatch(keys: ["EC P-256"], certificates: ["CN=a", "CN=b"]).description
                == "the key (EC P-256) belongs to none of the certificates (CN=a; CN=b); "
                + "name two files that were made together")
        #expect(
            IdentityWarning.unusedCertificates(["1", "2", "3", "4", "5", "6", "7"]).description
                == "no identity needs the certificates of 1; 2; 3; 4; 5; and 2 more")
    }

    @Test(
        arguments: [
            ([], "empty"), (Array("hello".utf8), "something else"), ([0x30, 0x00], "other or damaged binary data"),
            (
                [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2],
                "a Java key store of the old kind, which `keytool -importkeystore -deststoretype PKCS12` converts"
            ),
            ([0xFF, 0xFE, 0x2D, 0x00], "text in UTF-16"),
        ] as [([UInt8], String)])
    func otherFilesAreNamed(bytes: [UInt8], what: String) {
        #expect(throws: IdentityError.notAnIdentityFile(what)) {
            try IdentityReader.read(bytes, at: authority.now) { nil }
        }
    }
}
