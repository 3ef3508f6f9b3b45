/// A certificate that the `openssl` command made; its key was thrown away.
///
/// What it says was read with `openssl x509 -text`.
enum CertificateFixture {
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIICSTCCAfCgAwIBAgIFAPHi08QwCgYIKoZIzj0EAwIwQTELMAkGA1UEBhMCREUx
        FzAVBgNVBAoMDk11c3RlciwgU8O2aG5lMRkwFwYDVQQDDBB3d3cuZXhhbXBsZS50
        ZXN0MB4XDTI2MTEzMDA4MTI1NloXDTI3MDMxMDA4MTI1NlowQTELMAkGA1UEBhMC
        REUxFzAVBgNVBAoMDk11c3RlciwgU8O2aG5lMRkwFwYDVQQDDBB3d3cuZXhhbXBs
        ZS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECVYrfvHvQc7xdL2WpEuS
        wuDESnz1//GPAjEHze3gzBGNINL7BHWv0+79I2ypEc5TQsD/NlgZn4MSnQXaXnDA
        x6OB1DCB0TAdBgNVHQ4EFgQUGJSi9+D988sAwzskhfdkJ9384xQwHwYDVR0jBBgw
        FoAUGJSi9+D988sAwzskhfdkJ9384xQwEgYDVR0TAQH/BAgwBgEB/wIBAjAOBgNV
        HQ8BAf8EBAMCAYYwawYDVR0RBGQwYoIQd3d3LmV4YW1wbGUudGVzdIIOKi5leGFt
        cGxlLnRlc3SHBMAAAgeHECABDbgAAAAAAAEAAAAAAAGGFmh0dHBzOi8vZXhhbXBs
        ZS50ZXN0L3iBDmFAZXhhbXBsZS50ZXN0MAoGCCqGSM49BAMCA0cAMEQCIHTXKP99
        tv/69tZFaKh88Wp4uDl9Dl8oNHiAgKQnNgMWAiAj18rVNH3A6dWNZk1EUtsUw8AN
        vBfI2st4Z1pSHJez2w==
        -----END CERTIFICATE-----

        """

    static let sha256 = "26e4681a7105ec34fe481fa59678daeaa3f31859f4c274dbfa622905d2152be0"
    static let sha1 = "47ceddc8852421096857ff9b65d6f21cba7eb394"
    static let spki =
        "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        + "0409562b7ef1ef41cef174bd96a44b92c2e0c44a7cf5fff18f023107cdede0cc11"
        + "8d20d2fb0475afd3eefd236ca911ce5342c0ff3658199f83129d05da5e70c0c7"
    static let spkiSHA256 = "3c7f6261d3b9384103f848429f28aaba7b7c3cb8f665e046f64aece8182af500"
    /// 2026-11-30 08:12:56 UTC.
    static let notBefore: Int64 = 1_796_026_376
    /// 2027-03-10 08:12:56 UTC.
    static let notAfter: Int64 = 1_804_666_376
}

/// Bytes in lower-case hexadecimal.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
