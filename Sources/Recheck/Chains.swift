internal import Crypto
internal import Transcript
internal import Wire

/// Whether chains are those that events name, and who signed what in them.
struct Chains {
    /// What a connection's chains are measured by.
    struct Expectations {
        /// The CAs that may have signed what the client was shown, as digests.
        var authorities: Set<String> = []
        /// Their certificates, as far as the transcript has them.
        var authorityCertificates: [String: Certificate] = [:]
        /// The leaf that was chosen for the client.
        var forged: SessionRecord.Said<String>?
        /// The faults that the leaf has since the origin's has them.
        var mirrored: [OriginFault] = []
        /// Whether a digest is that of a certificate of the transcript.
        var isKnown: (String) -> Bool = { _ in false }
    }

    let session: SessionRecord
    let handshakes: [Handshake]
    let expectations: Expectations

    /// What a session claims of its chains.
    var claims: [Claim] {
        var claims = identityClaims
        guard let shown = handshakes.lazy.compactMap({ $0.certificates(isFromClient: false) }).first else {
            if let said = session.chain {
                let reason = "the handshake ended before it came to certificates"
                claims.append(Claim(.chain, session.side, .notProven(reason), line: said.line))
            }
            return claims
        }
        claims.append(chainClaim(shown.ders.map(Self.digest), line: shown.line))
        let certificates = shown.ders.compactMap { try? Certificate(der: $0) }
        guard certificates.count == shown.ders.count, !certificates.isEmpty else {
            let reason = "a certificate cannot be read"
            return claims + [Claim(.chainSignatures, session.side, .notProven(reason), line: shown.line)]
        }
        claims.append(Claim(.chainSignatures, session.side, signatures(certificates), line: shown.line))
        if session.side == .client {
            claims.append(Claim(.authority, .client, authority(certificates), line: shown.line))
        }
        return claims
    }

    private static func digest(_ der: [UInt8]) -> String { Hex.encode(Digest.sha256(der)) }

    // MARK: Names

    private func chainClaim(_ digests: [String], line: Int) -> Claim {
        guard let said = session.chain else {
            return Claim(.chain, session.side, .notProven("no event names the chain"), line: line)
        }
        let result: Claim.Result =
            if said.value != digests {
                .failed("the Certificate message has other certificates")
            } else if let forged = expectations.forged, session.side == .client, forged.value != digests.first {
                .failed("the leaf is not the one that was chosen in line \(forged.line)")
            } else if let unknown = digests.first(where: { !expectations.isKnown($0) }) {
                .notProven("the certificate \(unknown.prefix(16))… is not in the file")
            } else {
                .proven
            }
        return Claim(.chain, session.side, result, line: said.line)
    }

    /// The chains of clients, on either side.
    private var identityClaims: [Claim] {
        let shown = handshakes.flatMap { $0.certificateMessages(isFromClient: true) }.map { $0.ders.map(Self.digest) }
        return session.identities.map { said in
            let result: Claim.Result =
                if shown.contains(said.value.chain) {
                    .proven
                } else if shown.isEmpty {
                    .notProven("the handshake ended before the client answered")
                } else {
                    .failed("the Certificate message has other certificates")
                }
            return Claim(.identity, session.side, result, line: said.line)
        }
    }

    // MARK: Signatures

    private func signatures(_ chain: [Certificate]) -> Claim.Result {
        for (index, (lower, upper)) in zip(chain, chain.dropFirst()).enumerated()
        where !upper.hasSigned(lower, agreement: .byIdentifier) {
            let words = "certificate \(index + 2) of the chain has not signed certificate \(index + 1)"
            // What an origin sends is its own affair, unless it is said to have led to a trusted certificate this way.
            return session.side == .client && !isStranger ? .failed(words) : .notProven(words)
        }
        return .proven
    }

    /// Whether the leaf was to be signed by nobody who is trusted.
    private var isStranger: Bool {
        expectations.mirrored.contains { $0 == .selfSigned || $0 == .untrusted }
    }

    private func authority(_ chain: [Certificate]) -> Claim.Result {
        if isStranger { return .notProven("the leaf is signed by nobody, as the origin's is") }
        guard let last = chain.last else { return .notProven("the chain is empty") }
        if chain.count > 1, expectations.authorities.contains(Hex.encode(last.sha256)) { return .proven }
        let known = expectations.authorities.compactMap { expectations.authorityCertificates[$0] }
        if known.contains(where: { $0.hasSigned(last, agreement: .byIdentifier) }) { return .proven }
        guard !expectations.authorities.isEmpty else { return .notProven("the run names no CA") }
        guard known.count == expectations.authorities.count else {
            return .notProven("the CA's certificate is not in the file")
        }
        return .failed("none of the run's CAs has signed the last certificate")
    }
}
