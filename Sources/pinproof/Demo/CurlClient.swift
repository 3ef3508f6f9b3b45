internal import Crypto
internal import Foundation
internal import Reactor
internal import Wire

/// The real curl, run as a process with nothing of the user's own configuration.
struct CurlClient: Sendable {
    /// What a run showed.
    struct Result: Sendable {
        let exitCode: Int32
        /// The first line of what it said.
        let message: String
    }

    private let executable: URL
    /// The certificates that it trusts, as a file.
    private let trust: URL

    /// Finds curl on the PATH; nil if there is none.
    init?(trust: URL) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { URL(filePath: String($0)).appending(path: "curl") }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            return nil
        }
        executable = found
        self.trust = trust
    }

    /// Fetches the endpoint's root once.
    ///
    /// - Parameters:
    ///   - endpoint: What to fetch.
    ///   - address: Where the endpoint really is, for a direct run.
    ///   - proxy: The proxy to go through; nil for none.
    ///   - pin: The certificate whose key is pinned; nil for none.
    /// - Returns: What curl did.
    /// - Throws: What keeps curl from being started.
    func fetch(
        _ endpoint: Endpoint, at address: SocketAddress, proxy: SocketAddress?, pin: Certificate?
    ) async throws -> Result {
        // --disable must come first: it keeps curl from reading the user's .curlrc.
        var arguments = [
            "--disable", "--silent", "--show-error", "--output", "/dev/null", "--max-time", "10", "--cacert",
            trust.path,
        ]
        if let proxy {
            arguments += ["--proxy", "http://\(proxy)", "--noproxy", ""]
        } else {
            arguments += ["--noproxy", "*", "--connect-to", "\(endpoint):\(address)"]
        }
        if let pin { arguments += ["--pinnedpubkey", "sha256//\(Base64.encode(pin.spkiSHA256))"] }
        return try await run(arguments + ["https://\(endpoint.host)/"])
    }

    private func run(_ arguments: [String]) async throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "LC_ALL": "C"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let line = String(decoding: said, as: UTF8.self).split(separator: "\n").first.map(String.init)
        return Result(exitCode: process.terminationStatus, message: line ?? "exit \(process.terminationStatus)")
    }
}
