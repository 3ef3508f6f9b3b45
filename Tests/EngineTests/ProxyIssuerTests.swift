import Authority
import Crypto
import Engine
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// C63: origins that leave intermediates out of their chains; fetched only with `--aia`.
@Suite struct ProxyIssuerTests {
    /// Where intermediates are published; resolved, as the origin is, by an override.
    private static let publisher = "pki.pinproof.test"

    /// An origin's leaf alone, and the intermediates that it leaves out, the one that signed the leaf first.
    private struct Chain {
        let identity: TLSIdentity
        let missing: [Certificate]
    }

    /// A chain below the stage's public authority, in which each certificate says where its issuer is.
    private func chain(_ stage: Stage, depth: Int = 1, location: String? = "http://\(publisher)/ca.cer") throws -> Chain
    {
        let (from, to) = (stage.now - 3600, stage.now + 3600)
        var issuer: TLSIdentity?
        var missing: [Certificate] = []
        func issue(_ template: CertificateTemplate) throws -> TLSIdentity {
            var template = template
            // The root is known.
            if issuer != nil, let location { template.otherExtensions = [.issuerLocation(location)] }
            return try issuer.map { try template.identity(issuer: $0) } ?? stage.publicAuthority.issue(template)
        }
        for number in 1...depth {
            let made = try issue(
                .authority(subject: [("CN", "Intermediate \(number)")], notBefore: from, notAfter: to))
            missing.insert(made.chain[0], at: 0)
            issuer = made
        }
        let leaf = try issue(.server(names: [.dns(testHost)], notBefore: from, notAfter: to))
        return Chain(identity: TLSIdentity(chain: [leaf.chain[0]], key: leaf.key), missing: missing)
    }

    private func stage(_ adjust: (inout Stage.Options) throws -> Void = { _ in }) async throws -> Stage {
        try await Stage {
            $0.hosts = [testHost, Self.publisher]
            $0.fetchesIssuers = true
            try adjust(&$0)
        }
    }

    /// A client and an origin that begin their handshakes.
    private func begin(_ stage: Stage, _ identity: TLSIdentity) async throws -> (client: Peer, origin: Peer) {
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        try await origin.beginTLS(.server(), identity: identity, alpn: "http/1.1")
        return (client, origin)
    }

    /// Answers the next request for a file.
    private func publish(_ stage: Stage, _ file: [UInt8], announcesLength: Bool = true) async throws {
        let caller = try await stage.origin.accept()
        let request = try await caller.receive(through: "\r\n\r\n")
        #expect(request == "GET /ca.cer HTTP/1.0\r\nHost: \(Self.publisher)\r\n\r\n")
        let length = announcesLength ? "Content-Length: \(file.count)\r\n" : ""
        try await caller.send(Array("HTTP/1.1 200 OK\r\n\(length)\r\n".utf8) + file)
        if !announcesLength { try await caller.sendFIN() }
        try await caller.ended()
        try await caller.close()
    }

    /// The ways in which authorities publish a certificate.
    enum Form: CaseIterable {
        case der, pkcs7, pem

        func file(_ certificate: Certificate, _ other: Certificate) -> [UInt8] {
            switch self {
            case .der: certificate.der
            case .pkcs7: certificatesOnly([other, certificate])
            case .pem: Array(certificate.pem.utf8)
            }
        }
    }

    @Test("C63: a missing intermediate is fetched once, and recorded", arguments: Form.allCases, [true, false])
    func isFetched(_ form: Form, _ announcesLength: Bool) async throws {
        let stage = try await stage()
        let chain = try chain(stage)
        let (client, origin) = try await begin(stage, chain.identity)
        let file = form.file(chain.missing[0], stage.publicAuthority.certificate)
        try await publish(stage, file, announcesLength: announcesLength)
        try await client.secured()
        try await origin.secured()
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        // The next one finds it in the cache.
        let (second, other) = try await begin(stage, chain.identity)
        try await second.secured()
        #expect(stage.origin.callers == 3)
        for peer in [client, origin, second, other] { try await peer.close() }
        let story = try await stage.log.story(of: 1)
        #expect(story.failures == [])
        let digest = chain.missing[0].sha256.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(
            story.kinds.contains(
                .issuerFetched(
                    IssuerFetched(
                        url: "http://\(Self.publisher):80/ca.cer", digests: [digest], fromCache: false, fault: nil))))
        #expect(try await stage.log.story(of: 2).lines.contains { $0.hasPrefix("issuers 1 again") })
    }

