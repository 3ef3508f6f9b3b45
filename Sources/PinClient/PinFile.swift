public import Crypto
public import Pinning

/// A file with pinned certificates, as AFNetworking would take it from an app's bundle (PS-1.4).
///
/// On a device only DER counts. Here PEM is read too, because that is what people have at hand, but the file says so:
/// a policy that works here and not in the app must not go unnoticed.
public struct PinFile: Sendable {
    /// Something about the file that its owner should know.
    public enum Remark: Hashable, Sendable {
        /// The file is PEM: it would be ignored on a device, or raise an exception.
        case ignoredOnDevice
        /// AFNetworking finds `*.cer` files by itself; another name must be loaded by the app's own code.
        case notFoundByItself
        /// Nothing in the file can be a pin, for this reason.
        case refused(String)
    }

    /// The file's name.
    public let name: String
    /// The certificates in it.
    public let certificates: [Certificate]
    /// What its owner should know.
    public let remarks: [Remark]

    /// Reads a file's contents.
    ///
    /// - Parameters:
    ///   - name: The file's name, with or without its folder.
    ///   - contents: What is in it.
    public init(name: String, contents: [UInt8]) {
        self.name = name
        let remarks: [Remark] = AFSecurityPolicy.loads(fileNamed: name) ? [] : [.notFoundByItself]
        if let certificate = try? Certificate(der: contents) {
            certificates = [certificate]
            self.remarks = remarks
            return
        }
        certificates = (try? Certificate.pem(contents)) ?? []
        self.remarks =
            certificates.isEmpty ? [.refused(Self.reasonForRefusal(contents))] : [.ignoredOnDevice] + remarks
    }

    /// The pins of a policy; a file that is refused is one pin that is no certificate, as it would be in the app.
    public var pins: [AFSecurityPolicy.Pin] {
        guard !certificates.isEmpty else { return [AFSecurityPolicy.Pin(name: name, certificate: nil)] }
        return certificates.enumerated().map { index, certificate in
            AFSecurityPolicy.Pin(
                name: certificates.count == 1 ? name : "\(name)#\(index + 1)",
                certificate: CertificateFacts(certificate))
        }
    }

    private static func reasonForRefusal(_ contents: [UInt8]) -> String {
        if contents.isEmpty { return "the file is empty" }
        let text = String(decoding: contents.prefix(1 << 16), as: UTF8.self)
        if text.contains("-----BEGIN CERTIFICATE-----") { return "a certificate in it is damaged" }
        if text.contains("-----BEGIN ") { return "there is no certificate in it, but something else in PEM" }
        // DER of anything begins with a SEQUENCE.
        if contents.first == 0x30 { return "it is DER, but not one certificate and nothing else" }
        return "it is neither a DER nor a PEM certificate"
    }
}

extension PinFile.Remark: CustomStringConvertible {
    /// The remark in one line.
    public var description: String {
        switch self {
        case .ignoredOnDevice: "would be ignored on a device: AFNetworking takes DER, and this is PEM"
        case .notFoundByItself: "AFNetworking loads *.cer by itself; this file has to be loaded by the app's code"
        case .refused(let reason): "not a pin: \(reason)"
        }
    }
}
