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
        // What keys look like is made, here and by run.sh, and not kept.
        for name in names where name != "private-key" {
            #expect(Self.files("Corpus/\(name)").count >= 20, "\(name)")
        }
    }

    /// What stands between the lines of a damaged key: nothing, too little, no base64, headers of old encryption.
    private static let damagedBodies = [
        "", "\n", "MAA=\n", "MAA=\r\n", "MC4CAQAw\n", "MHcCAQEE\n", "MIIBOgIB\n", "MIIBHDBO\n", "b3BlbnNz\n",
        "====!!\n",
        "Proc-Type: 4,ENCRYPTED\n\nAAAA\n", "Proc-Type: 4,ENCRYPTED\nDEK-Info: ROT-13,00\n\nAAAA\n",
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,000102030405060708090A0B0C0D0E0F\n\nAAAAAAAA\n",
    ]

    /// Blocks that call themselves keys and are none, alone, behind another block, and without an end.
    @Test(arguments: ["private-key", "identity"]) func damagedKeysHold(target name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        for kind in ["", "EC ", "RSA ", "DSA ", "ENCRYPTED ", "OPENSSH ", "ANY "] {
            let label = kind + "PRIVATE KEY"
            for body in Self.damagedBodies {
                let open = "-----BEGIN \(label)-----\n" + body
                let whole = open + "-----END \(label)-----\n"
                let texts = [
                    whole, open, parameters + whole, whole.replacing("\n", with: "\r\n"), String(open.prefix(22)),
                ]
                for text in texts { try target.check([UInt8](text.utf8)) }
            }
        }
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
