import Authority
import Crypto
import Foundation
import Testing
import Transcript

@testable import Experiment

@Suite struct BrowserHomesTests {
    private static let certutil = "/usr/bin/certutil"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: certutil),
            "certutil is not installed: libnss3-tools has it")
    )
    func `only the trusted phase's database has the CA, and every home is new`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let now = Int64(Date.now.timeIntervalSince1970)
        let addition = try CertificateAuthority.ephemeral(name: "Addition", now: now).certificate
        let authorities = try ExperimentAuthorities(now: now)
        let homes = try BrowserHomes(
            in: folder.path, additions: [addition], authority: authorities.trusted.certificate)
        for (phase, expected) in [(ExperimentPhase.baseline, 1), (.untrusted, 1), (.trusted, 2)] {
            let home = try homes.make(for: phase)
            let process = try CommandProcess(
                [Self.certutil, "-L", "-d", "sql:\(home)/.pki/nssdb"], variables: [:])
            let reason = process.wait(limit: .seconds(30)) { false }
            let (ended, output) = process.finish(reason)
            #expect(ended.ending == .exit(0))
            let lines = String(decoding: output.standard.bytes, as: UTF8.self).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            #expect(lines.count { $0.hasPrefix("pinproof ") && $0.hasSuffix("C,,") } == expected, "\(lines)")
            #expect(try homes.make(for: phase) != home)
            homes.remove(home)
            #expect(!FileManager.default.fileExists(atPath: home))
        }
    }

    @Test func `without certutil it says what to install`() {
        #expect(ExperimentError.certutilMissing.message == "--browser needs certutil, which is not there")
        #expect(ExperimentError.certutilMissing.remedy == "install it: apt-get install libnss3-tools")
    }
}
