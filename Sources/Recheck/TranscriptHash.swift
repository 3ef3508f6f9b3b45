internal import Crypto
internal import Wire

/// The messages of a handshake as they are hashed (RFC 8446 section 4.4.1, RFC 5246 section 7.4.9).
struct TranscriptHash {
    let hash: HashAlgorithm
    /// The messages so far; TLS 1.2 signs them as they are.
    private(set) var octets: [UInt8] = []

    init(_ hash: HashAlgorithm) { self.hash = hash }

    mutating func add(_ message: [UInt8]) { octets += message }

    /// Replaces the first ClientHello by its digest: another one was asked for.
    mutating func restart() {
        octets = [HandshakeType.messageHash, 0, 0, UInt8(hash.length)] + digest
    }

    /// The digest of the messages so far.
    var digest: [UInt8] { hash.digest(octets) }
}
