import Authority
import Crypto
import Foundation
import Testing

@testable import Experiment

@Suite struct TrustFilesTests {
    @Test func `only the trusted phase has the CA, and the other CA is nowhere`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let now = Int64(Date.now.timeIntervalSince1970)
        let system = try CertificateAuthority.ephemeral(name: "System", now: now).certificate
        let addition = try CertificateAuthority.ephemeral(name: "Addition", now: now).certificate
        let authorities = try ExperimentAuthorities(now: now)
        let comment = Array("# comment\n\(system.pem)".utf8)
        let files = try TrustFiles(
            in: folder.path, system: comment, additions: [addition], authority: authorities.trusted.certificate)
        #expect(try read(files.ordinary.bundle) == [system.der, addition.der])
        #expect(
            try read(files.trusted.bundle) == [system.der, addition.der, authorities.trusted.certificate.der])
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.emptyFolder) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 5)
    }

    private func read(_ path: String) throws -> [[UInt8]] {
        try Certificate.pem([UInt8](Data(contentsOf: URL(filePath: path)))).map(\.der)
    }

    @Test func `SSL_CERT_FILE stands for the system's bundle`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString).pem")
        try Data("roots".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(SystemRoots.read(named: file.path) == Array("roots".utf8))
        #expect(SystemRoots.read(named: "") == SystemRoots.read(named: nil))
    }
}
