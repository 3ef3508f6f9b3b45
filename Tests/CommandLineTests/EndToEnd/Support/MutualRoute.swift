import Foundation
import Testing

/// A host whose origin may ask for a client certificate, and a proxy of the test's own on the way to it.
struct MutualRoute {
    static let host = "mutual.\(Stage.domain)"

    let proxy: Server
    private let stage: Stage
    private let origin: Server?

    /// Starts `pinproof origin` and the proxy with further options.
    init(
        _ stage: Stage, origin originOptions: [String] = [], proxy options: [String] = [],
        environment: [String: String] = [:]
    ) async throws {
        let origin = try await stage.startOrigin(originOptions)
        try await self.init(stage, to: origin.port, origin, proxy: options, environment: environment)
    }

    /// Starts the proxy only: the origin is another program, at a port.
    init(_ stage: Stage, to port: Int, proxy options: [String] = []) async throws {
        try await self.init(stage, to: port, nil, proxy: options)
    }

    private init(
        _ stage: Stage, to port: Int, _ origin: Server?, proxy options: [String], environment: [String: String] = [:]
    ) async throws {
        self.stage = stage
        self.origin = origin
        proxy = try await stage.startProxy(resolving: [Self.host], to: port, options, environment: environment)
    }

    /// What an origin is told that takes clients of an authority, or single ones, only.
    static func requiring(_ authority: IssuedFiles, tls: String? = nil) -> [String] {
        ["--client-auth", "require", "--client-ca", authority.certificate]
            + (tls.map { ["--tls-min", $0, "--tls-max", $0] } ?? [])
    }

    /// Fetches the host's front page with curl.
    func fetch(_ more: String...) async throws -> Curl.Outcome { try await fetch(more) }

    /// Fetches it with further arguments.
    func fetch(_ more: [String]) async throws -> Curl.Outcome {
        try await Curl.Outcome(
            Curl(through: proxy.port, trusting: stage.proxyCA).start("https://\(Self.host)/", more).end())
    }

    /// Ends both; returns what the summary says of the host.
    @discardableResult
    func end() async throws -> HostRecord {
        let progress = try await proxy.stop()
        try await origin?.stop()
        let records = try HostRecord.all(progress.lines.dropFirst())
        return try #require(records.first { $0.host == Self.host })
    }
}

/// A line of the summary of `pinproof proxy --json` about a host: docs/events.md.
struct HostRecord: Decodable {
    let host: String
    let identityRequests: Int
    let identitiesGiven: Int
    let identitiesTaken: Int

    private struct Kind: Decodable {
        let record: String
    }

    fileprivate static func all(_ lines: some Sequence<Substring>) throws -> [HostRecord] {
        let decoder = JSONDecoder()
        return try lines.map { Data($0.utf8) }.filter { line in
            try decoder.decode(Kind.self, from: line).record == "host"
        }.map { try decoder.decode(HostRecord.self, from: $0) }
    }
}
