public import Crypto

/// Why a check came to its end before its time.
public struct CheckFailure: Error, Equatable, Sendable {
    /// Who is at fault.
    public enum Party: String, Sendable, CaseIterable {
        /// The proxy.
        case proxy
        /// The server.
        case origin
        /// Whoever answers through the proxy: the server, or the proxy in its place.
        case originOrProxy
    }

    /// How far the check had come.
    public enum Phase: String, Sendable, CaseIterable {
        /// Looking up the host that is connected to.
        case resolving
        /// Making the TCP connection.
        case connecting
        /// Waiting for the proxy's answer to CONNECT.
        case tunnelling
        /// The TLS handshake.
        case handshake
        /// Waiting for the server's answer.
        case answer
    }

    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// The name has no address.
        case notResolved
        /// No address could be connected to.
        case notConnected
        /// The proxy answered CONNECT with something else than success.
        case proxyRefused(status: Int)
        /// The answer is not HTTP/1.
        case notHTTP
        /// The head of the answer is too long.
        case answerTooLarge
        /// TLS failed, other than by the policy's verdict.
        case tls(TLSFailure.Kind)
        /// The connection ended too early.
        case ended
        /// A time limit ran out.
        case timeout
    }

    /// Who is at fault.
    public let party: Party
    /// How far the check had come.
    public let phase: Phase
    /// What happened.
    public let kind: Kind
    /// What happened, in one line.
    public let detail: String

    /// Joins the parts of a failure.
    init(party: Party, phase: Phase, kind: Kind, detail: String) {
        self.party = party
        self.phase = phase
        self.kind = kind
        self.detail = detail
    }
}

extension CheckFailure: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String { detail }
}
