internal import Crypto
internal import Transcript
internal import Wire

extension ServerHelloRecord {
    /// Fingerprints a hello.
    init(_ hello: ServerHello) {
        let text = hello.ja3sText
        self.init(
            hello: hello, ja3sText: text, ja3s: Hex.encode(Digest.md5(Array(text.utf8))),
            ja4s: hello.ja4s(sha256: Digest.sha256))
    }
}
