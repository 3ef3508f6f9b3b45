import Foundation
import Testing

@testable import pinproof

@Suite struct StateFolderTests {
    @Test(
        arguments: [
            ("/given", ["XDG_STATE_HOME": "/states", "HOME": "/home/a"], "/given"),
            ("given", [:], "given"),
            (nil, ["XDG_STATE_HOME": "/states", "HOME": "/home/a"], "/states/pinproof"),
            (nil, ["HOME": "/home/a"], "/home/a/.local/state/pinproof"),
            // Relative paths and the empty one are to be ignored, says the XDG Base Directory Specification.
            (nil, ["XDG_STATE_HOME": "states", "HOME": "/home/a"], "/home/a/.local/state/pinproof"),
            (nil, ["XDG_STATE_HOME": "", "HOME": "/home/a"], "/home/a/.local/state/pinproof"),
        ] as [(String?, [String: String], String)])
    func path(given: String?, environment: [String: String], expected: String) throws {
        let folder = try StateFolder(given) { environment[$0] }
        #expect(folder.path == expected)
        #expect(folder.certificate == expected + "/ca.pem")
        #expect(folder.key == expected + "/ca.key")
    }

    @Test func `without a home it has to be named`() {
        #expect(
            throws: CommandError(
                "no folder for the local CA", at: "HOME is not set", mend: "name one with --state DIR")
        ) {
            try StateFolder(nil) { _ in nil }
        }
    }

    @Test(
        arguments: [
            (nil, ""), ("/a/b-c.d_e", " --state /a/b-c.d_e"), ("/a b", " --state '/a b'"),
            ("/a'b", #" --state '/a'\''b'"#),
            ("~x", " --state '~x'"),
        ] as [(String?, String)])
    func arguments(given: String?, expected: String) throws {
        #expect(try StateFolder(given) { _ in "/home" }.arguments == expected)
    }

    /// `ca init` refuses to overwrite the key, so that it is no advice here.
    @Test func aKeyWithoutItsCertificateIsNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder + "/ca.key"))
        let error = #expect(throws: CommandError.self) { try StateFolder(folder).expectAuthority() }
        #expect(error?.what == "the local CA has a key and no certificate")
        #expect(error?.place == folder + "/ca.key")
    }
}
