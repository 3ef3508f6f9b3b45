import Crypto
import Foundation
import Testing
import Wire

@testable import Authority

@Suite struct CreationTests {
    private let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path + "/state/ca"
    }

    @Test func filesAreForTheOwnerOnly() throws {
        let authority = try CertificateAuthority.create(in: home, now: now)
        #expect(try mode(folder.path + "/state") == 0o700)
        #expect(try mode(home) == 0o700)
        #expect(try mode(home + "/ca.key") == 0o600)
        #expect(try Certificate.pem(Array(contents(home + "/ca.pem").utf8)) == [authority.certificate])
        #expect(try contents(home + "/ca.key").hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == ["ca.key", "ca.pem"])
    }

    @Test func livesThreeHundredAndNinetySevenDays() throws {
        let certificate = try CertificateAuthority.create(in: home, now: now).certificate
        #expect(certificate.notBefore == now - 172_800)
        #expect(certificate.notAfter == now + 34_300_800)
    }

    @Test func noTwoShareAName() throws {
        let names = try (0..<3).map {
            try CertificateAuthority.create(in: "\(home)\($0)", now: now).certificate.subject
        }
        #expect(Set(names).count == 3)
    }

    @Test(arguments: [KeyKind.rsa(1024), .rsa(8192), .rsa(-1)])
    func refusesKeysThatDoNotSuitACA(key: KeyKind) {
        #expect(throws: AuthorityError(.badRequest, "", hint: "")) {
            try CertificateAuthority.create(in: home, key: key, now: now)
        }
        #expect(!FileManager.default.fileExists(atPath: home))
    }

    @Test(arguments: [0, -1, 3651, Int.max])
    func refusesLifetimesOutOfRange(days: Int) {
        #expect(throws: AuthorityError(.badRequest, "", hint: "")) {
            try CertificateAuthority.create(in: home, days: days, now: now)
        }
    }

    @Test("Neither file is overwritten, and none is left alone", arguments: ["ca.pem", "ca.key"])
    func refusesToOverwrite(name: String) throws {
        let old = try folder.write(name, Array("old".utf8))
        let untouched = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: untouched], ofItemAtPath: folder.path)
        let error = #expect(throws: AuthorityError(.exists, "", hint: "")) {
            try CertificateAuthority.create(in: folder.path, now: now)
        }
        #expect(error?.message.contains(old) == true)
        #expect(try contents(old) == "old")
        #expect(try folder.entries() == [name])
        // No key was even written and taken away again.
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.modificationDate] as? Date == untouched)
    }

    @Test("A link is not followed to where it points", arguments: ["ca.pem", "ca.key"])
    func refusesLinks(name: String) throws {
        let target = folder.path + "/elsewhere"
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
        #expect(throws: AuthorityError(.exists, "", hint: "")) {
            try CertificateAuthority.create(in: folder.path, now: now)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try folder.entries() == [name])
    }

    @Test func whatAppearsAfterTheCheckIsNotOverwrittenEither() throws {
        let target = folder.path + "/elsewhere"
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: target)
        let file = try folder.write("file", Array("old".utf8))
        for name in ["file", "link"] {
            #expect(throws: AuthorityError(.exists, "", hint: "")) {
                try PrivateFolder(folder.path).write([NewFile(name: name, mode: 0o600, contents: [1])])
            }
        }
        #expect(try contents(file) == "old")
        #expect(try folder.entries() == ["file", "link"])
    }

    @Test("A folder that others can enter is refused", arguments: [0o755, 0o770, 0o701])
    func refusesOpenFolders(mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let error = #expect(throws: AuthorityError(.notPrivate, "", hint: "")) {
            try CertificateAuthority.create(in: folder.path, now: now)
        }
        #expect(error?.hint.contains("chmod 700 \(folder.path)") == true)
        #expect(try folder.entries() == [])
    }

    @Test func aFileInTheFoldersPlaceIsAnError() throws {
        let file = try folder.write("file", [])
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try CertificateAuthority.create(in: file, now: now)
        }
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try CertificateAuthority.create(in: file + "/ca", now: now)
        }
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try CertificateAuthority.create(in: "", now: now)
        }
    }

    @Test func whatFailsHalfWayLeavesNothingBehind() throws {
        let fine = NewFile(name: "ca.key", mode: 0o600, contents: [1])
        // A name in a folder that does not exist cannot be created.
        let impossible = NewFile(name: "missing/ca.pem", mode: 0o644, contents: [2])
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try PrivateFolder(home + "/").write([fine, impossible])
        }
        #expect(try folder.entries() == [])
        // A folder that was there before stays.
        #expect(throws: AuthorityError(.inputOutput, "", hint: "")) {
            try PrivateFolder(folder.path).write([fine, impossible])
        }
        #expect(try folder.entries() == [])
    }
}

/// The text of a file.
func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
