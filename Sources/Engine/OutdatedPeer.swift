internal import Crypto
internal import Transcript
internal import Wire

extension TLSFailure {
    /// The failure of a handshake that would go on if old and weak TLS were open for its host; nil if it is another one.
    ///
    /// - Parameters:
    ///   - side: The side of the session.
    ///   - phase: How far the connection was.
    ///   - clientNeedsSHA1: Whether the client takes no newer signatures. OpenSSL says that there is none in common, or no
    ///     cipher suite, since those that sign are out then.
    /// - Returns: The failure, or nil.
    func outdated(_ side: Side, _ phase: Phase, clientNeedsSHA1: Bool) -> Failure? {
        switch kind {
        case .noCommonVersion, .tooWeak, .noSecureRenegotiation: break
        case .noCommonSignatureAlgorithm, .noCommonCipherSuite:
            guard side == .client, clientNeedsSHA1 else { return nil }
        case .certificateRejected(let verifyError, _):
            guard side == .origin, CertificateFault(verifyError: verifyError) == .tooWeak else { return nil }
        case .peerAlert, .tooLong, .noCommonGroup, .noCommonApplicationProtocol, .notTLS,
            .protocolViolation, .other:
            return nil
        }
        return switch side {
        case .client:
            Failure(
                party: .client, code: .clientOutdated, phase: phase, detail: "not tested: \(description)",
                hint: "open old and weak TLS to it with --legacy-client HOST")
        case .origin:
            Failure(
                party: .origin, code: .originOutdated, phase: phase, detail: description,
                hint: "open old and weak TLS to it with --legacy-origin HOST, or relay it untouched with --tunnel HOST")
        }
    }
}

extension ClientHello {
    /// Whether the client takes no signatures but those with SHA-1 or MD5: the upper octet is 2 or 1.
    ///
    /// One that says nothing means SHA-1 (RFC 5246 section 7.4.1.4.1).
    var needsSHA1: Bool { signatureAlgorithms.allSatisfy { $0 >> 8 <= 2 } }
}
