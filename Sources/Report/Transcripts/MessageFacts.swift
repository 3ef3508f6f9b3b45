import Transcript
import Wire

/// What a handshake message says, in a few facts.
struct MessageFacts {
    /// The message's name as RFC 8446 writes it.
    var name: String
    /// What is in it.
    var facts: [String]

    /// What the events say beside the message itself.
    struct Context {
        /// The session as it is known from its events.
        var session: SessionRecord
        /// Whether it is the session with the client.
        var side: Side
        /// Which way the message went.
        var direction: Direction
        /// The version that was agreed on.
        var version: UInt16
        /// Which ClientHello of the session it is, if it is one.
        var helloNumber: Int
        /// What is known of certificates, by digest.
        var certificates: [String: CertificateOutline]
    }

    /// Describes a message.
    ///
    /// - Parameters:
    ///   - message: The message; nil if it does not decode.
    ///   - bytes: The message as it was recorded.
    ///   - context: What else is known.
    init(_ message: HandshakeMessage?, bytes: [UInt8], _ context: Context) {
        guard let message else {
            let type = bytes.first.map { TLSNames.handshakeMessage($0) }
            name = type ?? "empty message"
            facts = type == nil ? [] : ["\(bytes.count) octets that do not decode"]
            return
        }
        name = Self.name(message)
        facts = []
        switch message {
        case .clientHello(let hello): describe(hello, context)
        case .serverHello(let hello): describe(hello, context)
        case .encryptedExtensions(let extensions): describe(extensions)
        case .certificate(let certificate): describe(certificate, context)
        case .certificateRequest(let request): describe(request)
        case .serverKeyExchange(let exchange):
            if let parts = try? exchange.ellipticCurve(version: context.version) {
                facts = [parts.group.map(TLSNames.group), parts.scheme.map(TLSNames.signatureScheme)].compactMap(\.self)
            }
        case .certificateVerify(let scheme, _): facts = [scheme.map(TLSNames.signatureScheme)].compactMap(\.self)
        case .certificateStatus(let response): facts = ["OCSP response, \(response.count) octets"]
        case .newSessionTicket(let ticket):
            facts = ["lifetime \(ticket.lifetime) s"]
            if let early = ticket.maxEarlyData { facts.append("takes \(early) octets of early data") }
        case .keyUpdate(let isRequested): facts = [isRequested ? "asks for the same" : "asks for nothing"]
        case .other(_, let body): facts = ["\(body.count) octets"]
        case .helloRequest, .serverHelloDone, .clientKeyExchange, .endOfEarlyData, .finished: break
        }
    }

    private mutating func describe(_ hello: ClientHello, _ context: Context) {
        if context.helloNumber > 1 { name += " (\(context.helloNumber))" }
        let versions = hello.supportedVersions.filter { !ClientHello.isGREASE($0) }
        facts.append(Self.list(versions: versions.isEmpty ? [hello.legacyVersion] : versions))
        facts.append(hello.serverName.map { "SNI \($0)" } ?? "no SNI")
        if let protocols = hello.alpn {
            facts.append("ALPN " + protocols.map(TLSNames.applicationProtocol).joined(separator: ", "))
        }
        if let stack = context.session.hello?.ja4 { facts.append("JA4 \(stack.shortStack)") }
        if hello.offersECH { facts.append("encrypted_client_hello") }
        if hello.offersEarlyData { facts.append("early data") }
    }

    private mutating func describe(_ hello: ServerHello, _ context: Context) {
        if hello.isRetryRequest { name = "HelloRetryRequest" }
        facts = [TLSNames.version(hello.version), TLSNames.cipherSuite(hello.cipherSuite)]
        if let group = hello.keyShareGroup {
            facts.append((hello.isRetryRequest ? "asks for a key share of " : "") + TLSNames.group(group))
        }
        if let name = hello.alpn { facts.append("ALPN " + TLSNames.applicationProtocol(name)) }
    }

    private mutating func describe(_ extensions: [TLSExtension]) {
        facts = extensions.map { item in
            // A list of one name: two octets of its length, one of the name's (RFC 7301 section 3.1).
            item.type == 16 && item.body.count > 3
                ? "ALPN " + TLSNames.applicationProtocol(Array(item.body[3...])) : TLSNames.extension(item.type)
        }
    }

    private mutating func describe(_ message: CertificateMessage, _ context: Context) {
        let isServers = (context.side == .client) == (context.direction == .sent)
        let chain = isServers ? context.session.chain : context.session.identity?.chain ?? []
        guard !message.entries.isEmpty else {
            facts = ["empty: none is shown"]
            return
        }
        if let leaf = chain.first.flatMap({ context.certificates[$0] }) { facts.append(leaf.subject) }
        facts.append(message.entries.count == 1 ? "1 certificate" : "\(message.entries.count) certificates")
    }

    private mutating func describe(_ request: CertificateRequestMessage) {
        switch request.authorities.count {
        case 0: facts = ["of any CA"]
        case 1: facts = ["of 1 CA by name"]
        case let count: facts = ["of \(count) CAs by name"]
        }
        facts.append("\(request.signatureAlgorithms.count) signature schemes")
    }

    /// Versions as `TLS 1.3, 1.2`: the name of the protocol once.
    private static func list(versions: [UInt16]) -> String {
        let names = versions.map(TLSNames.version)
        let rest = names.dropFirst().map { $0.hasPrefix("TLS ") ? String($0.dropFirst(4)) : $0 }
        return (names.prefix(1) + rest).joined(separator: ", ")
    }

    private static func name(_ message: HandshakeMessage) -> String {
        switch message {
        case .helloRequest: "HelloRequest"
        case .clientHello: "ClientHello"
        case .serverHello: "ServerHello"
        case .encryptedExtensions: "EncryptedExtensions"
        case .certificate: "Certificate"
        case .certificateRequest: "CertificateRequest"
        case .serverKeyExchange: "ServerKeyExchange"
        case .serverHelloDone: "ServerHelloDone"
        case .certificateVerify: "CertificateVerify"
        case .clientKeyExchange: "ClientKeyExchange"
        case .certificateStatus: "CertificateStatus"
        case .newSessionTicket: "NewSessionTicket"
        case .endOfEarlyData: "EndOfEarlyData"
        case .finished: "Finished"
        case .keyUpdate: "KeyUpdate"
        case .other(let type, _): TLSNames.handshakeMessage(type)
        }
    }
}

extension String {
    /// The readable first part of a JA4, such as "t13d1516h2".
    var shortStack: String { String(prefix { $0 != "_" }) }
}
