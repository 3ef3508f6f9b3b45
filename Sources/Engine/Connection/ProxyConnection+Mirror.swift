internal import Authority
internal import Crypto
internal import Interception
internal import Transcript
internal import Wire

/// What became of the faults of an origin that are to be mirrored.
struct OriginMirror {
    /// What the leaf for the client has to have; nil while nothing is wrong.
    var shown: FaultMirror?
    /// The fault for which the origin was refused, because no leaf of ours can have it.
    var refused: UnmirroredFault?
}

// A faulty origin whose faults the client is to see.
extension ProxyConnection {
    /// How an origin without pins is judged: strictly, or so that its faults are passed on to the client.
    func verification(in scenario: Scenario) -> TLSSession.Verification {
        mirror = OriginMirror()
        return switch scenario {
        case .trusted: .trustAndName
        case .mirror: .trustAndNameUnless { [unowned self] in judge($0, of: $1) }
        }
    }

    /// Decides whether the client can be shown everything that is wrong; the answer is what the origin is refused for.
    private func judge(_ faults: [VerificationFault], of chain: [Certificate]) -> VerificationFault? {
        guard let leaf = chain.first else { return faults.first }
        do throws(UnmirroredFault) {
            let found = try FaultMirror(of: faults, on: leaf)
            // The client has seen its leaf by the time of a second handshake (TLS 1.2): nothing may be wrong then that it
            // was not shown.
            if origin?.session?.isHandshakeComplete == true { return found == mirror.shown ? nil : faults.first }
            mirror.shown = found
            return nil
        } catch {
            mirror.refused = error
            return error.fault
        }
    }

    /// What the leaf has to have: only a page of ours follows if the origin was not taken, and that needs a sound one.
    var mirroredFaults: FaultMirror? { origin?.session?.isHandshakeComplete == true ? mirror.shown : nil }
}

extension Failure {
    /// The failure of an origin whose fault was to be mirrored and could not be.
    var unmirrored: Failure {
        var failure = self
        failure.detail += "; this is no fault that --scenario mirror can show the client"
        return failure
    }
}

extension OriginFault {
    /// The fault as it is recorded; nil if it is none that is mirrored.
    init?(_ fault: CertificateFault) {
        switch fault {
        case .expired: self = .expired
        case .notYetValid: self = .notYetValid
        case .wrongName: self = .wrongName
        case .selfSigned: self = .selfSigned
        case .untrusted: self = .untrusted
        case .tooWeak, .other: return nil
        }
    }
}