    @Test("C63: intermediates are followed for three hops and no further", arguments: [3, 4])
    func hops(_ depth: Int) async throws {
        let stage = try await stage()
        let chain = try chain(stage, depth: depth)
        let (client, origin) = try await begin(stage, chain.identity)
        for certificate in chain.missing.prefix(3) { try await publish(stage, certificate.der) }
        try await client.secured()
        if depth == 4 { _ = try await client.fetchPage("http/1.1") }
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().failures == (depth == 4 ? [.originUntrusted] : []))
        #expect(stage.origin.callers == 4)
    }

    /// Expects the page that refuses half a chain, with these words.
    private func expectRefusal(
        _ stage: Stage, _ client: Peer, _ origin: Peer, saying words: [String], callers: Int
    ) async throws {
        try await client.secured()
        let page = try await client.fetchPage("http/1.1")
        for word in ["intermediate missing (issuer CN=Intermediate 1)", "--origin-ca FILE"] + words {
            #expect(page.contains(word), "no '\(word)' in \(page)")
        }
        try await client.close()
        try await origin.close()
        #expect(try await stage.log.story().failures == [.originUntrusted])
        #expect(stage.origin.callers == callers)
    }

    @Test("C63: nothing is fetched unless asked") func isNotFetched() async throws {
        let stage = try await stage { $0.fetchesIssuers = false }
        let (client, origin) = try await begin(stage, chain(stage).identity)
        try await expectRefusal(stage, client, origin, saying: ["fetch it with --aia"], callers: 1)
    }

    @Test(
        "C63: what is not to be had over http is not fetched",
        arguments: [nil, "ldap://pki.pinproof.test/cn=ca", "https://pki.pinproof.test/ca.cer"])
    func noLocation(_ location: String?) async throws {
        let stage = try await stage()
        let (client, origin) = try await begin(stage, chain(stage, location: location).identity)
        try await expectRefusal(stage, client, origin, saying: [], callers: 1)
    }

    @Test("C63: a certificate that did not issue the leaf is refused, though its name is right")
    func wrongIssuer() async throws {
        let stage = try await stage()
        let (client, origin) = try await begin(stage, chain(stage).identity)
        // Another key under the same name.
        try await publish(stage, try chain(stage).missing[0].der)
        try await expectRefusal(
            stage, client, origin, saying: ["it could not be fetched: what is there did not issue it"], callers: 2)
    }

    /// Answers that bring nothing.
    enum BadAnswer: String, CaseIterable {
        case redirect = "HTTP/1.1 302 Found\r\nLocation: http://pki.pinproof.test/other.cer\r\n\r\n"
        case announcesTooMuch = "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n"
        case notHTTP = "SSH-2.0-x\r\n"
        case noCertificate = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        case negativeLength = "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"
        case breaksOff = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"

        var words: String {
            switch self {
            case .redirect: "the answer is 302"
            case .announcesTooMuch: "it is larger than 64 KiB"
            case .notHTTP: "the answer is not HTTP"
            case .noCertificate: "no certificate is there"
            case .negativeLength, .breaksOff: "the answer broke off"
            }
        }
    }

    @Test("C63: an answer that brings nothing is told", arguments: BadAnswer.allCases)
    func badAnswer(_ answer: BadAnswer) async throws {
        let stage = try await stage()
        let (client, origin) = try await begin(stage, chain(stage).identity)
        let caller = try await stage.origin.accept()
        _ = try await caller.receive(through: "\r\n\r\n")
        try await caller.send(answer.rawValue)
        try await caller.sendFIN()
        try await expectRefusal(
            stage, client, origin, saying: ["it could not be fetched: \(answer.words)"], callers: 2)
    }

    @Test("C63: a body without end is cut off") func endlessBody() async throws {
        let stage = try await stage()
        let (client, origin) = try await begin(stage, chain(stage).identity)
        let caller = try await stage.origin.accept()
        _ = try await caller.receive(through: "\r\n\r\n")
        try await caller.send("HTTP/1.1 200 OK\r\n\r\n")
        let chunk = pattern(8192)
        try await caller.keep(every: 1) { $0.send(chunk) }
        try await expectRefusal(stage, client, origin, saying: ["it is larger than 64 KiB"], callers: 2)
    }

    @Test("C63: a slow answer is not waited for") func slowAnswer() async throws {
        let stage = try await stage { $0.limits.issuers = .milliseconds(300) }
        let (client, origin) = try await begin(stage, chain(stage).identity)
        let caller = try await stage.origin.accept()
        _ = try await caller.receive(through: "\r\n\r\n")
        try await expectRefusal(stage, client, origin, saying: ["it did not come in time"], callers: 2)
        try await caller.ended()
    }

    @Test("C63: the proxy does not ask itself") func ownListener() async throws {
        let stage = try await stage { $0.allowed = ["127.0.0.1"] }
        let location = "http://127.0.0.1:\(stage.proxy.address.port)/ca.cer"
        let (client, origin) = try await begin(stage, chain(stage, location: location).identity)
        try await expectRefusal(stage, client, origin, saying: ["it is this proxy itself"], callers: 1)
    }

    @Test("C63: what a rule refuses is not fetched either") func refusedByRule() async throws {
        let stage = try await stage()
        // The stage's rules refuse every host but its own.
        let location = "http://127.0.0.1:\(stage.origin.address.port)/ca.cer"
        let (client, origin) = try await begin(stage, chain(stage, location: location).identity)
        let reason = "a rule refuses 127.0.0.1:\(stage.origin.address.port)"
        try await expectRefusal(stage, client, origin, saying: [reason], callers: 1)
    }

    @Test("C63: a client that leaves meanwhile leaves nothing behind") func clientLeaves() async throws {
        let stage = try await stage()
        let (client, origin) = try await begin(stage, chain(stage).identity)
        let caller = try await stage.origin.accept()
        try await client.reset()
        try await caller.ended()
        try await origin.ended()
        try await origin.close()
        #expect(try await stage.log.story().closed.by == .client)
    }
}
