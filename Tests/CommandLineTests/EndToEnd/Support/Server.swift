import Foundation
import Testing

/// `pinproof proxy` or `pinproof origin` as a process, with the port that it printed.
final class Server: Sendable {
    let process: ChildProcess
    let port: Int
    /// The CA that an origin made for its run, in PEM.
    let authority: String?

    private struct Announcement: Decodable {
        let record: String
        let address: String
        let port: Int
        let ca: String?
    }

    /// Starts `pinproof` with a command that listens on a free port and says which.
    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        process = try ChildProcess(
            Executable.url, arguments + ["--port", "0", "--json"], environment: environment)
        let announcement = try await process.wait(for: "the port") { progress in
            try progress.lines.first.map { try JSONDecoder().decode(Announcement.self, from: Data($0.utf8)) }
        }
        #expect(announcement.record == "listening")
        port = announcement.port
        authority = announcement.ca
    }

    /// What `pinproof proxy --json` says of connections that are over, once there are so many that `matches` takes.
    func connections(
        _ count: Int = 1, where matches: @escaping @Sendable (ConnectionRecord) -> Bool
    ) async throws -> [ConnectionRecord] {
        try await process.wait(for: "\(count) such connections") { progress in
            let found = try ConnectionRecord.all(progress.lines.dropFirst()).filter(matches)
            return found.count >= count ? found : nil
        }
    }

    /// The connection to a host that only one connection was made to.
    func connection(to host: String) async throws -> ConnectionRecord {
        try await connections { $0.host == host }[0]
    }

    /// Ends it as Ctrl-C does.
    @discardableResult
    func stop() async throws -> ChildProcess.Progress {
        process.signal(SIGINT)
        let progress = try await process.end()
        #expect(progress.ending == .exit(0), "\(progress.errorText)")
        return progress
    }
}

/// A line of `pinproof proxy --json` about a connection: docs/events.md.
struct ConnectionRecord: Decodable, Sendable {
    struct Session: Decodable, Equatable {
        let version: String
        let alpn: String?
    }

    struct Failure: Decodable {
        let party: String
        let code: String
        let phase: String
        let detail: String
        let hint: String?
    }

    struct End: Decodable, Equatable {
        let how: String
        var code: Int?
        var name: String?
    }

    struct Closed: Decodable {
        let by: String
        let phase: String
        let client: End?
        let origin: End?
        let clientBytes: Int
        let originBytes: Int
    }

    let connection: Int
    let target: String?
    let host: String?
    let port: Int?
    let decision: String?
    let rule: String?
    let clientSession: Session?
    let originSession: Session?
    let answered: Int?
    let notTLS: String?
    let failure: Failure?
    let closed: Closed

    private struct Kind: Decodable {
        let record: String
    }

    /// The lines that are about connections.
    static func all(_ lines: some Sequence<Substring>) throws -> [ConnectionRecord] {
        let decoder = JSONDecoder()
        return try lines.map { Data($0.utf8) }.filter { line in
            try decoder.decode(Kind.self, from: line).record == "connection"
        }.map { try decoder.decode(ConnectionRecord.self, from: $0) }
    }
}
