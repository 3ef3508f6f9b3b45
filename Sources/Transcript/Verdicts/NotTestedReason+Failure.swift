/// Why nothing was shown, where something failed before TLS.
extension NotTestedReason {
    /// What a failure means that kept the proxy from reaching the origin; nil if it is another one.
    init?(unreachable failure: Failure) {
        let reason = NotTestedReason(beforeHello: failure)
        guard reason.isOriginFailure else { return nil }
        self = reason
    }

    /// What a failure before any hello means.
    init(beforeHello failure: Failure) {
        switch failure.code {
        case .greetingMalformed, .greetingTooLarge, .notAProxyRequest, .plainHTTPRequest, .tlsWithoutConnect,
            .ownListener, .credentialsNeeded:
            self = .notServed(failure.code)
        case .refusedByRule: self = .refused
        case .nameNotResolved, .connectionFailed: self = .originUnreachable(failure.code)
        case .timeout where failure.phase == .connecting: self = .originUnreachable(failure.code)
        case .timeout: self = .timeLimit(failure.phase)
        case .helloMalformed, .helloTooLarge: self = .unreadableHello
        case .peerVanished: self = .partialHello
        case .outOfResources, .originUntrusted, .originWrongName, .originExpired, .originNotYetValid, .originHandshake,
            .originOutdated, .clientOutdated, .originWantsIdentity, .identityUnusable, .forgeFailed, .clientHandshake,
            .tlsProtocol, .internalError:
            self = .proxyFailure(failure.code)
        }
    }
}
