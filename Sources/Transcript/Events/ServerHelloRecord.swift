public import Wire

/// A server's hello, decoded, with its fingerprints.
public struct ServerHelloRecord: Sendable, Equatable {
    /// The hello.
    public var hello: ServerHello
    /// JA3S, the text before hashing.
    public var ja3sText: String
    /// JA3S, the MD5 of the text in hexadecimal.
    public var ja3s: String
    /// JA4S.
    public var ja4s: String

    /// Joins a hello and its fingerprints.
    public init(hello: ServerHello, ja3sText: String, ja3s: String, ja4s: String) {
        self.hello = hello
        self.ja3sText = ja3sText
        self.ja3s = ja3s
        self.ja4s = ja4s
    }
}
