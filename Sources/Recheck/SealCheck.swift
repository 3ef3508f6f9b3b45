public import Crypto

/// Whether somebody signed a file of a transcript, and who.
public enum SealCheck {
    /// Checks a detached CMS signature.
    ///
    /// - Parameters:
    ///   - signature: The signature in DER.
    ///   - path: The file that it is over: the last one of the run, whose lines lead back to the first.
    ///   - trusted: The certificates of those who may have signed; none leaves that open.
    /// - Returns: What came of it.
    public static func check(_ signature: [UInt8], overFile path: String, trusted: [Certificate]) -> Claim {
        let signers: [Certificate]
        do {
            signers = try DetachedSignature(der: signature).signers(ofFile: path)
        } catch {
            return Claim(.signature, nil, .failed("the signature cannot be read: \(error)"))
        }
        guard !signers.isEmpty else {
            return Claim(.signature, nil, .failed("the signature is not over what the file holds"))
        }
        let names = signers.map(\.subject).joined(separator: "; ")
        guard !trusted.isEmpty else {
            return Claim(
                .signature, nil,
                .notProven(
                    "it was signed as \(names), and nothing vouches for that certificate: give the signer's with --signer"
                ))
        }
        let isKnown = signers.contains { signer in trusted.contains { $0.sha256 == signer.sha256 } }
        return Claim(
            .signature, nil, isKnown ? .proven : .failed("it was signed as \(names), by none of the given signers"))
    }
}
