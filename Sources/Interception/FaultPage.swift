public import Transcript

/// The page that a client sees inside its forged session when the origin cannot be trusted or does not work.
public struct FaultPage: Sendable, Equatable {
    /// The HTTP status: 502 or 504.
    public let status: Int
    /// The kind of failure.
    public let code: Failure.Code
    /// The header field that tells programs the kind of failure, and that the page is not the origin's.
    public static let header = "Pinproof-Fault"
    /// What is wrong, in a few words.
    public let title: String
    /// The fault, the side at fault and how to mend it, a paragraph each.
    public let text: [String]

    /// Says a failure to the client.
    public init(_ failure: Failure, host: String) {
        status = failure.code == .timeout ? 504 : 502
        code = failure.code
        title = "Pinproof: no trusted connection to \(host)"
        text = [
            failure.detail,
            "At fault: the \(failure.party.rawValue) (\(failure.code.rawValue)).",
            failure.hint.map { "To mend it: \($0)" },
            "This page comes from the Pinproof proxy. Nothing that the origin said was passed on.",
        ].compactMap { $0 }
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
