import Foundation
import Testing

/// Programs that others wrote, where Debian's packages put them (`scripts/packages.txt`, `scripts/test-packages.txt`).
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
    case wget = "/usr/bin/wget"
    case mosquitto = "/usr/sbin/mosquitto"
    case go = "/usr/bin/go"
    case chromium = "/usr/bin/chromium"
    /// Makes the database in which Chromium looks for CAs.
    case certutil = "/usr/bin/certutil"
    /// Reads captures.
    case tshark = "/usr/bin/tshark"

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

/// Modules for Debian's Python that are packages of their own.
enum PythonModule: String {
    case jsonschema, websockets, grpc, paho, socks, urllib3, requests

    var isInstalled: Bool {
        let path = "/usr/lib/python3/dist-packages/\(rawValue)"
        return [path, path + ".py"].contains { FileManager.default.fileExists(atPath: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where a client is not installed.
    static func needs(_ client: RealClient) -> Self {
        .enabled(if: client.isInstalled, "\(client.rawValue) is not installed: scripts/install-packages.sh does it")
    }

    /// Skips a test, and says so, where a module for Python is not installed.
    static func needs(_ module: PythonModule) -> Self {
        .enabled(
            if: module.isInstalled, "Python's \(module.rawValue) is not installed: scripts/install-packages.sh does it")
    }
}
