import Authority
import Crypto
import Engine
import Foundation
import TestSupport
import Testing
import Transcript
import Wire

/// Client certificates through the proxy: ours for the origin, the app's for us.
///
/// Alerts by the numbers of RFC 8446 section 6.
@Suite struct ProxyIdentityTests {
    /// An authority for client certificates, and files with what it issued.
    private final class Clients: Sendable {
        let authority: CertificateAuthority
        let folder: Folder
        private let now: Int64

        init(_ now: Int64, _ name: String = "Clients") throws {
            authority = try CertificateAuthority.ephemeral(name: name, now: now)
            folder = try Folder()
            self.now = now
        }

        func identity(_ name: String) throws -> TLSIdentity {
            var template = CertificateTemplate(
                subject: [("CN", name)], notBefore: now - 3600, notAfter: now + 3600)
            template.purposes = [.clientAuth]
            return try authority.issue(template)
        }

        /// Writes an identity into a file, over what is there.
        func file(_ name: String, _ identity: TLSIdentity) throws -> IdentitySource.Location {
            let path = folder.path(name)
            let text = identity.key.pem() + Array(identity.chain.map(\.pem).joined().utf8)
            try Data(text).write(to: URL(filePath: path), options: .atomic)
            return IdentitySource.Location(file: path)
        }

        var name: AuthorityName {
            get throws { try #require(AuthorityName(subjectOf: authority.certificate)) }
        }
    }

    private static let version12: UInt16 = 0x0303
    private static let request = "GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n"

    private func source(_ location: IdentitySource.Location) throws -> IdentitySource {
        try IdentitySource(location) { nil }
    }

