import Pinning
import Testing

/// What verdicts of Android's and OpenSSL's libraries say, word for word.
@Suite struct AndroidReasonTests {
    private func text(_ kind: PolicyReason.Kind) -> String { PolicyReason(kind, rule: RuleID("PS-4-1")).explanation }

    @Test func reasons() throws {
        let match = PinMatch(pin: "sha256/AAAA", certificate: Minted.leaf, depth: 1)
        let date = try #require(CalendarDate(year: 2024, month: 1, day: 5))
        #expect(text(.hostNotPinned("example.com")) == "nothing is pinned for example.com")
        #expect(text(.hostNotPinned(nil)) == "nothing is pinned for an unknown host")
        #expect(text(.hostMismatch("example.com")) == "the certificate is not for example.com")
        #expect(
            text(.pinsExpired(date))
                == "the chain is valid; the pins expired on 2024-01-05, and expired pins are ignored")
        #expect(
            text(.pinsOverridden(anchor: "CN=root")) == "the chain is valid, and its anchor overrides pins: CN=root")
        #expect(text(.pinsOverridden(anchor: nil)) == "the chain is valid, and the policy overrides all pins")
        #expect(
            text(.mismatchNotEnforced)
                == "no pin matches any certificate of the path, and the policy does not enforce its pins")
        #expect(
            text(.pinMatchedAsSent(match))
                == "pin sha256/AAAA matches certificate 1 as the server sent them, CN=leaf; "
                + "whether it is on the path is not looked at")
        #expect(
            text(.pinMatchedAlone(match))
                == "pin sha256/AAAA matches certificate 1 of the path, CN=leaf; neither the chain nor the host is looked at"
        )
        #expect(
            text(.chainNotRebuilt(.noTrustRoot(below: "CN=leaf")))
                == "the platform takes the chain, the library does not: it finds no trusted certificate that signed CN=leaf"
        )
        #expect(
            text(.chainNotRebuilt(.tooManySigners))
                == "the platform takes the chain, the library does not: it follows 9 signers and no more")
        #expect(text(.leafKeyNotPinned) == "the key of the server's own certificate is not a pinned one")
        #expect(text(.fingerprintDiffers) == "the server's own certificate does not have the pinned fingerprint")
        #expect(text(.pinNotChecked) == "the chain is valid, and the pin is not looked at over this transport")
        #expect(text(.clientsRefused) == "the library trusts no client certificate")
    }

    @Test(
        arguments: [
            (.unknownPinKind("md5/AAAA"), "pin md5/AAAA does not begin with a kind of digest that this version knows"),
            (.unsupportedDigest("SHA-1"), "the digest SHA-1 is not supported"),
            (.unsupportedDigest(nil), "a pin does not name its digest"), (.notBase64("!"), "pin ! is not Base64"),
            (.digestLength("AAAA", octets: 3), "pin AAAA is of 3 octets, which is no SHA-256 digest"),
            (.invalidDate("soon"), "the expiration soon is no day"), (.invalidPattern("*"), "the pattern * is none"),
            (.invalidDomain("localhost"), "localhost is no domain that can be pinned"),
            (.duplicateDomain("example.com"), "example.com has two entries"), (.noDomain, "an entry is for no domain"),
            (.tooFewPins(domain: "example.com", count: 0), "example.com has no pin and the library wants two"),
            (.tooFewPins(domain: "example.com", count: 1), "example.com has one pin and the library wants two"),
            (.leadingDot(".com"), "the host .com begins with a dot"),
            (.hostUnknown, "there are entries for domains, and the client does not say whom it wants"),
            (.invalidFingerprint("00"), "00 is no fingerprint by MD5, SHA-1 or SHA-256"),
        ] as [(ConfigurationFault.Kind, String)])
    func faults(kind: ConfigurationFault.Kind, expected: String) {
        let rule = RuleID("PS-4-1")
        #expect(text(.invalidConfiguration(ConfigurationFault(kind, rule: rule))) == expected)
    }
}
