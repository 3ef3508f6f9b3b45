internal import Crypto
internal import Transcript
internal import Wire

/// Whether what events say of hellos is what the messages hold.
enum Hellos {
    /// What a session claims of its hellos.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - handshakes: Its handshakes.
    /// - Returns: The claims.
    static func claims(_ session: SessionRecord, handshakes: [Handshake]) -> [Claim] {
        let clientHellos = handshakes.flatMap(\.clientHellos)
        let serverHellos = handshakes.flatMap { [$0.retryRequest, $0.serverHello].compactMap { $0 } }
        var claims: [Claim] = []
        for said in session.clientHellos {
            let hello = said.value.hello
            claims.append(claim(session, contains: clientHellos.contains(hello), any: clientHellos, said.line))
            claims.append(fingerprints(session, expected(of: hello) == said.value, said.line))
        }
        for said in session.serverHellos {
            let hello = said.value.hello
            claims.append(claim(session, contains: serverHellos.contains(hello), any: serverHellos, said.line))
            claims.append(fingerprints(session, expected(of: hello) == said.value, said.line))
        }
        if let secured = session.secured { claims.append(parameters(secured, session, handshakes)) }
        return claims
    }

    private static func claim(_ session: SessionRecord, contains: Bool, any: [some Any], _ line: Int) -> Claim {
        let result: Claim.Result =
            if contains {
                .proven
            } else if any.isEmpty {
                .notProven("no message with a hello of this side is recorded")
            } else {
                .failed("the message says something else")
            }
        return Claim(.hello, session.side, result, line: line)
    }

    private static func fingerprints(_ session: SessionRecord, _ isRight: Bool, _ line: Int) -> Claim {
        Claim(
            .fingerprints, session.side, isRight ? .proven : .failed("they are not those of the hello"), line: line)
    }

    /// The fingerprints of a client's hello.
    static func expected(of hello: ClientHello) -> HelloRecord {
        let text = hello.ja3Text
        return HelloRecord(
            hello: hello, ja3Text: text, ja3: Hex.encode(Digest.md5(Array(text.utf8))),
            ja4: hello.ja4(sha256: Digest.sha256))
    }

    /// The fingerprints of a server's hello.
    static func expected(of hello: ServerHello) -> ServerHelloRecord {
        let text = hello.ja3sText
        return ServerHelloRecord(
            hello: hello, ja3sText: text, ja3s: Hex.encode(Digest.md5(Array(text.utf8))),
            ja4s: hello.ja4s(sha256: Digest.sha256))
    }

    /// Whether what was agreed on is what the messages say.
    private static func parameters(
        _ said: SessionRecord.Said<TLSParameters>, _ session: SessionRecord, _ handshakes: [Handshake]
    ) -> Claim {
        let result: Claim.Result
        if let handshake = handshakes.first, handshake.serverHello != nil {
            let wrong = differences(said.value, handshake)
            result = wrong.isEmpty ? .proven : .failed("the messages say otherwise: \(wrong.joined(separator: ", "))")
        } else {
            result = .notProven("no message with a server's hello of this side is recorded")
        }
        return Claim(.parameters, session.side, result, line: said.line)
    }

    private static func differences(_ said: TLSParameters, _ handshake: Handshake) -> [String] {
        var wrong: [String] = []
        if said.version != handshake.version { wrong.append("version") }
        if said.cipherSuite != handshake.serverHello?.cipherSuite { wrong.append("cipher suite") }
        if said.alpn != agreedProtocol(handshake) { wrong.append("application protocol") }
        if said.resumed != handshake.isResumed { wrong.append("resumption") }
        let asked = handshake.clientHellos.first?.serverName
        if let name = said.serverName, name.lowercased() != asked?.lowercased() { wrong.append("server name") }
        return wrong
    }

    /// The application protocol: in TLS 1.3 it is encrypted (RFC 8446 section 4.3.1).
    private static func agreedProtocol(_ handshake: Handshake) -> String? {
        guard let version = handshake.version else { return nil }
        guard version >= 0x0304 else { return handshake.serverHello?.alpn.map(TLSNames.applicationProtocol) }
        for step in handshake.steps where !step.isFromClient {
            guard case .encryptedExtensions(let extensions) = try? HandshakeMessage(step.bytes, version: version),
                let body = extensions.first(where: { $0.type == 16 })?.body, body.count > 3
            else { continue }
            // A list of one name: two octets of its length, one of the name's (RFC 7301 section 3.1).
            return TLSNames.applicationProtocol(Array(body[3...]))
        }
        return nil
    }
}
