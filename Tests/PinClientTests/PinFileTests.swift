import Crypto
import PinClient
import Pinning
import Testing

/// PS-1.4: what AFNetworking would make of a file, and what is said about it.
@Suite struct PinFileTests {
    private let certificate: Certificate
    private let other: Certificate

    init() throws {
        certificate = try TestChain().leaf
        other = try TestChain().root
    }

    private var pem: [UInt8] { Array(certificate.pem.utf8) }

    @Test("DER named *.cer is what the library takes")
    func der() {
        let file = PinFile(name: "leaf.cer", contents: certificate.der)
        #expect(file.pins == [.init("leaf.cer", certificate)])
        #expect(file.remarks == [])
    }

    @Test("DER under another name is not found in the bundle", arguments: ["leaf.der", "leaf.crt", "leaf.CER", "cer"])
    func otherName(name: String) {
        let file = PinFile(name: name, contents: certificate.der)
        #expect(file.pins == [.init(name, certificate)])
        #expect(file.remarks == [.notFoundByItself])
    }

    @Test("PEM is read, and flagged")
    func pemIsFlagged() {
        let windows = certificate.pem.replacing("\n", with: "\r\n")
        let forms = [
            pem, Array(windows.utf8), [0xEF, 0xBB, 0xBF] + pem, Array("Certificate:\n    Data:\n".utf8) + pem,
        ]
        for form in forms {
            let file = PinFile(name: "leaf.cer", contents: form)
            #expect(file.pins == [.init("leaf.cer", certificate)])
            #expect(file.remarks == [.ignoredOnDevice])
        }
        #expect(PinFile(name: "leaf.pem", contents: pem).remarks == [.ignoredOnDevice, .notFoundByItself])
        #expect(PinFile.Remark.ignoredOnDevice.description.contains("would be ignored on a device"))
    }

    @Test("Every certificate of a PEM file is a pin of its own")
    func bundle() {
        let file = PinFile(name: "all.cer", contents: pem + Array(other.pem.utf8))
        #expect(file.pins == [.init("all.cer#1", certificate), .init("all.cer#2", other)])
    }

    @Test("What is no certificate is refused with a reason, and a pin that matches nothing")
    func refused() throws {
        let key = try PrivateKey.generate(.p256)
        let cases: [([UInt8], String)] = [
            ([], "the file is empty"),
            ([1, 2, 3], "it is neither a DER nor a PEM certificate"),
            (Array("TUlJQ2FU".utf8), "it is neither a DER nor a PEM certificate"),
            (certificate.spki, "it is DER, but not one certificate and nothing else"),
            (certificate.der + [0], "it is DER, but not one certificate and nothing else"),
            (key.pem(), "there is no certificate in it, but something else in PEM"),
            (Array(pem.dropLast(200)), "a certificate in it is damaged"),
        ]
        for (contents, reason) in cases {
            let file = PinFile(name: "pin.cer", contents: contents)
            #expect(file.remarks == [.refused(reason)])
            #expect(file.pins == [AFSecurityPolicy.Pin(name: "pin.cer", certificate: nil)])
            let policy = AFSecurityPolicy(mode: .certificate, pins: file.pins)
            #expect(policy.configurationProblem?.kind == .noUsablePin)
        }
    }
}
