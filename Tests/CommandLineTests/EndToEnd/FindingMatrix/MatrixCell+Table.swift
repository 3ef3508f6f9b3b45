import Foundation

/// The whole table, by hand.
///
/// What a client does about a CA that it does not know, and what about a pin that fails, is the client's own conduct,
/// justified row by row. What follows from it is the rule of findings (docs/ARCHITECTURE.md): a client that refuses both
/// in the same way may refuse the second one because it does not trust our CA at all; only a second host, or a control,
/// shows that it does.
extension MatrixCell {
    /// The cells of a client; those that every run of the tests can afford, unless `PINPROOF_MATRIX=whole`.
    static func all(_ client: MatrixClient) -> [MatrixCell] {
        let isWhole = ProcessInfo.processInfo.environment["PINPROOF_MATRIX"] == "whole"
        return table(client).filter { isWhole || $0.isInShort }
    }

    /// Each form once, with TLS 1.3, and if it is pinned beside another host.
    private var isInShort: Bool { tls == .v13 && (form != .pinned || company == .beside) }

    private static func table(_ client: MatrixClient) -> [MatrixCell] {
        switch client {
        case .curl:
            // OpenSSL's verifier ends the handshake with unknown_ca. curl compares the key when the handshake is over
            // (servercert() in lib/vtls/openssl.c), and closes in order.
            rows(client, unknown: .alert("unknown_ca (48)"), pin: .ends, alone: "pinned")
        case .python:
            // OpenSSL again. urllib3 compares the fingerprint when the handshake is over (HTTPSConnection.connect), and
            // drops the socket.
            rows(client, unknown: .alert("unknown_ca (48)"), pin: .ends, alone: "pinned")
        case .node:
            // Node has OpenSSL finish whatever it thinks of the chain; then it looks at that, and if it is good calls
            // checkServerIdentity (onConnectSecure in lib/_tls_wrap.js). For either reason it destroys the socket, in TLS
            // 1.3 before its Finished is written.
            rows(client, unknown: .ends, pin: .ends, alone: "inconclusive trustNotShown")
        case .java:
            // Whatever a trust manager throws, if it does not speak of revocation or time, becomes certificate_unknown
            // (getCertificateAlert in sun.security.ssl.CertificateMessage).
            rows(
                client, unknown: .alert("certificate_unknown (46)"), pin: .alert("certificate_unknown (46)"),
                alone: "inconclusive trustNotShown")
        case .okhttp:
            // Java's alert for the CA. OkHttp asks its CertificatePinner when the handshake is over (connectTls in
            // RealConnection), and closes in order.
            rows(client, unknown: .alert("certificate_unknown (46)"), pin: .ends, alone: "pinned")
        case .go:
            // Go sends bad_certificate for what its verifier and what VerifyConnection returns
            // (verifyServerCertificate in crypto/tls/handshake_client.go).
            rows(
                client, unknown: .alert("bad_certificate (42)"), pin: .alert("bad_certificate (42)"),
                alone: "inconclusive trustNotShown")
        case .gnutls:
            // gnutls-cli judges chain and known hosts in one callback, and GnuTLS makes bad_certificate of its refusal
            // (gnutls_error_to_alert).
            rows(
                client, unknown: .alert("bad_certificate (42)"), pin: .alert("bad_certificate (42)"),
                alone: "inconclusive trustNotShown")
        case .wget:
            // wget asks GnuTLS about the chain when the handshake is over, and then compares the key
            // (ssl_check_certificate in src/gnutls.c). For either reason it drops the socket.
            rows(client, unknown: .ends, pin: .ends, alone: "inconclusive trustNotShown")
        case .chromium: chromium
        }
    }

    /// Chromium sends certificate_unknown for every certificate that it refuses.
    ///
    /// `--ignore-certificate-errors-spki-list` is no pin. It names keys whose certificates are taken in spite of their
    /// errors, and a certificate without errors needs no exception: who has the CA is not refused. Only a browser that
    /// has no CA of ours at all takes no key but that one; and then nothing tells a pin from a CA that it does not trust.
    private static var chromium: [MatrixCell] {
        let refuses = Conduct.alert("certificate_unknown (46)")
        return TLSVersion.allCases.flatMap { tls in
            [
                MatrixCell(
                    client: .chromium, form: .pinned, tls: tls, company: .alone, untrusted: refuses, trusted: refuses,
                    finding: "inconclusive trustNotShown")
            ]
                + [
                    (Form.pinned, Company.alone, refuses, "notPinned"),
                    (.pinned, .beside, refuses, "notPinned"),
                    (.validating, .alone, refuses, "notPinned"),
                    (.anything, .alone, .accepts, "brokenValidation"),
                ].map { form, company, untrusted, finding in
                    MatrixCell(
                        client: .chromium, form: form, tls: tls, company: company, untrusted: untrusted,
                        trusted: .accepts, finding: finding, options: ["--browser"])
                }
        }
    }

    private static func rows(
        _ client: MatrixClient, unknown: Conduct, pin: Conduct, alone: String
    ) -> [MatrixCell] {
        TLSVersion.allCases.flatMap { tls in
            [
                (Form.pinned, Company.alone, unknown, pin, alone),
                (.pinned, .beside, unknown, pin, "pinned"),
                (.validating, .alone, unknown, .accepts, "notPinned"),
                (.anything, .alone, .accepts, .accepts, "brokenValidation"),
            ].map { form, company, untrusted, trusted, finding in
                MatrixCell(
                    client: client, form: form, tls: tls, company: company, untrusted: untrusted, trusted: trusted,
                    finding: finding)
            }
        }
    }
}
