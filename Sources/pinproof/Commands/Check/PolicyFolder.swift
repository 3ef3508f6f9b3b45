internal import Crypto
internal import Foundation
internal import Pinning
internal import PolicyFiles

/// The folder of a policy's file, in which the files that it names are looked for.
struct PolicyFolder: PolicyResources {
    private let folder: URL

    /// - Parameter file: The path of the policy's file.
    init(of file: String) { folder = URL(filePath: file).deletingLastPathComponent() }

    func contents(of path: String) -> [UInt8]? { try? Files.read(url(of: path).path) }

    func names(in path: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: url(of: path).path).sorted()
    }

    func certificates(in contents: [UInt8]) -> [CertificateFacts]? {
        if let certificate = try? Certificate(der: contents) { return [CertificateFacts(certificate)] }
        guard let certificates = try? Certificate.pem(contents), !certificates.isEmpty else { return nil }
        return certificates.map(CertificateFacts.init)
    }

    private func url(of path: String) -> URL { URL(filePath: path, relativeTo: folder).standardizedFileURL }
}
