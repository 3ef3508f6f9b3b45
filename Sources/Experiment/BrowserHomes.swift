package import Crypto
internal import Foundation
internal import Transcript

/// Home folders for browsers, which keep what they trust in a database of their own (NSS).
///
/// Every run has a new one, so that nothing of an earlier run is left in it: no cache, and no session to be resumed.
package struct BrowserHomes: Sendable {
    private let folder: String
    /// Databases that were made once, for every phase but the trusted one, and for that.
    private let ordinary: String
    private let trusted: String

    /// Makes the databases.
    ///
    /// - Parameters:
    ///   - folder: Where they go, and where the homes will be; it exists, and is private.
    ///   - additions: CAs that origins may use, besides those that the browser knows.
    ///   - authority: The CA that the command is given in the trusted phase.
    /// - Throws: `ExperimentError` without certutil, or if it fails; what keeps files from being written.
    package init(in folder: String, additions: [Certificate], authority: Certificate) throws {
        self.folder = folder
        ordinary = folder + "/nss"
        trusted = folder + "/nss-and-ca"
        try Self.makeDatabase(ordinary, trusting: additions)
        try Self.makeDatabase(trusted, trusting: additions + [authority])
    }

    /// Makes a new home for a run.
    ///
    /// - Parameter phase: The phase of the run.
    /// - Returns: Its path.
    /// - Throws: What keeps it from being written.
    func make(for phase: ExperimentPhase) throws -> String {
        let home = "\(folder)/home-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home + "/.pki", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: phase == .trusted ? trusted : ordinary, toPath: home + "/.pki/nssdb")
        return home
    }

    /// Removes the home of a run that is over; what cannot be removed goes with the folder.
    func remove(_ home: String) {
        try? FileManager.default.removeItem(atPath: home)
    }

    private static func makeDatabase(_ path: String, trusting certificates: [Certificate]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try certutil(["-N", "-d", "sql:\(path)", "--empty-password"])
        for (index, certificate) in certificates.enumerated() {
            let file = "\(path)-\(index).pem"
            try Data(certificate.pem.utf8).write(to: URL(filePath: file))
            // C: trusted to issue servers' certificates.
            try certutil(["-A", "-d", "sql:\(path)", "-n", "pinproof \(index)", "-t", "C,,", "-i", file])
            try FileManager.default.removeItem(atPath: file)
        }
    }

    private static func certutil(_ arguments: [String]) throws {
        let process: CommandProcess
        do {
            process = try CommandProcess(
                ["certutil"] + arguments, variables: ProcessInfo.processInfo.environment)
        } catch {
            throw ExperimentError.certutilMissing
        }
        let reason = process.wait(limit: .seconds(30)) { false }
        let (ended, output) = process.finish(reason)
        guard ended.ending == .exit(0) else {
            throw ExperimentError.certutilFailed(String(decoding: output.error.bytes.suffix(300), as: UTF8.self))
        }
    }
}
