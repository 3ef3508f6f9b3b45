import Foundation
import Testing

/// The programs of the clients in `Tests/CommandLineTests/Clients`; what has to be compiled is, once for all tests.
///
/// **Ownership:** what was compiled goes away with the last use.
final class MatrixPrograms: Sendable {
    private let folder: TemporaryFolder

    @TaskLocal fileprivate static var sharedPrograms: MatrixPrograms?

    /// Those of the suite.
    static var shared: MatrixPrograms {
        get throws { try #require(sharedPrograms, "only tests of the matrix have programs") }
    }

    /// Compiles what there is a compiler for: tests that miss one are skipped.
    init() async throws {
        folder = try TemporaryFolder()
        async let go: Void = compileGo()
        async let java: Void = compileJava()
        _ = try await (go, java)
    }

    /// A program that needs no compiling.
    func source(_ name: String) -> String {
        Repository.root.appending(path: "Tests/CommandLineTests/Clients/\(name)").path
    }

    /// The program in Go.
    var go: String { folder.path("fetch") }

    /// How a class among the programs in Java is run; such short ones are not worth the optimizing compiler.
    var java: String {
        "\(RealClient.java.rawValue) -XX:TieredStopAtLevel=1 -cp \(folder.path("classes")):\(Self.jars)"
    }

    private static let jars = JavaLibrary.allCases.map(\.rawValue).joined(separator: ":")

    private func compileGo() async throws {
        guard RealClient.go.isInstalled else { return }
        try await compile(
            .go, ["build", "-o", go, source("fetch.go")],
            [
                "HOME": folder.path, "GOPATH": folder.path("go"), "GOCACHE": folder.path("cache"), "GO111MODULE": "off",
                "GOPROXY": "off", "GOFLAGS": "",
            ])
    }

    private func compileJava() async throws {
        guard RealClient.javac.isInstalled else { return }
        let all = ["Trust.java", "UrlFetch.java"] + (JavaLibrary.areInstalled ? ["OkHttpFetch.java"] : [])
        try await compile(.javac, ["-cp", Self.jars, "-d", folder.path("classes")] + all.map(source))
    }

    private func compile(
        _ compiler: RealClient, _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws {
        let run = try await compiler.start(arguments, environment: environment).end(within: .seconds(240))
        try #require(run.ending == .exit(0), "\(run.errorText)")
    }
}

/// Libraries in Java that are packages of their own.
enum JavaLibrary: String, CaseIterable {
    case okhttp = "/usr/share/java/okhttp.jar"
    case okio = "/usr/share/java/okio.jar"

    static var areInstalled: Bool { allCases.allSatisfy { FileManager.default.fileExists(atPath: $0.rawValue) } }
}

/// Compiles the programs for a suite, and clears them away.
struct MatrixProgramsTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await MatrixPrograms.$sharedPrograms.withValue(MatrixPrograms()) { try await function() }
    }
}

extension Trait where Self == MatrixProgramsTrait {
    /// The suite runs the programs of the matrix.
    static var matrixPrograms: Self { MatrixProgramsTrait() }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where OkHttp is not installed.
    static var needsOkHttp: Self {
        .enabled(if: JavaLibrary.areInstalled, "OkHttp is not installed: scripts/install-packages.sh does it")
    }
}