    /// Takes a connection to the point where both handshakes are over.
    private func connect(
        _ stage: Stage, _ authentication: ClientAuthentication?, version: UInt16? = nil, identity: TLSIdentity? = nil
    ) async throws -> (client: Peer, origin: Peer) {
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), identity: identity)
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(
            .server(maximumVersion: version), identity: stage.originIdentity(), authentication: authentication)
        return (client, origin)
    }

    @Test(arguments: [version12, nil]) func originThatAsksGetsTheIdentityOfItsHost(_ version: UInt16?) async throws {
        let now = Int64(time(nil))
        let clients = try Clients(now)
        let identity = try clients.identity("app")
        let file = try clients.file("app.pem", identity)
        let stage = try await Stage {
            $0.identity.identities = HostTable([(try .required("*.test"), try source(file))])
        }
        let (client, origin) = try await connect(
            stage, ClientAuthentication(isRequired: true, authorities: [try clients.name]), version: version)
        try await client.secured()
        try await origin.secured()
        try await client.send("hello")
        #expect(try await origin.receive(5) == Array("hello".utf8))
        #expect(origin.seen.chain == identity.chain)
        try await client.reset()
        let story = try await stage.log.story()
        #expect(story.lines.contains("identity origin 1 of 1"))
        // The app was asked as the origin asked, and had none.
        #expect(story.lines.contains("identity client 0 of 1"))
        #expect(story.failures == [])
    }

    /// Without an identity the origin refuses: in TLS 1.2 within the handshake, in TLS 1.3 after the client's was over.
    @Test(arguments: [version12, nil], ["http/1.1", "h2"])
    func originThatGetsNoneAndRefusesIsExplainedToTheClient(_ version: UInt16?, _ alpn: String) async throws {
        let stage = try await Stage()
        let clients = try Clients(Int64(time(nil)))
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: [alpn])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(
            .server(maximumVersion: version), identity: stage.originIdentity(),
            authentication: ClientAuthentication(isRequired: true, authorities: [try clients.name]), alpn: alpn)
        try await client.secured()
        let page = try await client.fetchPage(alpn)
        #expect(page.contains("the origin asked for a client certificate, issued by one of: \(try clients.name.text)"))
        #expect(page.contains("it got none, and then it sent the alert"))
        #expect(page.contains("--identity HOST=FILE"))
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.originWantsIdentity])
        #expect(story.closed.by == .origin)
        #expect(story.lines.contains("identity origin 0 of 1"))
    }

    /// TLS 1.3: the client may have said a lot before the refusal comes; it is owed an answer to that.
    @Test func whatTheClientSaidBeforeTheRefusalIsAnswered() async throws {
        let stage = try await Stage()
        let (client, origin) = try await connect(stage, ClientAuthentication())
        try await client.secured()
        try await origin.secured()
        try await client.send(Self.request)
        _ = try await origin.receive(Self.request.utf8.count)
        try await origin.sendFIN()
        let head = try await client.receive(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(head.contains("\r\nPinproof-Fault: originWantsIdentity\r\n"))
        try await client.close()
        #expect(try await stage.log.story().failures == [.originWantsIdentity])
    }

    /// What was too much to keep cannot be answered; that the origin refused is recorded all the same.
    @Test func aLongRequestIsNotAnsweredButTheRefusalIsRecorded() async throws {
        let stage = try await Stage()
        let (client, origin) = try await connect(stage, ClientAuthentication())
        try await client.secured()
        try await origin.secured()
        let request = [UInt8](repeating: 7, count: 64 * 1024 + 1)
        try await client.send(request)
        try await origin.wait("all of it") { $0.count == request.count }
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.received.isEmpty)
        try await client.close()
        let story = try await stage.log.story()
        #expect(story.failures == [.originWantsIdentity])
        #expect(!story.lines.contains { $0.hasPrefix("answered") })
    }

    /// An origin that said something before it went refuses nothing: its end is passed on.
    @Test func originThatAnsweredAndThenEndsIsPassedOn() async throws {
        let stage = try await Stage()
        let (client, origin) = try await connect(stage, ClientAuthentication())
        try await client.secured()
        try await client.send(Self.request)
        _ = try await origin.receive(Self.request.utf8.count)
        try await origin.send("an answer")
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.text == "an answer")
        try await client.close()
        #expect(try await stage.log.story().failures == [])
    }

    /// Of several the one that the origin says it takes, whatever their order; else the first.
    @Test(arguments: [("Clients", "app"), ("Others", "other"), ("Nobody", "other")])
    func identityIsChosenByTheOriginsList(_ wanted: String, _ chosen: String) async throws {
        let now = Int64(time(nil))
        let (clients, others, nobody) = try (Clients(now, "Clients"), Clients(now, "Others"), Clients(now, "Nobody"))
        let sources = try [
            source(others.file("other.pem", others.identity("other"))),
            source(clients.file("app.pem", clients.identity("app"))),
        ]
        let stage = try await Stage {
            $0.identity.identities = HostTable(try sources.map { (try .required(testHost), $0) })
        }
        let names: [AuthorityName] = try [clients, others, nobody].map { try $0.name }
        let name = names.first { $0.text.contains(wanted) }
        let (client, origin) = try await connect(
            stage, ClientAuthentication(isRequired: true, authorities: [try #require(name)]))
        try await client.secured()
        try await origin.secured()
        #expect(origin.seen.chain.first?.subject == "CN=\(chosen)")
    }

    @Test func fileThatWasReplacedIsUsedFromTheNextConnectionOn() async throws {
        let clients = try Clients(Int64(time(nil)))
        let file = try clients.file("app.pem", clients.identity("first"))
        let stage = try await Stage {
            $0.identity.identities = HostTable([(try .required(testHost), try source(file))])
        }
        for name in ["first", "second"] {
            let (client, origin) = try await connect(stage, ClientAuthentication(isRequired: true))
            try await client.secured()
            try await origin.secured()
            #expect(origin.seen.chain.first?.subject == "CN=\(name)")
            _ = try clients.file("app.pem", clients.identity("second"))
        }
        try Data("nonsense".utf8).write(to: URL(filePath: file.file))
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        _ = try await stage.origin.accept()
        try await client.secured()
        let page = try await client.fetchPage("http/1.1", fault: "identityUnusable")
        #expect(page.contains("the identity in \(file.file) cannot be used"))
    }

    // MARK: The app's own

    @Test(arguments: [version12, nil]) func appIsAskedAsTheOriginAsks(_ version: UInt16?) async throws {
        let clients = try Clients(Int64(time(nil)))
        let identity = try clients.identity("app")
        let stage = try await Stage { $0.identity.appTrust = try ClientTrust(anchors: [clients.authority.certificate]) }
        let (client, origin) = try await connect(
            stage, ClientAuthentication(authorities: [try clients.name]), version: version, identity: identity)
        try await client.secured()
        try await origin.secured()
        #expect(client.seen.requests.map { $0.authorities.map(\.text) } == [[try clients.name.text]])
        try await client.reset()
        let exchange = try #require(try await stage.log.story().appIdentity)
        #expect(exchange.chain.count == 1)
        #expect(exchange.fault == nil)
    }

    @Test func appIsNotAskedIfNobodyWantsIt() async throws {
        let stage = try await Stage()
        let (client, origin) = try await connect(
            stage, nil, identity: Clients(Int64(time(nil))).identity("app"))
        try await client.secured()
        try await origin.secured()
        #expect(client.seen.requests == [])
        try await client.reset()
        #expect(try await stage.log.story().appIdentity == nil)
    }

    /// What is wrong with the app's certificate is recorded, and nobody is refused for it.
    @Test func appWithAStrangersCertificateIsServedAndRecorded() async throws {
        let now = Int64(time(nil))
        let stage = try await Stage {
            $0.identity.appRequests = HostTable([(try .required(testHost), .always)])
            $0.identity.appTrust = try ClientTrust(anchors: [Clients(now).authority.certificate])
        }
        let (client, origin) = try await connect(stage, nil, identity: Clients(now, "Strangers").identity("app"))
        try await client.secured()
        try await origin.secured()
        try await client.reset()
        let exchange = try #require(try await stage.log.story().appIdentity)
        #expect(exchange.chain.count == 1)
        #expect(exchange.fault == "unable to get local issuer certificate")
    }

    /// Told to, the proxy refuses: certificate_required (116) without one, unknown_ca (48) for a stranger's.
    @Test(arguments: [(nil, 116), ("Strangers", 48), ("Clients", 0)] as [(String?, UInt8)])
    func appIsRefusedOnlyIfTold(_ issuer: String?, _ alert: UInt8) async throws {
        let now = Int64(time(nil))
        let clients = try Clients(now)
        let stage = try await Stage {
            $0.identity.appRequests = HostTable([(try .required(testHost), .required)])
            $0.identity.appTrust = try ClientTrust(anchors: [clients.authority.certificate])
        }
        let identity = try issuer.map { try ($0 == "Clients" ? clients : Clients(now, $0)).identity("app") }
        let (client, origin) = try await connect(stage, nil, identity: identity)
        defer { withExtendedLifetime(origin) {} }
        if alert == 0 {
            try await client.secured()
            try await client.reset()
        } else {
            try await client.wait("the alert") { !$0.alerts.isEmpty }
            #expect(client.seen.alerts == [alert])
            try await client.close()
        }
        let story = try await stage.log.story()
        #expect(story.appIdentity?.chain.count == (issuer == nil ? 0 : 1))
        #expect(story.failures == (alert == 0 ? [] : [.clientHandshake]))
    }

    // MARK: Pinned origins

    /// A pin is all that counts for its host: not the name, not the time, not who signed.
    @Test(arguments: ["certificate", "publicKey", "any", "another", "none"])
    func originIsJudgedByItsPinAlone(_ pin: String) async throws {
        let identity = try Clients(Int64(time(nil)), "Nobody").identity("no server")
        let leaf = identity.chain[0]
        let pins: [OriginPin] =
            switch pin {
            case "certificate": [.publicKey([UInt8](repeating: 0, count: 32)), .certificate(leaf.sha256)]
            case "publicKey": [.publicKey(leaf.spkiSHA256)]
            case "any": [.any]
            case "another": [.publicKey(leaf.sha256)]
            default: []
            }
        let stage = try await Stage { $0.originPins = HostTable(try pins.map { (try .required(testHost), $0) }) }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: identity, alpn: "http/1.1")
        try await client.secured()
        if ["another", "none"].contains(pin) {
            let page = try await client.fetchPage("http/1.1")
            #expect(
                page.contains(
                    pin == "none"
                        ? "the origin's certificate is refused" : "is not one that --origin-pin names for it"))
        } else {
            try await origin.secured()
            try await client.send("hello")
            #expect(try await origin.receive(5) == Array("hello".utf8))
            try await client.reset()
            let proof = try await stage.log.story().kinds.compactMap {
                if case .secured(.origin, let parameters) = $0 { parameters.proof } else { nil }
            }
            #expect(proof == [pin == "any" ? .nothing : .pin])
        }
    }
}

extension Story {
    /// What was recorded of the app's certificate.
    fileprivate var appIdentity: IdentityExchange? {
        kinds.compactMap { if case .identity(let exchange) = $0, exchange.side == .client { exchange } else { nil } }
            .first
    }
}
