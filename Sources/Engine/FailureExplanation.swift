internal import Authority
internal import Crypto
internal import Transcript
internal import Wire

extension TLSFailure {
    /// The failure as it is recorded: who is at fault, and how to mend it.
    ///
    /// - Parameters:
    ///   - side: The side of the session.
    ///   - phase: How far the connection was.
    ///   - leaf: The peer's certificate, if it showed one.
    ///   - isPinned: Whether the origin was to show one certificate or key and no other.
    ///   - asked: The name that the peer was to have.
    ///   - missing: The issuer that the origin left out of its chain, if that is what is wrong.
    /// - Returns: What goes into the transcript, and onto the page for the client.
    func explained(
        for side: Side, _ phase: Phase, leaf: Certificate? = nil, isPinned: Bool = false, asked: HostName? = nil,
        missing: MissingIssuer? = nil
    ) -> Failure {
        if case .certificateRejected(let verifyError, _) = kind, side == .client {
            return Self.refusedIdentity(verifyError, phase)
        }
        if case .certificateRejected(let verifyError, let depth) = kind {
            if isPinned, let leaf { return .otherThanPinned(leaf, phase) }
            return refusedCertificate(verifyError, depth, phase, leaf, asked, missing)
        }
        if phase == .relay || phase == .closing {
            return Failure(
                party: side == .client ? .client : .origin, code: .tlsProtocol, phase: phase, detail: description)
        }
        return switch side {
        case .client:
            Failure(
                party: .client, code: .clientHandshake, phase: phase, detail: description,
                hint: kind == .tooLong ? Self.raiseLimit : nil)
        case .origin:
            Failure(
                party: .origin, code: .originHandshake, phase: phase, detail: description,
                hint: kind == .tooLong
                    ? Self.raiseLimit
                    : "try the origin directly; if it works there, relay it untouched with --tunnel HOST")
        }
    }

    private static let raiseLimit = "raise the limit with --max-chain"

    /// An app whose certificate is refused.
    static func refusedIdentity(_ verifyError: Int32, _ phase: Phase) -> Failure {
        Failure(
            party: .client, code: .clientHandshake, phase: phase,
            detail: "the app's certificate is refused: \(CertificateFault.text(verifyError: verifyError))",
            hint: "name who issued it with --client-ca FILE, or ask without --require-client-cert")
    }

    private func refusedCertificate(
        _ verifyError: Int32, _ depth: Int, _ phase: Phase, _ leaf: Certificate?, _ asked: HostName?,
        _ missing: MissingIssuer?
    ) -> Failure {
        let (code, mend): (Failure.Code, String) =
            switch CertificateFault(verifyError: verifyError) {
            case .expired: (.originExpired, "renew the origin's certificate")
            case .notYetValid: (.originNotYetValid, "check this machine's clock and the origin's certificate")
            case .wrongName:
                (.originWrongName, "connect with a name that the origin's certificate is for")
            case .selfSigned, .untrusted, .tooWeak, .other:
                (
                    .originUntrusted,
                    (missing?.isFetchable == true ? "fetch it with --aia, or " : "")
                        + "give the CA, or the origin's own certificate, with --origin-ca FILE"
                )
            }
        let place = depth == 0 ? "" : ", at certificate \(depth) of its chain"
        var detail = "the origin's certificate is refused: \(CertificateFault.text(verifyError: verifyError))\(place)"
        if let missing { detail += missing.detail }
        if code == .originWrongName, let leaf {
            detail += "; it is for \(Self.names(of: leaf))" + (asked.map { ", and \($0) was asked for" } ?? "")
        }
        return Failure(
            party: .origin, code: code, phase: phase, detail: detail,
            hint: "\(mend); or relay it untouched with --tunnel HOST")
    }
}

extension TLSFailure {
    /// What a certificate is for, in a few words: it may have hundreds of names.
    private static func names(of leaf: Certificate) -> String {
        let names = leaf.subjectAltNames
        guard !names.isEmpty else { return "no name at all (\(leaf.subject))" }
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}

extension Failure {
    /// An identity file that cannot be used.
    static func identityUnusable(_ error: AuthorityError) -> Failure {
        Failure(
            party: .proxy, code: .identityUnusable, phase: .originHandshake, detail: error.message, hint: error.hint)
    }

    /// An origin with another certificate, or another key, than the one that was to be taken.
    fileprivate static func otherThanPinned(_ leaf: Certificate, _ phase: Phase) -> Failure {
        Failure(
            party: .origin, code: .originUntrusted, phase: phase,
            detail: "the origin's certificate is not one that --origin-pin names for it: "
                + "it is that of \(leaf.subject), with the key sha256/\(Base64.encode(leaf.spkiSHA256))",
            hint: "if that is the right one, give its key, or its file, with --origin-pin")
    }

    /// A failure that is Pinproof's own.
    static func ourFault(_ detail: String, _ phase: Phase, code: Code = .internalError) -> Failure {
        Failure(party: .proxy, code: code, phase: phase, detail: detail)
    }
}
