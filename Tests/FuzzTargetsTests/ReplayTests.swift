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
