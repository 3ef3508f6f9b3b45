import Wire

extension Verdict {
    /// What kind of verdict it is; the names are for files.
    public var name: String {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .rejectedSilently: "rejectedSilently"
        case .abandoned: "abandoned"
        case .leaked: "leaked"
        case .notTested: "notTested"
        case .idle: "idle"
        }
    }

    /// The verdict in a few words.
    public var text: String {
        switch self {
        case .accepted(let bytes): "accepted: \(bytes) bytes of data"
        case .rejected(let alert, let stage):
            "rejected: \(TLSNames.alert(alert)) (\(alert)) \(stage == .beforeFinished ? "in" : "after") the handshake"
        case .rejectedSilently(let end): "rejected silently: \(end.text) in the handshake"
        case .abandoned(let end): "abandoned: \(end.text) after the handshake"
        case .leaked(let leak): "leaked: \(leak.text)"
        case .notTested(let reason): "not tested: \(reason.text)"
        case .idle: "idle"
        }
    }
}

extension Leak {
    fileprivate var text: String {
        var given: [String] = []
        if bytes > 0 { given.append("\(bytes) bytes of \(isEarly ? "early " : "")data") }
        if identity { given.append("its certificate") }
        let end =
            switch refusal {
            case .alert(let code, _): "\(TLSNames.alert(code)) (\(code))"
            case .silence(let end, _): end.text
            }
        return "\(given.joined(separator: " and ")), then \(end)"
    }
}

extension End {
    fileprivate var text: String {
        switch self {
        case .closeNotify: "close_notify"
        case .fin: "FIN"
        case .reset: "reset"
        case .alert(let code): "\(TLSNames.alert(code)) (\(code))"
        case .timeout: "time limit"
        case .error(let errno): "errno \(errno)"
        case .proxy: "ended by the proxy"
        }
    }
}

extension NotTestedReason {
    /// The reason in a few words.
    public var text: String {
        switch self {
        case .noHello: "no ClientHello"
        case .partialHello: "half a ClientHello"
        case .unreadableHello: "the ClientHello cannot be read"
        case .notTLS(.originFirst): "no TLS: the origin speaks first"
        case .notTLS: "no TLS"
        case .silentTunnel: "silent tunnel"
        case .tunnelled: "relayed untouched"
        case .refused: "refused by rule"
        case .notServed(let code): "not served (\(code.rawValue))"
        case .originUnreachable(let code): "the origin cannot be reached (\(code.rawValue))"
        case .certificateNeverSent: "the client left before the certificate"
        case .resumed: "session resumed"
        case .parameterAlert(let code), .otherAlert(let code): "the client's alert \(TLSNames.alert(code)) (\(code))"
        case .proxyAlert(let code): "our alert \(TLSNames.alert(code)) (\(code))"
        case .obsoleteVersion(let version): "\(TLSNames.version(version)) at most"
        case .proxyFailure(let code): "Pinproof failed (\(code.rawValue))"
        case .sessionBroken(let code): "the session broke (\(code.rawValue))"
        case .timeLimit(let phase): "time limit (\(phase.rawValue))"
        case .connectionLost(let errno): "connection lost (errno \(errno))"
        case .interrupted: "interrupted"
        case .unfinished: "unfinished"
        case .eventsMissing: "events missing"
        }
    }
}
