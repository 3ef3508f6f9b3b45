internal import Crypto
internal import Transcript
internal import Wire

/// What is signed and authenticated in a handshake of TLS 1.3 (RFC 8446 section 4.4).
struct Handshake13 {
    private let handshake: Handshake
    private let session: SessionRecord
    private let suite: CipherSuite
    private var transcript: TranscriptHash
    private var findings: HandshakeFindings
    /// The messages up to the client's Finished, once it came: what authentication after the handshake builds on.
    private var whole: TranscriptHash?
    /// Requests for authentication after the handshake, by their contexts.
    private var requests: [[UInt8]: [UInt8]] = [:]
    private var leaves: [Bool: Certificate] = [:]
    /// How often the client has renewed its keys.
    private var clientUpdates = 0

    /// Judges a handshake.
    ///
    /// - Parameters:
    ///   - handshake: The handshake.
    ///   - suite: Its cipher suite.
    ///   - session: The session, which has the secrets.
    /// - Returns: What it claims.
    static func claims(_ handshake: Handshake, suite: CipherSuite, session: SessionRecord) -> [Claim] {
        var rules = Handshake13(
            handshake: handshake, session: session, suite: suite, transcript: TranscriptHash(suite.hash),
            findings: HandshakeFindings(session.side))
        for step in handshake.steps { rules.take(step) }
        return rules.findings.claims(for: handshake)
    }

    private init(
        handshake: Handshake, session: SessionRecord, suite: CipherSuite, transcript: TranscriptHash,
        findings: HandshakeFindings
    ) {
        self.handshake = handshake
        self.session = session
        self.suite = suite
        self.transcript = transcript
        self.findings = findings
    }

    private mutating func take(_ step: Handshake.Step) {
        let message = try? HandshakeMessage(step.bytes, version: 0x0304)
        switch message {
        // What follows the handshake is hashed only where it is about authentication.
        case .newSessionTicket: return
        case .keyUpdate:
            if step.isFromClient { clientUpdates += 1 }
            return
        case .certificateRequest(let request) where whole != nil:
            requests[request.context] = step.bytes
            return
        case .serverHello(let hello) where hello.isRetryRequest: transcript.restart()
        case .certificate(let certificates):
            if let whole, step.isFromClient { resume(whole, request: requests[certificates.context]) }
            leaves[step.isFromClient] = certificates.entries.first.flatMap { try? Certificate(der: $0.der) }
        case .certificateVerify(let scheme?, let signature):
            findings.add(signature: check(signature, scheme, by: step), by: step)
        case .finished(let value): findings.add(finished: check(finished: value, by: step), by: step)
        default: break
        }
        transcript.add(step.bytes)
        if step.isFromClient, step.type == HandshakeType.finished, whole == nil { whole = transcript }
    }

    /// Begins what is hashed for authentication after the handshake (RFC 8446 section 4.4: the handshake and the request).
    private mutating func resume(_ whole: TranscriptHash, request: [UInt8]?) {
        transcript = whole
        transcript.add(request ?? [])
    }

    private mutating func check(_ signature: [UInt8], _ scheme: UInt16, by step: Handshake.Step) -> Claim.Result {
        guard findings.mayCheck() else { return .notProven(HandshakeFindings.tooMany) }
        guard let leaf = leaves[step.isFromClient] else { return .notProven("its certificate cannot be read") }
        guard Self.schemes.contains(scheme) else {
            return .failed("TLS 1.3 does not allow \(TLSNames.signatureScheme(scheme)) here")
        }
        let content = Self.signedContent(transcript.digest, isFromClient: step.isFromClient)
        return HandshakeFindings.result(leaf.check(signature, scheme: scheme, over: content), scheme)
    }

    /// What is signed (RFC 8446 section 4.4.3).
    static func signedContent(_ digest: [UInt8], isFromClient: Bool) -> [UInt8] {
        let context = "TLS 1.3, \(isFromClient ? "client" : "server") CertificateVerify"
        return [UInt8](repeating: 0x20, count: 64) + Array(context.utf8) + [0] + digest
    }

    private mutating func check(finished value: [UInt8], by step: Handshake.Step) -> Claim.Result {
        guard findings.mayCheck() else { return .notProven(HandshakeFindings.tooMany) }
        let isLate = whole != nil
        let label =
            switch (step.isFromClient, isLate) {
            case (true, true): "CLIENT_TRAFFIC_SECRET_0"
            case (true, false): "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
            case (false, _): "SERVER_HANDSHAKE_TRAFFIC_SECRET"
            }
        guard let random = handshake.clientRandom, var secret = session.secret(label, random) else {
            let remedy = isLate ? "; it is recorded with --capture wire" : ""
            return .notProven("no \(label) is recorded for this session\(remedy)")
        }
        for _ in 0..<(isLate ? min(clientUpdates, Self.updateLimit) : 0) {
            secret = TrafficKey13.nextSecret(suite.hash, after: secret) ?? []
        }
        guard let expected = Self.verifyData(suite.hash, secret: secret, digest: transcript.digest) else {
            return .failed("the recorded \(label) is no secret")
        }
        return expected == value ? .proven : .failed("it does not follow from \(label) and the messages")
    }

    /// The content of Finished (RFC 8446 section 4.4.4).
    ///
    /// - Parameters:
    ///   - hash: The hash function of the suite.
    ///   - secret: The traffic secret of the sender.
    ///   - digest: The digest of the messages before it.
    /// - Returns: The value; nil if the secret is none.
    static func verifyData(_ hash: HashAlgorithm, secret: [UInt8], digest: [UInt8]) -> [UInt8]? {
        KeyDerivation.expandLabel(hash, secret: secret, "finished", length: hash.length)
            .flatMap { KeyDerivation.hmac(hash, key: $0, digest) }
    }

    /// More renewals than this are not followed.
    private static let updateLimit = 1024

    /// The schemes that may stand in CertificateVerify (RFC 8446 section 4.2.3, RFC 8734).
    private static let schemes: Set<UInt16> = [
        0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0807, 0x0808, 0x0809, 0x080A, 0x080B, 0x081A, 0x081B, 0x081C,
    ]
}
