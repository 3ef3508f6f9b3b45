internal import Crypto
internal import Transcript

extension TLSFailure {
    /// The failure as it is recorded: who is at fault, and how to mend it.
    func explained(for side: Side, _ phase: Phase) -> Failure {
        if case .certificateRejected(let verifyError, let depth) = kind {
            return refusedCertificate(verifyError, depth, phase)
        }
        if phase == .relay || phase == .closing {
            return Failure(
                party: side == .client ? .client : .origin, code: .tlsProtocol, phase: phase, detail: description)
        }
        return switch side {
        case .client:
            Failure(party: .client, code: .clientHandshake, phase: phase, detail: description, hint: nil)
        case .origin:
            Failure(
                party: .origin, code: .originHandshake, phase: phase, detail: description,
                hint: "try the origin directly; if it works there, relay it untouched with --tunnel HOST")
        }
    }

    private func refusedCertificate(_ verifyError: Int32, _ depth: Int, _ phase: Phase) -> Failure {
        let (code, mend): (Failure.Code, String) =
            switch CertificateFault(verifyError: verifyError) {
            case .expired: (.originExpired, "renew the origin's certificate")
            case .notYetValid: (.originNotYetValid, "check this machine's clock and the origin's certificate")
            case .wrongName:
                (.originWrongName, "connect with a name that the origin's certificate is for")
            case .untrusted, .other:
                (.originUntrusted, "give the CA, or the origin's own certificate, with --origin-ca FILE")
            }
        let place = depth == 0 ? "" : ", at certificate \(depth) of its chain"
        let detail = "the origin's certificate is refused: \(CertificateFault.text(verifyError: verifyError))\(place)"
        return Failure(
            party: .origin, code: code, phase: phase, detail: detail,
            hint: "\(mend); or relay it untouched with --tunnel HOST")
    }
}

extension Failure {
    /// A failure that is Pinproof's own.
    static func ourFault(_ detail: String, _ phase: Phase, code: Code = .internalError) -> Failure {
        Failure(party: .proxy, code: code, phase: phase, detail: detail)
    }
}
