public import Wire

/// The client's hello, decoded, with its fingerprints.
public struct HelloRecord: Sendable, Equatable {
    /// The hello.
    public var hello: ClientHello
    /// JA3, the text before hashing.
    public var ja3Text: String
    /// JA3, the MD5 of the text in hexadecimal.
    public var ja3: String
    /// JA4.
    public var ja4: String

    /// Joins a hello and its fingerprints.
    public init(hello: ClientHello, ja3Text: String, ja3: String, ja4: String) {
        self.hello = hello
        self.ja3Text = ja3Text
        self.ja3 = ja3
        self.ja4 = ja4
    }
}
