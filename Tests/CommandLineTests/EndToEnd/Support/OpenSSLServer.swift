import Foundation
import Testing

/// `openssl s_server` on a free port, without a file of its own.
struct OpenSSLServer {
    let process: ChildProcess
    let port: Int

    /// Starts it with a certificate and further options.
    init(_ files: Stage.IdentityFiles, _ options: [String], input: ChildProcess.Input = .nothing) async throws {
        process = try RealClient.openssl.start(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", files.certificate, "-key", files.key] + options,
            input: input)
        port = try await process.wait(for: "its port") { progress in
            progress.lines.first { $0.hasPrefix("ACCEPT") }.flatMap { Int($0.split(separator: ":").last ?? "") }
        }
    }
}
