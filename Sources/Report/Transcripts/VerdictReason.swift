import Transcript

extension Verdict {
    /// Why the events come to this verdict, in a sentence or two.
    var evidence: String {
        switch self {
        case .accepted(let bytes):
            return "In the session in which it was shown our certificate the client sent application data: "
                + Quantity.bytes(bytes) + "."
        case .rejected(let alert, let stage):
            let meaning = AlertWords.meaning(alert).map { ", which is \($0)" } ?? ""
            return "\(stage.words), after our certificate was sent, the client sent the alert "
                + "\(AlertWords.name(alert))\(meaning)."
        case .rejectedSilently(let end):
            return "After our certificate was sent, and before its own Finished, the client ended with "
                + "\(end.protocolWords) and gave no reason."
        case .abandoned(let end):
            return "The client finished the handshake and ended with \(end.protocolWords) without a byte of data. Some "
                + "clients look at pins only then; a single connection is no proof of that."
        case .leaked(let leak):
            return "The client turned away, and had given something away before: \(leak.given)."
        case .notTested(.eventsMissing):
            return
                "Events are missing that may have been this connection's, and those that are left do not decide what it "
                + "showed."
        case .notTested(let reason):
            return "The connection tells nothing of how its client takes our certificate: \(reason.text)."
        case .idle:
            return "The handshake is complete, and the client did nothing that tells: the connection is open, others "
                + "ended it, or the server speaks first."
        }
    }
}

extension HandshakeStage {
    /// When that is, in words.
    fileprivate var words: String { self == .beforeFinished ? "In the handshake" : "After its own Finished" }
}

extension Leak {
    /// What was given away, in words.
    fileprivate var given: String {
        var given: [String] = []
        if bytes > 0 { given.append(Quantity.bytes(bytes) + " of \(isEarly ? "early " : "")data") }
        if identity { given.append("its certificate") }
        return given.isEmpty ? "data" : given.joined(separator: " and ")
    }
}
