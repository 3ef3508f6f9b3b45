import Foundation
import Glibc

/// What came of the cells, as JSON Lines, in the file that `PINPROOF_MATRIX_REPORT` names.
enum MatrixReport {
    private struct Line: Encodable {
        let client: String
        /// The versions of its Debian packages.
        let packages: [String: String]
        let form: MatrixCell.Form
        let tls: MatrixCell.TLSVersion
        let company: MatrixCell.Company
        let options: [String]
        let finding: String?
        let reason: String?
        let trustShownBy: String?
        let stack: String?
        let repeats: Int
        let untrusted: MatrixFinding.Evidence?
        let trusted: MatrixFinding.Evidence?
        /// How long `pinproof run` took.
        let seconds: Double
    }

    /// Appends a line; does nothing where nobody wants it.
    static func add(_ cell: MatrixCell, _ finding: MatrixFinding, took duration: Duration) async throws {
        guard let path = ProcessInfo.processInfo.environment["PINPROOF_MATRIX_REPORT"] else { return }
        let line = Line(
            client: cell.client.rawValue, packages: try await versions(cell.client.packages), form: cell.form,
            tls: cell.tls, company: cell.company, options: cell.options, finding: finding.finding,
            reason: finding.reason,
            trustShownBy: finding.trustShownBy, stack: finding.stack, repeats: cell.repeats,
            untrusted: finding.untrusted, trusted: finding.trusted,
            seconds: (duration / .seconds(1) * 100).rounded() / 100)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try append(encoder.encode(line) + [0x0A], to: path)
    }

    /// Several cells end at a time: one `write` with O_APPEND keeps their lines apart.
    private static func append(_ line: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        defer { close(file) }
        let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == line.count else { throw Unwritable(path: path) }
    }

    private static func versions(_ packages: [String]) async throws -> [String: String] {
        let format = "${Package} ${Version}\\n"
        let known = try await ChildProcess(URL(filePath: "/usr/bin/dpkg-query"), ["-W", "-f", format] + packages).end()
        let pairs = known.lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.count == 2 }
        return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    struct Unwritable: Error {
        let path: String
    }
}

extension MatrixClient {
    /// Where its conduct comes from.
    fileprivate var packages: [String] {
        switch self {
        case .curl: ["curl", "libssl3"]
        case .python: ["python3-urllib3", "python3-requests", "libssl3"]
        case .node: ["nodejs"]
        case .java: ["openjdk-17-jre-headless"]
        case .okhttp: ["libokhttp-java", "openjdk-17-jre-headless"]
        case .go: ["golang-1.19-go"]
        case .gnutls: ["gnutls-bin", "libgnutls30"]
        case .wget: ["wget", "libgnutls30"]
        case .chromium: ["chromium"]
        }
    }
}
