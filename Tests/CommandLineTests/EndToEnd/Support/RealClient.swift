import Foundation
import Testing

/// Programs that others wrote, where Debian's packages put them (`scripts/packages.txt`).
enum RealClient: String, CaseIterable {
    case curl = "/usr/bin/curl"
    case openssl = "/usr/bin/openssl"
    case python = "/usr/bin/python3"
    case gnutls = "/usr/bin/gnutls-cli"
    case certtool = "/usr/bin/certtool"
    case keytool = "/usr/bin/keytool"
    case node = "/usr/bin/node"
    case java = "/usr/bin/java"
    /// Java's compiler, with which `java` runs a program from its source.
    case javac = "/usr/bin/javac"
    case nginx = "/usr/sbin/nginx"

    var url: URL { URL(filePath: rawValue) }
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: rawValue) }

    /// Starts it.
    func start(
        _ arguments: [String], environment: [String: String] = [:], input: ChildProcess.Input = .nothing
    ) throws -> ChildProcess {
        try ChildProcess(url, arguments, environment: environment, input: input)
    }

    /// Runs it to its end.
    func run(_ arguments: String..., input: ChildProcess.Input = .nothing) async throws -> ChildProcess.Progress {
        try await start(arguments, input: input).end()
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where a client is not installed.
    static func needs(_ client: RealClient) -> Self {
        .enabled(if: client.isInstalled, "\(client.rawValue) is not installed: scripts/install-packages.sh does it")
    }
}
