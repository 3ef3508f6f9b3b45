import Crypto
import Foundation
import Testing

/// Which algorithms the files use; that programs read them is tested with those programs.
@Suite struct PKCS12WriterTests {
    private func identity() throws -> TLSIdentity {
        try CertificateTemplate.authority(subject: [("CN", "A")], notBefore: 0, notAfter: 1).identity()
    }

    @Test(arguments: [[], [UInt8]("p\u{E4}ss".utf8)])
    func `C26: no algorithm that OpenSSL 3 calls legacy`(password: [UInt8]) throws {
        let identity = try identity()
        let certificate = identity.chain[0]
        let files = [
            try PKCS12Writer.identity(identity, friendlyName: "a", password: password),
            try PKCS12Writer.javaTrustStore([("a", certificate)], password: password),
        ]
        for file in files.map(hex) {
            // PBES2, PBKDF2 with HMAC-SHA256 10000 times, AES-256-CBC; MAC of SHA-256.
            #expect(file.contains("06092a864886f70d01050d"))
            #expect(file.contains("06092a864886f70d01050c"))
            #expect(file.contains("02022710" + "300c06082a864886f70d02090500"))
            #expect(file.contains("060960864801650304012a"))
            #expect(file.contains("3031300d060960864801650304020105000420"))
            #expect(file.hasSuffix("02022710"))
            // pkcs-12PbeIds: RC2, RC4 and 3DES.
            #expect(!file.contains("060a2a864886f70d010c01"))
            // Nothing of a certificate can be read without the password.
            #expect(!file.contains(hex(certificate.spki)))
        }
    }

    @Test func `a key that is not the certificate's is refused`() throws {
        let foreign = TLSIdentity(chain: try identity().chain, key: try PrivateKey.generate(.p256))
        #expect(throws: OpenSSLError.self) {
            try PKCS12Writer.identity(foreign, friendlyName: "a", password: [])
        }
    }

    @Test func `each file has salts of its own`() throws {
        let identity = try identity()
        #expect(
            try PKCS12Writer.identity(identity, friendlyName: "a", password: [])
                != PKCS12Writer.identity(identity, friendlyName: "a", password: []))
    }
}

/// Requests as their certificates answer them.
@Suite struct CertificateRequestTests {
    @Test func `asks for the subject, the key and the extensions, but not for identifiers`() throws {
        let template = CertificateTemplate.server(names: [.dns("a.test")], notBefore: 0, notAfter: 1)
        let identity = try template.identity()
        let request = try CertificateRequest(for: identity.chain[0], key: identity.key)
        let der = hex(request.der)
        // Version 0 (RFC 2986, 4.1), CN=a.test, then the key.
        #expect(
            der.dropFirst(14).hasPrefix(
                "020100" + "3011310f300d06035504030c06612e74657374" + hex(identity.chain[0].spki)))
        // extensionRequest (RFC 2985, 5.4.2), subjectAltName in it.
        #expect(der.contains("06092a864886f70d01090e"))
        #expect(der.contains("0603551d11" + "040a30088206612e74657374"))
        #expect(!der.contains("0603551d0e"))
        #expect(!der.contains("0603551d23"))
        #expect(request.pem.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n"))
        #expect(request.pem.hasSuffix("-----END CERTIFICATE REQUEST-----\n"))
    }

    @Test func `a certificate without extensions asks for none`() throws {
        let key = try PrivateKey.generate(.ed25519)
        let certificate = try CertificateTemplate(subject: [("CN", "A")], notBefore: 0, notAfter: 1).signed(for: key)
        let der = hex(try CertificateRequest(for: certificate, key: key).der)
        #expect(!der.contains("0603551d"))
        // id-Ed25519 (RFC 8410) of the key and of the signature.
        #expect(der.components(separatedBy: "300506032b6570").count == 3)
    }
}
