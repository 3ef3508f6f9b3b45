internal import Crypto
internal import Transcript
internal import Wire

/// What is signed and authenticated in a handshake of TLS 1.2 (RFC 5246 section 7.4).
struct Handshake12 {
    private let handshake: Handshake
    private let session: SessionRecord
    private let suite: CipherSuite
    private var transcript: TranscriptHash
    private var findings: HandshakeFindings
    private var leaves: [Bool: Certificate] = [:]

    /// Judges a handshake.
    ///
    /// - Parameters:
    ///   - handshake: The handshake.
    ///   - suite: Its cipher suite.
    ///   - session: The session, which has the secrets.
    /// - Returns: What it claims.
    static func claims(_ handshake: Handshake, suite: CipherSuite, session: SessionRecord) -> [Claim] {
        var rules = Handshake12(handshake, suite, session)
        for step in handshake.steps { rules.take(step) }
        if suite.exchange == .keyTransport, !handshake.isResumed {
            // Nothing else is said of the key.
            return rules.findings.claims(for: handshake).map { claim in
                guard claim.kind == .serverSignature else { return claim }
                return Claim(.serverSignature, session.side, .notProven(Self.unsigned))
            }
        }
        return rules.findings.claims(for: handshake)
    }

    private init(_ handshake: Handshake, _ suite: CipherSuite, _ session: SessionRecord) {
        self.handshake = handshake
        self.session = session
        self.suite = suite
        transcript = TranscriptHash(suite.hash)
        findings = HandshakeFindings(session.side)
    }

    /// Why something is not proven that needs the master secret.
    static let missingSecret =
        "no master secret is recorded: TLS 1.2's opens application data too, so that only --capture wire records it"

    private static let unsigned =
        "with a static RSA key exchange the server signs nothing: that it holds the key shows in its Finished"

    private mutating func take(_ step: Handshake.Step) {
        switch try? HandshakeMessage(step.bytes, version: 0x0303) {
        case .certificate(let certificates):
            leaves[step.isFromClient] = certificates.entries.first.flatMap { try? Certificate(der: $0.der) }
        case .serverKeyExchange(let share): findings.add(signature: check(share), by: step)
        case .certificateVerify(let scheme?, let signature):
            // The messages themselves are signed, not their digest (RFC 5246 section 7.4.8).
            let result = check(signature, scheme, over: transcript.octets, by: step)
            findings.add(signature: result, by: step)
        case .finished(let value): findings.add(finished: check(finished: value, by: step), by: step)
        default: break
        }
        transcript.add(step.bytes)
    }

    /// Checks the signature over the server's share and both randoms (RFC 5246 section 7.4.3).
    private mutating func check(_ share: ServerKeyExchange) -> Claim.Result {
        guard let client = handshake.clientHellos.first?.random, let server = handshake.serverHello?.random else {
            return .notProven("a hello cannot be read")
        }
        let signed: ServerKeyExchange.SignedParameters
        do throws(WireError) {
            switch suite.exchange {
            case .ephemeralCurve: signed = try share.ellipticCurve(version: 0x0303)
            case .ephemeralField: signed = try share.finiteField(version: 0x0303)
            case .keyTransport, .keyShare: return .failed("the cipher suite has no such message")
            }
        } catch {
            return .failed("server_key_exchange is malformed")
        }
        guard let scheme = signed.scheme else { return .failed("server_key_exchange is malformed") }
        guard findings.mayCheck() else { return .notProven(HandshakeFindings.tooMany) }
        guard let leaf = leaves[false] else { return .notProven("its certificate cannot be read") }
        let content = client + server + signed.parameters
        return HandshakeFindings.result(leaf.check(signed.signature, scheme: scheme, over: content), scheme)
    }

    private mutating func check(
        _ signature: [UInt8], _ scheme: UInt16, over content: [UInt8], by step: Handshake.Step
    ) -> Claim.Result {
        guard findings.mayCheck() else { return .notProven(HandshakeFindings.tooMany) }
        guard let leaf = leaves[step.isFromClient] else { return .notProven("its certificate cannot be read") }
        return HandshakeFindings.result(leaf.check(signature, scheme: scheme, over: content), scheme)
    }

    private mutating func check(finished value: [UInt8], by step: Handshake.Step) -> Claim.Result {
        guard findings.mayCheck() else { return .notProven(HandshakeFindings.tooMany) }
        guard let random = handshake.clientRandom, let secret = session.secret("CLIENT_RANDOM", random) else {
            return .notProven(Self.missingSecret)
        }
        let expected = KeyDerivation.pseudorandom(
            suite.hash, secret: secret, label: "\(step.isFromClient ? "client" : "server") finished",
            seed: transcript.digest, length: 12)
        guard let expected else { return .failed("the recorded master secret is no secret") }
        return expected == value ? .proven : .failed("it does not follow from the master secret and the messages")
    }
}
