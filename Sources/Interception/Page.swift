public import Transcript

/// A page of the proxy's own, which a client sees inside its forged session.
public struct Page: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// Why the proxy answers: the kind of failure, or `answer` where a rule has it answer in the origin's place.
    public let reason: String
    /// The header field that tells programs the page is not the origin's; its value is the reason.
    public let header: String
    /// What it is about, in a few words.
    public let title: String
    /// What it says, a paragraph each.
    public let text: [String]

    /// Says a failure to the client: 502, or 504, with the fault, the side at fault and how to mend it.
    public init(_ failure: Failure, host: String) {
        status = failure.code == .timeout ? 504 : 502
        reason = failure.code.rawValue
        header = "Pinproof-Fault"
        title = "Pinproof: no trusted connection to \(host)"
        text = [
            failure.detail,
            "At fault: the \(failure.party.rawValue) (\(failure.code.rawValue)).",
            failure.hint.map { "To mend it: \($0)" },
            "This page comes from the Pinproof proxy. Nothing that the origin said was passed on.",
        ].compactMap { $0 }
    }

    /// Answers in the place of an origin that is not asked: 200.
    public init(inPlaceOf host: String) {
        status = 200
        reason = Decision.answer.rawValue
        header = "Pinproof-Answer"
        title = "Pinproof answers for \(host)"
        text = ["This page comes from the Pinproof proxy (--answer). The origin was not asked."]
    }
}

/// The protocol in which a page of the proxy's own is sent.
public enum PageProtocol: Sendable, Equatable {
    /// HTTP/1.0 and HTTP/1.1.
    case http1
    /// HTTP/2.
    case http2

    /// The one that a client speaks with which this application protocol was agreed on; nil if it is not HTTP.
    init?(alpn: [UInt8]?) {
        switch alpn.map({ String(decoding: $0, as: UTF8.self) }) {
        case "h2": self = .http2
        case "http/1.1", "http/1.0", nil: self = .http1
        default: return nil
        }
    }
}
