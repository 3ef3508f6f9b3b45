import Crypto
import Foundation
import Testing

/// Signatures over files, held against the openssl command.
@Suite struct DetachedSignatureTests {
    private let folder = URL.temporaryDirectory.appending(path: "pinproof-cms-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func identity(_ kind: KeyKind) throws -> TLSIdentity {
        try CertificateTemplate.authority(
            subject: [("CN", "Signer")], notBefore: 0, notAfter: 4_000_000_000
        ).identity(key: PrivateKey.generate(kind))
    }

    private func write(_ text: String, to name: String) throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    /// What `openssl cms -verify` says: its exit status.
    private func openssl(_ signature: [UInt8], _ content: String, _ signer: Certificate) throws -> Int32 {
        try Data(signature).write(to: folder.appending(path: "s.p7s"))
        let anchors = try write(signer.pem, to: "ca.pem")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "cms", "-verify", "-binary", "-inform", "DER", "-in", folder.appending(path: "s.p7s").path, "-content",
            content, "-CAfile", anchors, "-purpose", "any", "-out", "/dev/null",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(arguments: [KeyKind.p256, .rsa(2048)]) func `a signature holds, here and for openssl`(kind: KeyKind) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = try identity(kind)
        // Line ends and length are the file's own.
        let content = try write("one\r\ntwo\n" + String(repeating: "x", count: 100_000), to: "content")
        let signature = try DetachedSignature.sign(file: content, as: identity)
        #expect(try openssl(signature.der, content, identity.chain[0]) == 0)
        let read = try DetachedSignature(der: signature.der)
        #expect(try read.signers(ofFile: content).map(\.sha256) == [identity.chain[0].sha256])
        // It stands beside the file and does not hold it.
        #expect(signature.der.count < 5000)

        let altered = try write("one\r\ntwo\n" + String(repeating: "x", count: 99_999) + "y", to: "altered")
        #expect(try read.signers(ofFile: altered).isEmpty)
        #expect(try openssl(signature.der, altered, identity.chain[0]) != 0)
        let shorter = try write("one\r\ntwo\n", to: "shorter")
        #expect(try read.signers(ofFile: shorter).isEmpty)
    }

    @Test func `what cannot be read or is no signature is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = try identity(.p256)
        #expect(throws: OpenSSLError.self) {
            try DetachedSignature.sign(file: folder.appending(path: "absent").path, as: identity)
        }
        let content = try write("content", to: "content")
        let der = try DetachedSignature.sign(file: content, as: identity).der
        for bad in [[], Array(der.dropLast()), der + [0], [0x30, 0x80, 0x01]] {
            #expect(throws: OpenSSLError.self) { try DetachedSignature(der: bad) }
        }
        let foreign = try DetachedSignature(der: der)
        #expect(throws: OpenSSLError.self) { try foreign.signers(ofFile: folder.appending(path: "absent").path) }
    }
}
