import Authority
import Crypto
import Foundation
import Synchronization
import Testing
import Wire

/// Everything on loopback that these tests talk to: an origin whose certificate comes from a "public" CA, and a proxy
/// that knows its names and trusts that CA.
final class Stage: Sendable {
    let folder: TemporaryFolder
    let publicAuthority: CertificateAuthority
    /// The file with the CA that signed the origin's certificate.
    let publicCA: String
    /// The file with the CA of all proxies.
    let proxyCA: String
    /// The files with the origin's certificate and its key.
    let originIdentity: IdentityFiles
    /// Client certificates.
    let clients: ClientIdentities
    let origin: Server
    let proxy: Server
    private let hosts: Mutex<[String]>

    static let domain = "pinproof.test"
    private static let allHosts = (1...299).map { "host\($0).\(domain)" }

    init() async throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        let folder = try TemporaryFolder()
        self.folder = folder
        publicAuthority = try CertificateAuthority.ephemeral(name: "Public", now: now)
        publicCA = try folder.file("public.pem", Array(publicAuthority.certificate.pem.utf8)).path
        _ = try CertificateAuthority.create(in: folder.path("proxy"), now: now)
        proxyCA = folder.path("proxy/ca.pem")
        let identity = try Self.mint(.everyHost, by: publicAuthority, in: folder)
        originIdentity = identity
        clients = try ClientIdentities(in: folder.path("clients"))
        origin = try await Server(["origin", "--cert", identity.certificate, "--key", identity.key])
        proxy = try await Server(
            ["proxy"]
                + Self.proxyOptions(folder, resolving: Self.allHosts, to: origin.port, trusting: publicCA))
        hosts = Mutex(Self.allHosts)
    }

    /// A name of the origin that no other test uses.
    func newHost() throws -> String {
        try #require(hosts.withLock { $0.popLast() }, "Stage.allHosts is used up")
    }

    /// Starts a proxy of the test's own, which knows these names of the origin, with further options.
    func startProxy(
        resolving hosts: [String], to port: Int? = nil, trusting file: String? = nil, _ options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> Server {
        let own = Self.proxyOptions(folder, resolving: hosts, to: port ?? origin.port, trusting: file ?? publicCA)
        return try await Server(["proxy"] + own + options, environment: environment)
    }

    /// Starts an origin of the test's own, with the certificate of the other one and further options.
    func startOrigin(_ options: [String]) async throws -> Server {
        try await Server(
            ["origin", "--cert", originIdentity.certificate, "--key", originIdentity.key] + options)
    }

    /// Files with a certificate and its key.
    struct IdentityFiles {
        let certificate: String
        let key: String
    }

    /// Makes a certificate for these names, signed by the public CA; `change` makes it faulty.
    func mint(
        _ names: [AlternativeName], _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> IdentityFiles {
        try Self.mint(names, by: publicAuthority, in: folder, change)
    }

    /// Ends what was started with the stage.
    func end() async throws {
        try await proxy.stop()
        try await origin.stop()
    }

    private static func proxyOptions(
        _ folder: TemporaryFolder, resolving hosts: [String], to port: Int, trusting file: String
    ) -> [String] {
        ["--state", folder.path("proxy"), "--origin-ca", file]
            + hosts.flatMap { ["--resolve", "\($0):443:127.0.0.1:\(port)"] }
    }

    private static func mint(
        _ names: [AlternativeName], by authority: CertificateAuthority, in folder: TemporaryFolder,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> IdentityFiles {
        let now = Int64(Date.now.timeIntervalSince1970)
        var template = CertificateTemplate.server(names: names, notBefore: now - 3600, notAfter: now + 3600)
        change(&template)
        let identity = try authority.issue(template)
        let name = UUID().uuidString
        return IdentityFiles(
            certificate: try folder.file("\(name).pem", Array(identity.chain.map(\.pem).joined().utf8)).path,
            key: try folder.privateFile("\(name).key", identity.key.pem()))
    }
}

extension [AlternativeName] {
    /// All hosts of the stage, and 127.0.0.1.
    static var everyHost: Self { [.dns("*.\(Stage.domain)"), .address([127, 0, 0, 1])] }
}

extension TemporaryFolder {
    /// Writes a file that nobody else may read.
    func privateFile(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = try file(name, bytes).path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }
}
