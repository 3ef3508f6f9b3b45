/// A failure, with the side at fault and how to mend it.
public struct Failure: Error, Sendable, Equatable {
    /// What kind of failure it is; the names are part of the file format.
    public enum Code: String, Sendable, CaseIterable {
        case greetingMalformed, greetingTooLarge, notAProxyRequest, plainHTTPRequest, tlsWithoutConnect
        case refusedByRule, ownListener, credentialsNeeded
        case nameNotResolved, connectionFailed, outOfResources
        case helloMalformed, helloTooLarge
        case originUntrusted, originWrongName, originExpired, originNotYetValid, originHandshake
        case originOutdated, clientOutdated
        case originWantsIdentity, identityUnusable
        case forgeFailed, clientHandshake
        case timeout, peerVanished, tlsProtocol, internalError
    }

    /// Who is at fault.
    public var party: Party
    /// What kind of failure it is.
    public var code: Code
    /// Where in the connection's life it happened.
    public var phase: Phase
    /// What happened, in one line.
    public var detail: String
    /// How to mend it, in one line; nil where there is nothing to do.
    public var hint: String?

    /// Joins the parts of a failure.
    public init(party: Party, code: Code, phase: Phase, detail: String, hint: String? = nil) {
        self.party = party
        self.code = code
        self.phase = phase
        self.detail = detail
        self.hint = hint
    }
}
