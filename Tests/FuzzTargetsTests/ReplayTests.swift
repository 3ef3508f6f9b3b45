import Crypto
import Foundation
import FuzzTargets
import Testing

/// What the fuzzer found, and what it starts from, holds in every test run.
@Suite struct ReplayTests {
    @Test(arguments: FuzzTarget.all.map(\.name), ["Corpus", "FailCases"])
    func whatIsSavedHolds(target name: String, folder: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for file in Self.files("\(folder)/\(name)") {
            let input = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.path)") { try target.check(input) }
        }
    }

    @Test func everyTargetHasACorpusAndEveryCorpusATarget() {
        let names = Set(FuzzTarget.all.map(\.name))
        #expect(Set(Self.files("Corpus").map(\.lastPathComponent)) == names)
        #expect(names.isSuperset(of: Self.files("FailCases").map(\.lastPathComponent)))
        for name in names { #expect(Self.files("Corpus/\(name)").count >= 20, "\(name)") }
    }

    /// The corpus holds no key; here is one, whole and in every shortened form.
    @Test func aKeyHolds() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "private-key" })
        let key = try PrivateKey.generate(.p256).pem()
        for count in 0...key.count { try target.check([UInt8](key.prefix(count))) }
    }

    /// The same for a file of an identity in PEM: a key shortened, and with headers that no program writes.
    @Test func anIdentityInPEMHolds() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "identity" })
        let key = String(decoding: try PrivateKey.generate(.p256).pem(), as: UTF8.self)
        for count in stride(from: 0, through: key.utf8.count, by: 7) {
            try target.check([UInt8](key.utf8.prefix(count)))
        }
        let headers = [
            "DEK-Info: IDEA-CBC,0000000000000000", "DEK-Info: \u{1B}[2J,0000000000000000", "DEK-Info: ",
            "DEK-Info: AES-256-CBC,00",
        ]
        for kind in ["EC ", "RSA ", "ENCRYPTED ", ""] {
            let other = key.replacing("PRIVATE KEY", with: kind + "PRIVATE KEY")
            try target.check([UInt8](other.utf8))
            for header in headers {
                let encrypted = other.replacing(
                    "KEY-----\n", with: "KEY-----\nProc-Type: 4,ENCRYPTED\n\(header)\n\n", maxReplacements: 1)
                try target.check([UInt8](encrypted.utf8))
            }
        }
    }

    /// The visible files of a folder of Fuzzing, in the order of their names; none if there is no such folder.
    private static func files(_ folder: String) -> [URL] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzzing")
        let names = try? FileManager.default.contentsOfDirectory(atPath: package.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().map {
            package.appending(path: "\(folder)/\($0)")
        }
    }
}
