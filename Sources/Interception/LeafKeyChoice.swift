internal import Wire

extension LeafKey {
    /// The key that this client can verify: P-256 unless its hello rules that out.
    ///
    /// TLS 1.3 needs ecdsa_secp256r1_sha256 among the signature algorithms (RFC 8446 section 4.2.3); TLS 1.2 needs an
    /// ECDHE_ECDSA suite too (RFC 8422 section 2).
    init(for hello: ClientHello) {
        let verifiesP256 = hello.signatureAlgorithms.contains(0x0403)
        let offersTLS13 = hello.supportedVersions.contains(0x0304)
        let offersECDSASuite = hello.cipherSuites.contains { Self.ecdsaSuites.contains($0) }
        self = verifiesP256 && (offersTLS13 || offersECDSASuite) ? .p256 : .rsa2048
    }

    /// The ECDHE_ECDSA suites that OpenSSL 3.0 negotiates (RFC 8422, RFC 5289, RFC 7905, RFC 7251).
    private static let ecdsaSuites: Set<UInt16> = [
        0xC009, 0xC00A, 0xC023, 0xC024, 0xC02B, 0xC02C, 0xC0AC, 0xC0AD, 0xC0AE, 0xC0AF, 0xCCA9,
    ]
}
