internal import Wire

/// Reads the head of an HTTP/1 answer, behind whatever interim answers come first (RFC 9110 section 15.2).
struct AnswerHead {
    private var bytes: [UInt8] = []
    /// What heads may still take, all together: a server could send interim answers forever.
    private var allowance = 65_536

    /// Takes what arrived.
    ///
    /// - Parameter arrived: The next bytes of the stream.
    /// - Returns: How far the head has come.
    mutating func receive(_ arrived: [UInt8]) -> Progress {
        bytes += arrived
        while true {
            switch HTTPResponseHead.parse(bytes, limit: allowance) {
            case .incomplete: return .incomplete
            case .complete(let head, let length):
                bytes.removeFirst(length)
                // After 101 the connection speaks something else: nothing follows.
                guard (100..<200).contains(head.status), head.status != 101 else {
                    return .complete(head, rest: bytes)
                }
                allowance -= length
            case .malformed(let reason): return .failed(.notHTTP, "is not HTTP/1: \(reason)")
            case .tooLarge: return .failed(.answerTooLarge, "has a head of more than 64 KiB")
            }
        }
    }

    /// How far the head has come.
    enum Progress {
        /// More must arrive.
        case incomplete
        /// The head is there; what follows it, as far as it arrived, is `rest`.
        case complete(HTTPResponseHead, rest: [UInt8])
        /// There will be none, for this reason: a sentence whose subject is the answer.
        case failed(CheckFailure.Kind, String)
    }
}
