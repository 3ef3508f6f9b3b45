import Testing
import Wire

@Suite("TLSNames")
struct TLSNamesTests {
    @Test("Versions")
    func versions() {
        #expect(
            [0x0300, 0x0301, 0x0302, 0x0303, 0x0304].map(TLSNames.version) == [
                "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3",
            ])
        #expect(TLSNames.version(0x7f1c) == "0x7f1c")
        #expect(TLSNames.version(0x2a2a) == "GREASE")
    }

    @Test(
        "The alerts of RFC 8446 section 6",
        arguments: [
            (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"), (22, "record_overflow"),
            (40, "handshake_failure"), (42, "bad_certificate"), (43, "unsupported_certificate"),
            (44, "certificate_revoked"), (45, "certificate_expired"), (46, "certificate_unknown"),
            (47, "illegal_parameter"), (48, "unknown_ca"), (49, "access_denied"), (50, "decode_error"),
            (51, "decrypt_error"), (70, "protocol_version"), (71, "insufficient_security"), (80, "internal_error"),
            (86, "inappropriate_fallback"), (90, "user_canceled"), (109, "missing_extension"),
            (110, "unsupported_extension"), (112, "unrecognized_name"), (113, "bad_certificate_status_response"),
            (115, "unknown_psk_identity"), (116, "certificate_required"), (120, "no_application_protocol"),
            (121, "ech_required"), (1, "0x01"), (255, "0xff"),
        ] as [(UInt8, String)])
    func alerts(value: UInt8, name: String) {
        #expect(TLSNames.alert(value) == name)
    }

    @Test(
        "The handshake messages of RFC 8446 section 4 and RFC 5246 section 7.4",
        arguments: [
            (0, "hello_request"), (1, "client_hello"), (2, "server_hello"), (4, "new_session_ticket"),
            (5, "end_of_early_data"), (8, "encrypted_extensions"), (11, "certificate"), (12, "server_key_exchange"),
            (13, "certificate_request"), (14, "server_hello_done"), (15, "certificate_verify"),
            (16, "client_key_exchange"), (20, "finished"), (22, "certificate_status"), (24, "key_update"),
            (25, "compressed_certificate"), (254, "message_hash"), (99, "0x63"),
        ] as [(UInt8, String)])
    func handshakeMessages(value: UInt8, name: String) {
        #expect(TLSNames.handshakeMessage(value) == name)
    }

    @Test("Every value that the captured clients sent has a name")
    func captured() throws {
        for captured in CapturedHello.allCases {
            let hello = try captured.hello
            let names =
                hello.extensions.map { TLSNames.extension($0.type) } + hello.supportedGroups.map(TLSNames.group)
                + hello.signatureAlgorithms.map(TLSNames.signatureScheme)
                + hello.supportedVersions.map(TLSNames.version)
            #expect(names.filter { $0.hasPrefix("0x") } == [])
        }
    }

    @Test("Go's hello in words")
    func goHello() throws {
        let hello = try CapturedHello.go.hello
        // As Wireshark names them, where it knows them.
        #expect(
            hello.extensions.map { TLSNames.extension($0.type) } == [
                "server_name", "status_request", "supported_groups", "ec_point_formats", "signature_algorithms",
                "renegotiation_info", "application_layer_protocol_negotiation", "signed_certificate_timestamp",
                "supported_versions", "key_share",
            ])
        #expect(hello.supportedGroups.map(TLSNames.group) == ["x25519", "secp256r1", "secp384r1", "secp521r1"])
        #expect(
            hello.signatureAlgorithms.map(TLSNames.signatureScheme) == [
                "rsa_pss_rsae_sha256", "ecdsa_secp256r1_sha256", "ed25519", "rsa_pss_rsae_sha384",
                "rsa_pss_rsae_sha512",
                "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512", "ecdsa_secp384r1_sha384",
                "ecdsa_secp521r1_sha512", "rsa_pkcs1_sha1", "ecdsa_sha1",
            ])
    }

    @Test("Unknown and GREASE values")
    func unknown() {
        #expect(TLSNames.extension(0x1234) == "0x1234")
        #expect(TLSNames.extension(0xfe0d) == "encrypted_client_hello")
        #expect(TLSNames.extension(0x4a4a) == "GREASE")
        #expect(TLSNames.group(0x11ec) == "X25519MLKEM768")
        #expect(TLSNames.group(0x1a1a) == "GREASE")
        #expect(TLSNames.group(0x00ff) == "0x00ff")
        #expect(TLSNames.signatureScheme(0xffff) == "0xffff")
    }

    /// The short names of OpenSSL 3.0's obj_mac.h, and the numbers of the IANA registry "TLS Supported Groups".
    @Test(
        arguments: [
            ("X25519", 29), ("X448", 30), ("prime256v1", 23), ("secp384r1", 24), ("secp521r1", 25), ("prime192v1", 19),
            ("brainpoolP256r1", 26), ("ffdhe2048", 256), ("x25519", 29), ("P-256", nil), ("", nil),
        ] as [(String, UInt16?)]) func `a group is known by the name that OpenSSL has for it`(
            _ name: String, _ number: UInt16?
        )
    {
        #expect(TLSNames.group(named: name) == number)
    }
}
