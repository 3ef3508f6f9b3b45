import Crypto
import Foundation
import Testing

@testable import Authority

/// The five files of an issued certificate: all or none, over nothing.
@Suite struct IssuedFilesTests {
    private let folder: TemporaryFolder
    private let issued: IssuedCertificate

    init() throws {
        folder = try TemporaryFolder()
        let authority = try CertificateAuthority.ephemeral(now: now)
        issued = try authority.issue(CertificateOrder(.client("app")), now: now).certificate
    }

    private static let names = ["app.csr", "app.der", "app.key.pem", "app.p12", "app.pem"]

    @Test func `keys are for the owner only`() throws {
        let home = folder.path + "/a/b"
        let files = try issued.write(to: home, base: "app", password: [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == Self.names)
        #expect(files.map(\.path) == [".key.pem", ".csr", ".pem", ".der", ".p12"].map { "\(home)/app\($0)" })
        #expect(try mode(folder.path + "/a") == 0o700)
        #expect(try mode(home) == 0o700)
        #expect(try mode(home + "/app.key.pem") == 0o600)
        #expect(try mode(home + "/app.p12") == 0o600)
        for name in ["app.csr", "app.der", "app.pem"] { #expect(try mode("\(home)/\(name)") == 0o644) }
        #expect(try Certificate.pem(Array(contents(home + "/app.pem").utf8)) == [issued.certificate])
        #expect(
            try TLSIdentity.load(certificateFile: home + "/app.pem", keyFile: home + "/app.key.pem").chain
                == [issued.certificate])
    }

    @Test("Nothing is overwritten", arguments: names)
    func refusesToOverwrite(name: String) throws {
        let old = try folder.write(name, Array("old".utf8))
        for attempt in [
            { try IssuedCertificate.requireAbsent(in: folder.path, base: "app") },
            { _ = try issued.write(to: folder.path, base: "app", password: []) },
        ] {
            let error = #expect(throws: AuthorityError(.exists, "", hint: "")) { try attempt() }
            #expect(error?.message.contains(old) == true)
        }
        #expect(try contents(old) == "old")
        #expect(try folder.entries() == [name])
    }

    @Test func `a dangling link counts as a file`() throws {
        let link = folder.path + "/app.p12"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: AuthorityError(.exists, "", hint: "")) {
            try IssuedCertificate.requireAbsent(in: folder.path, base: "app")
        }
        #expect(throws: AuthorityError(.exists, "", hint: "")) {
            try issued.write(to: folder.path, base: "app", password: [])
        }
        #expect(try folder.entries() == ["app.p12"])
    }

    @Test func `what cannot be written whole is not written at all`() throws {
        let home = folder.path + "/new"
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try issued.write(to: home, base: "missing/app", password: [])
        }
        #expect(try folder.entries() == [])
    }

    @Test func `a folder that is open to others will do`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        _ = try issued.write(to: folder.path, base: "app", password: [])
        #expect(try folder.entries() == Self.names)
        #expect(try mode(folder.path) == 0o755)
    }
}
