import Crypto
import Foundation
import Pinning
import PolicyFiles
import Testing

/// The annotated samples in `config/policies`.
@Suite("Samples")
struct SampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../config/policies").standardizedFileURL

    /// The folder of the samples, as what lies beside each of them.
    private struct Folder: PolicyResources {
        private func url(_ path: String) -> URL { SampleTests.folder.appending(path: path) }

        func contents(of path: String) -> [UInt8]? { (try? Data(contentsOf: url(path))).map { [UInt8]($0) } }

        func names(in path: String) -> [String]? {
            (try? FileManager.default.contentsOfDirectory(atPath: url(path).path))?.sorted()
        }

        func certificates(in contents: [UInt8]) -> [CertificateFacts]? {
            (try? Certificate(der: contents)).map { [CertificateFacts($0)] }
        }
    }

    @Test(
        "each sample is recognised, and pins api.example.com",
        arguments: [
            ("network_security_config.xml", PolicyFormat.networkSecurityConfig),
            ("trustkit_network_security_config.xml", .trustKitAndroid), ("Info.plist", .infoPlist),
            ("NSPinnedDomains.plist", .infoPlist), ("okhttp.json", .okHttp), ("react-native.json", .reactNative),
            ("okhttp-profile.json", .profile), ("urllib3-profile.json", .profile), ("curlrc", .curl),
        ])
    func sample(name: String, format: PolicyFormat) throws {
        let contents = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        let file = try PolicyFile(contents, named: name, resources: Folder())
        #expect(file.format == format)
        #expect(file.remarks.map(\.line) == [])
        let app = try file.appPolicy(in: environment())
        #expect(app.policy.configurationProblem == nil)
        let verdict = app.policy.evaluate(Presented.server("api.example.com"), using: ValidPlatform())
        #expect(verdict.decision == .reject, "\(verdict.reason)")
    }

    @Test("every sample is tested, and named in README.md")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        let tested = [
            "Info.plist", "NSPinnedDomains.plist", "curlrc", "network_security_config.xml", "okhttp-profile.json",
            "okhttp.json", "react-native.json", "trustkit_network_security_config.xml", "urllib3-profile.json",
        ]
        let unlike = ["README.md", "afnetworking-profile.json", "alamofire-profile.json", "certificates"]
        #expect(names == (tested + unlike).sorted())
        let text = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        for name in names where name != "README.md" { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test(
        "profiles with certificates read the folder that the sample names, and want it",
        arguments: ["afnetworking-profile.json", "alamofire-profile.json"])
    func certificates(name: String) throws {
        let contents = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        #expect(throws: PolicyFileError.self) {
            try PolicyFile(contents, named: name, resources: MemoryResources(files: [:]))
        }
        let file = try PolicyFile(contents, named: name, resources: Folder())
        #expect(file.remarks.map(\.text) == ["\"api.example.com.cer\" is loaded (1 certificate)"])
        let app = try file.appPolicy(in: environment())
        #expect(app.policy.configurationProblem == nil)
        let verdict = app.policy.evaluate(Presented.server("api.example.com"), using: ValidPlatform())
        #expect(verdict.decision == .reject, "\(verdict.reason)")
    }
}
