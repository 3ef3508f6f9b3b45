internal import COpenSSL
public import Pinning

extension CertificateDetails {
    /// States the details of a certificate.
    public init(_ certificate: Certificate) {
        let spki = certificate.spki
        let names = certificate.alternativeNames.compactMap { name -> Name? in
            switch name {
            case .dns(let text): .dns(text)
            case .address(let octets): .address(octets)
            case .email, .uri: nil
            }
        }
        self.init(
            spki: spki, spkiSHA256: Digest.sha256(spki), spkiSHA1: Digest.sha1(spki), sha1: certificate.sha1,
            md5: Digest.md5(certificate.der), subjectName: certificate.name(X509_get_subject_name),
            issuerName: certificate.name(X509_get_issuer_name),
            authority: certificate.isAuthority ? Authority(pathLength: certificate.pathLength) : nil, names: names)
    }
}

extension Certificate {
    /// A name of the certificate as it is encoded.
    fileprivate func name(_ get: (OpaquePointer) -> OpaquePointer?) -> [UInt8] {
        withHandle { raw in encoded { i2d_X509_NAME(get(raw), $0) } } ?? []
    }
}
