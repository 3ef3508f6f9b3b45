internal import Crypto
internal import Transcript
internal import Wire

extension HelloRecord {
    /// Fingerprints a hello.
    init(_ hello: ClientHello) {
        let text = hello.ja3Text
        self.init(
            hello: hello, ja3Text: text, ja3: Hex.encode(Digest.md5(Array(text.utf8))),
            ja4: hello.ja4(sha256: Digest.sha256))
    }
}
