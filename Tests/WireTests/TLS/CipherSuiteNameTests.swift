import Testing
import Wire

/// The names of cipher suites, against the IANA registry.
@Suite struct CipherSuiteNameTests {
    @Test(
        arguments: [
            (0x1301, "TLS_AES_128_GCM_SHA256"), (0x1303, "TLS_CHACHA20_POLY1305_SHA256"),
            (0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            (0xCCA9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
            (0x000A, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"), (0x00FF, "TLS_EMPTY_RENEGOTIATION_INFO_SCSV"),
            (0x5600, "TLS_FALLBACK_SCSV"), (0x0A0A, "GREASE"), (0x1234, "0x1234"),
        ] as [(UInt16, String)])
    func named(_ number: UInt16, _ name: String) {
        #expect(TLSNames.cipherSuite(number) == name)
    }
}
