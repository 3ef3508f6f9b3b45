import Pinning
import Testing

@testable import PinClient

/// The alerts that libssl's own table has for the same faults (`ssl_x509err2alert`), and RFC 8446 section 6.2 names.
@Suite struct RejectionAlertTests {
    @Test(
        arguments: [
            (.noAnchor, 48), (.pathTooLong, 48), (.issuerNotAuthority, 48), (.expired, 45), (.notYetValid, 42),
            (.hostMismatch, 42), (.weakKey, 42), (.weakSignature, 42), (.noCertificate, 42), (.wrongPurpose, 43),
            (.lifetimeTooLong, 42), (.criticalExtension, 46), (.nameConstraint, 46), (.other, 46),
        ] as [(TrustError.Kind, UInt8)])
    func faultsOfThePath(kind: TrustError.Kind, alert: UInt8) {
        let errors = [
            TrustError(kind, depth: 0, detail: "first"), TrustError(.expired, depth: 0, detail: "second"),
        ]
        #expect(RejectionAlert.number(for: errors) == alert)
        #expect(RejectionAlert.number(for: PolicyReason(.chainInvalid(errors), rule: RuleID("any"))) == alert)
    }

    @Test("A path that does not lead to a pin is a mismatch of pins, unless something else is wrong")
    func pinsAsAnchors() {
        func alert(_ kind: TrustError.Kind) -> UInt8 {
            let errors = [TrustError(kind, depth: 0, detail: "")]
            return RejectionAlert.number(for: PolicyReason(.notAnchoredByPins(errors), rule: RuleID("any")))
        }
        #expect(alert(.noAnchor) == 42)
        #expect(alert(.expired) == 45)
        #expect(alert(.wrongPurpose) == 43)
    }

    @Test("Tutorials' own reasons are about the certificate, whatever is wrong with it")
    func tutorials() {
        for kind: PolicyReason.Kind in [
            .leafNotPinned, .hostNotListed("api.example.com"),
            .pinsCounted(PinCount(.certificates, count: 0, pathLength: 2, demand: .all)),
        ] {
            #expect(RejectionAlert.number(for: PolicyReason(kind, rule: RuleID("any"))) == 42)
        }
    }

    @Test("A mistake of one's own is an internal error")
    func configuration() {
        #expect(RejectionAlert.number(for: PolicyReason(.unusablePin(name: ""), rule: RuleID("any"))) == 80)
        #expect(RejectionAlert.number(for: PolicyReason(.noPinMatched, rule: RuleID("any"))) == 42)
        #expect(RejectionAlert.number(for: PolicyReason(.contradictory, rule: RuleID("any"))) == 42)
    }
}
