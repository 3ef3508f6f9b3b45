import Wire

extension SessionSecret {
    /// Appends the secret as a line of a key log: label, client random and secret, with single spaces (RFC 9850 section 1).
    ///
    /// A label that is no word would be read as something else, so it is left out.
    ///
    /// - Parameter output: What is appended to.
    /// - Returns: Whether there is such a line.
    @discardableResult
    package func appendKeyLogLine(to output: inout [UInt8]) -> Bool {
        guard isLoggable else { return false }
        output.append(contentsOf: label.utf8)
        output.append(UInt8(ascii: " "))
        Hex.encode(clientRandom, into: &output)
        output.append(UInt8(ascii: " "))
        Hex.encode(secret, into: &output)
        output.append(UInt8(ascii: "\n"))
        return true
    }

    private var isLoggable: Bool {
        !clientRandom.isEmpty && !secret.isEmpty && (1...Self.labelLimit).contains(label.utf8.count)
            && label.unicodeScalars.allSatisfy { "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" }
    }

    private static let labelLimit = 64
}
