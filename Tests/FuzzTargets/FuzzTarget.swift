/// A parser, and what must hold for it whatever it is fed.
///
/// Crashes, hangs and leaks are found by running it; `check` looks for what does not crash but is wrong.
public struct FuzzTarget: Sendable {
    /// The name, which is also the name of its folders in Fuzzing/Corpus and Fuzzing/FailCases.
    public let name: String
    private let body: @Sendable ([UInt8]) throws(BrokenProperty) -> Void

    init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws(BrokenProperty) -> Void) {
        self.name = name
        self.body = body
    }

    /// Feeds an input.
    ///
    /// - Parameter input: What a peer or a user could have sent.
    /// - Throws: What does not hold.
    public func check(_ input: [UInt8]) throws(BrokenProperty) {
        try body(input)
    }

    /// All targets.
    public static let all: [FuzzTarget] = [
        clientHello, requestHead, responseHead, httpHeads, names, url, answerHTTP1, answerHTTP2, connection,
        certificate, pem,
        privateKey, identity, transcript, recording, policyXML, policyPropertyList, policyJSON, policyCurl,
    ]
}

/// Something that must hold for any input, and did not.
public struct BrokenProperty: Error, CustomStringConvertible {
    /// What was to hold, and where that is written.
    public let description: String
}

/// Throws if `condition` does not hold.
func require(
    _ condition: Bool, _ rule: String, file: StaticString = #fileID, line: UInt = #line
) throws(BrokenProperty) {
    if !condition { throw BrokenProperty(description: "\(file):\(line): does not hold: \(rule)") }
}
