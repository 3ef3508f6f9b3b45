import Crypto
import Foundation
import Testing
import Wire

/// What the pinned clients know of the origin, each in its own notation.
struct MatrixPins {
    /// The SHA-256 of the key (SubjectPublicKeyInfo), in base64.
    let keyDigest: String
    /// The key itself, in base64.
    let key: String
    /// The SHA-256 of the certificate, in hex.
    let certificateDigest: String

    /// Reads the origin's certificate from a file in PEM.
    init(_ path: String) throws {
        let chain = try Certificate.pem([UInt8](Data(contentsOf: URL(filePath: path))))
        let leaf = try #require(chain.first)
        keyDigest = Base64.encode(leaf.spkiSHA256)
        key = Base64.encode(leaf.spki)
        certificateDigest = Hex.encode(leaf.sha256)
    }
}
