internal import Transcript
internal import Wire

// An origin that drops a hello which offers HTTP/2 is asked once more, without that offer.
extension ConnectionMachine {
    /// Gives the connection to the origin up for another one with a smaller offer.
    ///
    /// The first end is no end of the connection: it is only in the event that says why there is a second try.
    mutating func tryAgain(
        _ handshaking: Handshaking, after end: End, _ actions: inout [ConnectionAction]
    ) -> State {
        var handshaking = handshaking
        withholdHTTP2(after: end, &handshaking, &actions)
        actions += [.arm(.connect), .reconnect(handshaking.route.endpoint)]
        return .reconnecting(handshaking)
    }

    /// Offers the origin no HTTP/2 from now on, and records why: its end just now, or what an earlier connection showed.
    func withholdHTTP2(
        after end: End?, _ handshaking: inout Handshaking, _ actions: inout [ConnectionAction]
    ) {
        guard handshaking.withholdHTTP2() else { return }
        let alpn = handshaking.forOrigin.map(TLSNames.applicationProtocol)
        actions.append(.record(.withheldHTTP2(after: end, offered: alpn)))
    }

    mutating func awaitReconnection(
        _ handshaking: Handshaking, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        switch event {
        case .connected(let address, let nanoseconds, let local, _):
            actions += [
                .record(.connected(origin: address, nanoseconds: nanoseconds, local: local)), .arm(.handshake),
                .secureOrigin(handshaking.endpoint, alpn: handshaking.forOrigin),
            ]
            return .originHandshake(handshaking)
        case .connectFailed(let reason):
            return explain(reason.explained(for: handshaking.route.endpoint).0, handshaking, &actions)
        case .timedOut:
            return awaitReconnection(handshaking, .connectFailed(.timedOut), &actions)
        case .ended(.client, let end):
            return abandon(handshaking, end, .connecting, &actions)
        case .bytes(let bytes):
            return .reconnecting(keep(bytes, handshaking, &actions))
        default:
            return .reconnecting(handshaking)
        }
    }
}

extension End {
    /// Whether a peer that ended in this way in place of its first message may have done so because of what the hello
    /// offered.
    ///
    /// Alerts that name another cause, such as protocol_version (70), insufficient_security (71) and unrecognized_name
    /// (112), do not count.
    var mayBlameTheHello: Bool {
        switch self {
        case .closeNotify, .fin, .reset: true
        case .alert(let code): Self.vagueAlerts.contains(code)
        case .timeout, .error, .proxy: false
        }
    }

    /// unexpected_message, handshake_failure, illegal_parameter, decode_error, internal_error, unsupported_extension and
    /// no_application_protocol (RFC 8446 section 6.2).
    private static let vagueAlerts: Set<UInt8> = [10, 40, 47, 50, 80, 110, 120]
}
