internal import COpenSSL

/// A CMS signature over a file that stands beside it (RFC 5652 section 5, with no encapsulated content).
///
/// `openssl cms -verify -binary -inform DER -in SIGNATURE -content FILE` checks it as well.
///
/// **Thread:** confined to one thread.
public final class DetachedSignature {
    /// The signature in DER.
    public let der: [UInt8]
    private let contents: SignatureContents

    private init(_ contents: consuming SignatureContents, der: [UInt8]) {
        self.contents = contents
        self.der = der
    }

    /// Signs what a file holds by now, with SHA-256; the chain goes into the signature.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - identity: Who signs.
    /// - Returns: The signature.
    /// - Throws: `OpenSSLError` if the file cannot be read or the key does not sign.
    public static func sign(file path: String, as identity: TLSIdentity) throws -> DetachedSignature {
        ERR_clear_error()
        let others = CertificateStack(Array(identity.chain.dropFirst()))
        // PARTIAL: the content is read piece by piece when it is finished, and not kept.
        let flags = UInt32(CMS_DETACHED | CMS_BINARY | CMS_PARTIAL | CMS_NOSMIMECAP)
        let made = identity.chain[0].withHandle { certificate in
            identity.key.withHandle { key in
                others.withPointer { stack in CMS_sign(certificate, key, stack, nil, flags) }
            }
        }
        guard let made else { throw OpenSSLError.drain("CMS_sign") }
        let contents = SignatureContents(owning: made)
        let content = try FileBIO(reading: path)
        guard content.withHandle({ CMS_final(contents.raw, $0, nil, flags) }) == 1 else {
            throw OpenSSLError.drain("CMS_final")
        }
        guard let der = encoded({ i2d_CMS_ContentInfo(contents.raw, $0) }) else {
            throw OpenSSLError.drain("i2d_CMS_ContentInfo")
        }
        return DetachedSignature(contents, der: der)
    }

    /// Decodes a signature.
    ///
    /// - Parameter der: The signature; nothing may follow it.
    /// - Throws: `OpenSSLError` if it does not decode.
    public init(der: [UInt8]) throws {
        ERR_clear_error()
        let (decoded, consumed) = der.withUnsafeBufferPointer { buffer -> (OpaquePointer?, Int) in
            var cursor = buffer.baseAddress
            let decoded = d2i_CMS_ContentInfo(nil, &cursor, buffer.count)
            return (decoded, cursor.flatMap { end in buffer.baseAddress.map { end - $0 } } ?? 0)
        }
        guard let decoded else { throw OpenSSLError.drain("d2i_CMS_ContentInfo") }
        contents = SignatureContents(owning: decoded)
        self.der = der
        guard consumed == der.count else { throw OpenSSLError.drain("d2i_CMS_ContentInfo") }
    }

    /// Whether somebody signed exactly what a file holds, and who: whether that certificate is to be believed is for the
    /// caller to judge.
    ///
    /// - Parameter path: The file.
    /// - Returns: The signers' certificates, which the signature holds; none if it does not fit.
    /// - Throws: `OpenSSLError` if the file cannot be read.
    public func signers(ofFile path: String) throws -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let content = try FileBIO(reading: path)
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        guard content.withHandle({ CMS_verify(contents.raw, nil, nil, $0, nil, flags) }) == 1 else { return [] }
        guard let found = CMS_get0_signers(contents.raw) else { return [] }
        // The stack is ours, its elements are the signature's.
        return CertificateStack(borrowing: found).certificates
    }
}

/// The one owner of a `CMS_ContentInfo`.
private struct SignatureContents: ~Copyable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { CMS_ContentInfo_free(raw) }
}
