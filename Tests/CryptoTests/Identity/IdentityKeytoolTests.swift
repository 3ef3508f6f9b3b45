import Crypto
import Testing

/// Key stores of Java's `keytool`.
@Suite(.enabled(if: Workshop.isInstalled(keytool), "keytool makes the files"))
struct IdentityKeytoolTests {
    private let shop: Workshop
    private let fixture: ClientFixture

    init() throws {
        shop = try Workshop()
        fixture = try ClientFixture()
    }

    /// Adds a self-signed identity to a store.
    private func add(_ alias: String, _ algorithm: String, to store: String, _ options: String...) throws {
        let line =
            "-genkeypair -alias \(alias) -dname CN=\(alias),O=Java -keyalg \(algorithm) -validity 30 "
            + "-keystore \(store) -storepass secret1 -keypass secret1"
        try run(line, options)
    }

    /// Runs keytool; without the second compiler a virtual machine is done in half the time.
    private func run(_ line: String, _ options: [String] = []) throws {
        let words = line.split(separator: " ").map(String.init)
        try shop.run(keytool, ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"] + words + options)
    }

    @Test func severalIdentitiesInOneFile() throws {
        try add("one", "EC", to: "two.p12", "-storetype", "PKCS12")
        try add("two", "RSA", to: "two.p12", "-storetype", "PKCS12")
        let contents = try fixture.read(shop.read("two.p12"), "secret1")
        #expect(contents.warnings == [])
        #expect(contents.candidates.map(\.friendlyName) == ["one", "two"])
        #expect(
            throws: IdentityError.severalIdentities(contents.candidates.map(\.description))
        ) { try contents.select(nil) }
        #expect(try contents.select("TWO").subject == "CN=two,O=Java")
        #expect(try contents.select("one").identity.key.description.hasPrefix("EC "))
        #expect(failure { try fixture.read(shop.read("two.p12"), "secret2") } == .wrongPassword)
        #expect(failure { try fixture.read(shop.read("two.p12")) } == .passwordNeeded)
    }

    @Test(
        arguments: [
            ("-J-Dkeystore.pkcs12.legacy", [.legacyEncryption("PBE-SHA1-3DES"), .legacyEncryption("PBE-SHA1-RC2-40")]),
            ("-J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE", []),
            ("-J-Dkeystore.pkcs12.macAlgorithm=NONE", [.noMAC]),
        ] as [(String, [IdentityWarning])])
    func otherSettings(option: String, warnings: [IdentityWarning]) throws {
        try add("one", "EC", to: "one.p12", "-storetype", "PKCS12", option)
        let contents = try fixture.read(shop.read("one.p12"), "secret1")
        #expect(contents.candidates.map(\.subject) == ["CN=one,O=Java"])
        #expect(contents.warnings == warnings)
    }

    @Test func aStoreOfTheOldKindAfterItsConversion() throws {
        try add("one", "RSA", to: "old.jks", "-storetype", "JKS")
        #expect(
            failure { try fixture.read(shop.read("old.jks"), "secret1") }
                == .notAnIdentityFile(
                    "a Java key store of the old kind, which `keytool -importkeystore -deststoretype PKCS12` converts"))
        let line =
            "-importkeystore -srckeystore old.jks -destkeystore new.p12 -deststoretype PKCS12 "
            + "-srcstorepass secret1 -deststorepass secret1"
        try run(line)
        let contents = try fixture.read(shop.read("new.p12"), "secret1")
        #expect(contents.candidates.map(\.subject) == ["CN=one,O=Java"])
        #expect(contents.warnings == [])
    }
}

private let keytool = "/usr/bin/keytool"
