import Crypto
import Pinning
import PolicyFiles
import Testing
import Wire

@Suite("Folders of certificates")
struct CertificateFolderTests {
    /// One folder with a file of each kind; the names are in alphabetical order.
    private static func folder(_ certificate: Certificate) -> [String: [UInt8]] {
        let pem = certificate.pem
        let base64 = Base64.encode(certificate.der)
        let trusted = pem.replacing("CERTIFICATE-----", with: "TRUSTED CERTIFICATE-----")
        let pkcs7: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        let files: [(String, [UInt8])] = [
            ("01-der.cer", certificate.der),
            ("02-pem.cer", Array(pem.utf8)),
            ("03-crlf.cer", Array(pem.replacing("\n", with: "\r\n").utf8)),
            ("04-bom.cer", [0xEF, 0xBB, 0xBF] + Array(pem.utf8)),
            ("05-text.cer", Array(("Certificate:\n    Data:\n" + pem).utf8)),
            ("06-base64.cer", Array(base64.utf8)),
            ("07-trusted.cer", Array(trusted.utf8)),
            ("08-bundle.cer", Array((pem + pem).utf8)),
            ("09-p7b.cer", pkcs7),
            ("10-key.cer", certificate.spki),
            ("11-empty.cer", []),
            ("12-random.cer", [0xFF, 0xFE, 0x00, 0x17]),
            ("13-damaged.cer", Array(certificate.der.dropLast(40))),
            ("14-other.pem", certificate.der),
        ]
        return Dictionary(uniqueKeysWithValues: files.map { ("certs/" + $0.0, $0.1) })
    }

    private static func mint() throws -> Certificate {
        try CertificateTemplate.server(
            names: [.dns("a.test")], notBefore: testTime - 86_400, notAfter: testTime + 86_400
        ).signed(for: PrivateKey.generate(.p256))
    }

    @Test("C35: each file of a folder is loaded, or refused with the reason")
    func everyFile() throws {
        let advice = "convert it with openssl x509 -outform der"
        let ignored = "and would be ignored on a device; \(advice)"
        let file = try load(
            """
            {"library": "afnetworking", "certificates": "certs", "SSLPinningMode": "AFSSLPinningModePublicKey"}
            """, beside: Self.folder(Self.mint()))
        #expect(
            file.remarks.map(\.text) == [
                "\"01-der.cer\" is loaded (1 certificate)",
                "\"02-pem.cer\" is refused: it is 1 certificate in PEM, \(ignored)",
                "\"03-crlf.cer\" is refused: it is 1 certificate in PEM with CRLF line ends, \(ignored)",
                "\"04-bom.cer\" is refused: it is 1 certificate in PEM behind a byte order mark, \(ignored)",
                "\"05-text.cer\" is refused: it is 1 certificate in PEM behind other text, \(ignored)",
                "\"06-base64.cer\" is refused: it is Base64 without PEM's marks; \(advice)",
                "\"07-trusted.cer\" is refused: it is OpenSSL's own TRUSTED CERTIFICATE in PEM, \(ignored)",
                "\"08-bundle.cer\" is refused: it is 2 certificates in PEM, \(ignored)",
                "\"09-p7b.cer\" is refused: it is PKCS#7 and no certificate; take them out with openssl pkcs7",
                "\"10-key.cer\" is refused: it is a public key in DER and no certificate",
                "\"11-empty.cer\" is refused: it is empty",
                "\"12-random.cer\" is refused: it is neither DER nor PEM",
                "\"13-damaged.cer\" is refused: it is a damaged certificate, or none",
                "\"14-other.pem\" is not loaded: AFNetworking loads *.cer only",
            ])
        #expect(file.remarks.allSatisfy { $0.place == .key(["certificates"]) })
        // In public-key mode the library skips what is no certificate.
        #expect(try file.appPolicy(in: environment()).policy.configurationProblem == nil)
    }

    @Test("C35: AFNetworking keeps what is no certificate, and raises an exception when it is to be an anchor")
    func unusablePin() throws {
        let file = try load(
            """
            {"library": "afnetworking", "certificates": "certs", "SSLPinningMode": "AFSSLPinningModeCertificate"}
            """, beside: Self.folder(Self.mint()))
        let verdict = try file.verdict(on: "a.test", in: environment())
        #expect(verdict.decision == .configError)
        #expect(verdict.reason.kind == .unusablePin(name: "02-pem.cer"))
    }

    @Test("C35: Alamofire skips what is no certificate, and takes more names")
    func alamofire() throws {
        let file = try load(
            """
            {"library": "alamofire", "certificates": "certs",
             "policies": {"a.test": "pinCertificates", "b.test": "pinPublicKeys"}}
            """, beside: Self.folder(Self.mint()))
        #expect(file.remarks.count == 14)
        let session = try #require(try file.appPolicy(in: environment()).policy as? Alamofire4Session)
        guard case .pinCertificates(let pins, _, _)? = session.policies?["a.test"] else {
            Issue.record("there is no policy")
            return
        }
        #expect(pins.map(\.name) == ["01-der.cer"])
    }

    @Test("C35: no usable pin is a configuration error, and never no pinning")
    func noUsablePin() throws {
        let pem = ["certs/ca.cer": Array(try Self.mint().pem.utf8)]
        let texts = [
            "{\"library\": \"afnetworking\", \"certificates\": \"certs\", \"SSLPinningMode\": \"AFSSLPinningModePublicKey\"}",
            "{\"library\": \"afnetworking\", \"certificates\": \"certs\", \"SSLPinningMode\": \"AFSSLPinningModeCertificate\"}",
            "{\"library\": \"afnetworking\", \"SSLPinningMode\": \"AFSSLPinningModeCertificate\"}",
            "{\"library\": \"alamofire\", \"certificates\": \"certs\", \"policies\": {\"a.test\": \"pinCertificates\"}}",
            "{\"library\": \"alamofire\", \"certificates\": \"certs\", \"evaluators\": {\"a.test\": \"PublicKeysTrustEvaluator\"}}",
        ]
        for text in texts {
            let policy = try load(text, beside: pem).appPolicy(in: environment()).policy
            #expect(policy.configurationProblem?.kind == .noUsablePin, "\(text)")
        }
    }
}
