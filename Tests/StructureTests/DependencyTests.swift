import Foundation
import Testing

/// The picture of docs/ARCHITECTURE.md: who may depend on whom.
///
/// Arrows point down only.
@Suite struct DependencyTests {
    /// Written by hand from the picture; a new arrow is a decision, not an accident.
    static let picture: [String: Set<String>] = [
        "Wire": ["CNghttp2"],
        "Transcript": ["Wire"],
        "TranscriptFiles": ["Transcript", "Wire"],
        "Interception": ["Transcript", "Wire"],
        "Pinning": ["Wire"],
        "PublicSuffixList": ["CPublicSuffix", "Pinning"],
        "PolicyFiles": ["Pinning", "Wire"],
        "Crypto": ["COpenSSL", "COpenSSLShims", "Pinning", "Wire"],
        "Authority": ["COpenSSL", "COpenSSLShims", "Crypto", "Wire"],
        "Reactor": ["CLibevent", "Wire"],
        "Engine": ["Authority", "Crypto", "Interception", "Reactor", "Transcript", "Wire"],
        "PinClient": ["Crypto", "Engine", "Pinning", "Reactor", "Transcript", "Wire"],
        "Experiment": ["Authority", "Crypto", "Engine", "Interception", "Reactor", "Transcript", "Wire"],
        "Recheck": ["Crypto", "Transcript", "TranscriptFiles", "Wire"],
        "Report": ["Transcript", "Wire"],
        "TestOrigin": ["Crypto", "Engine", "Reactor", "Transcript", "Wire"],
        "COpenSSLShims": ["COpenSSL"],
        "COpenSSL": [], "CLibevent": [], "CNghttp2": [], "CPublicSuffix": [], "CGetopt": [],
    ]

    private struct Package: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
            let target_dependencies: [String]?
        }
        let targets: [Target]
    }

    @Test func targetsDependOnEachOtherAsThePictureSays() throws {
        // The lock beside the scratch folder stays behind otherwise.
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-describe-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let json = try SourceTree.run(
            "env", "TMPDIR=\(folder.path)", "swift", "package", "--scratch-path", "\(folder.path)/build", "describe",
            "--type", "json")
        let package = try JSONDecoder().decode(Package.self, from: json)
        var seen: Set<String> = []
        let outside = ["pinproof", "evaluations", "FuzzTargets", "TestSupport"]
        for target in package.targets where target.type != "test" && !outside.contains(target.name) {
            seen.insert(target.name)
            #expect(Set(target.target_dependencies ?? []) == Self.picture[target.name], "\(target.name)")
        }
        #expect(seen == Set(Self.picture.keys))
    }

    @Test func noModuleImportsWhatItDoesNotDependOn() throws {
        for file in try SourceTree.swiftFiles("Sources") where file.module != "pinproof" {
            let allowed = Self.picture[file.module] ?? []
            for line in file.lines {
                guard let name = line.firstMatch(of: /^(?:\w+ )?import (\w+)$/)?.1 else { continue }
                let name_ = String(name)
                guard Self.picture[name_] != nil else { continue }
                #expect(allowed.contains(name_), "\(file.path) imports \(name)")
            }
        }
    }

    @Test func eachLibraryOfTheSystemHasItsFewUsers() throws {
        let users = [
            "COpenSSL": ["Crypto", "Authority"], "COpenSSLShims": ["Crypto", "Authority"], "CLibevent": ["Reactor"],
            "CNghttp2": ["Wire"], "CPublicSuffix": ["PublicSuffixList"],
        ]
        for file in try SourceTree.swiftFiles("Sources") {
            for (library, modules) in users where file.lines.contains(where: { $0.hasSuffix("import \(library)") }) {
                #expect(modules.contains(file.module), "\(file.path) imports \(library)")
            }
        }
    }

    @Test func pureModulesDoWithoutFoundation() throws {
        for file in try SourceTree.swiftFiles("Sources")
        where ["Wire", "Interception", "Transcript", "Pinning", "Report"].contains(file.module) {
            for name in ["Foundation", "Glibc", "Dispatch"] {
                #expect(!file.lines.contains { $0.hasSuffix("import \(name)") }, "\(file.path) imports \(name)")
            }
        }
    }

    @Test func everyModuleHasTests() throws {
        let modules = Set(try SourceTree.swiftFiles("Sources").map(\.module)).subtracting(["pinproof"])
        let tests = Set(try SourceTree.swiftFiles("Tests").map(\.module))
        for module in modules { #expect(tests.contains("\(module)Tests"), "\(module)") }
    }
}
