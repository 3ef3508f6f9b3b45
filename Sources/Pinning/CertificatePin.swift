/// A certificate that an app brings along to compare servers with.
public struct CertificatePin: Hashable, Sendable {
    /// What to call it, such as its file's name.
    public let name: String
    /// The certificate; nil if the bytes are not one, which not every library notices when it loads them.
    public let certificate: CertificateFacts?

    /// Names a pin.
    public init(name: String, certificate: CertificateFacts?) {
        self.name = name
        self.certificate = certificate
    }
}

extension Sequence<CertificatePin> {
    /// The first certificate of a path, in its order, that is a pin byte for byte.
    func firstCertificate(on path: some Sequence<(offset: Int, element: CertificateFacts)>) -> PinMatch? {
        firstMatch(on: path) { $0 == $1 }
    }

    /// The first certificate of a path, in its order, whose key is a pin's.
    func firstKey(on path: some Sequence<(offset: Int, element: CertificateFacts)>) -> PinMatch? {
        firstMatch(on: path) { $0.publicKey != nil && $0.publicKey == $1.publicKey }
    }

    private func firstMatch(
        on path: some Sequence<(offset: Int, element: CertificateFacts)>,
        where equal: (_ certificate: CertificateFacts, _ pin: CertificateFacts) -> Bool
    ) -> PinMatch? {
        for (depth, certificate) in path {
            for pin in self {
                guard let pinned = pin.certificate, equal(certificate, pinned) else { continue }
                return PinMatch(pin: pin.name, certificate: certificate, depth: depth)
            }
        }
        return nil
    }
}
