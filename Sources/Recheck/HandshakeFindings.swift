internal import Crypto
internal import Transcript
internal import Wire

/// What came of the signatures and the Finished values of a handshake.
struct HandshakeFindings {
    private let side: Side
    private var claims: [Claim] = []
    private var checks = 0

    init(_ side: Side) { self.side = side }

    /// Counts a check: each hashes all that came before, and a file may ask for any number of them.
    mutating func mayCheck() -> Bool {
        checks += 1
        return checks <= Self.limit
    }

    /// A handshake has four, and two more with each authentication after it.
    private static let limit = 64
    static let tooMany = "there are more of them in one handshake than are checked"

    mutating func add(signature result: Claim.Result, by step: Handshake.Step) {
        add(step.isFromClient ? .clientSignature : .serverSignature, result, step)
    }

    mutating func add(finished result: Claim.Result, by step: Handshake.Step) {
        add(step.isFromClient ? .clientFinished : .serverFinished, result, step)
    }

    private mutating func add(_ kind: Claim.Kind, _ result: Claim.Result, _ step: Handshake.Step) {
        claims.append(Claim(kind, side, result, line: step.line))
    }

    /// All claims of the handshake, those included that did not come to be.
    func claims(for handshake: Handshake) -> [Claim] {
        var all = claims
        func complete(_ kind: Claim.Kind, _ reason: String) {
            if !claims.contains(where: { $0.kind == kind }) { all.append(Claim(kind, side, .notProven(reason))) }
        }
        let early = "the handshake ended before it"
        complete(.serverSignature, handshake.isResumed ? "a resumed session shows no certificate" : early)
        if let shown = handshake.certificates(isFromClient: true), !shown.ders.isEmpty {
            complete(.clientSignature, early)
        }
        complete(.serverFinished, early)
        complete(.clientFinished, early)
        return all
    }

    /// Puts what came of a signature into words.
    static func result(_ signature: HandshakeSignature, _ scheme: UInt16) -> Claim.Result {
        switch signature {
        case .valid: .proven
        case .invalid: .failed("the certificate's key did not sign this (\(TLSNames.signatureScheme(scheme)))")
        case .unsupported:
            .notProven("signatures of the kind \(TLSNames.signatureScheme(scheme)) cannot be checked here")
        }
    }
}
