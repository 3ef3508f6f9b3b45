/// The secrets of all sessions as a key log, which Wireshark, tshark and others decrypt with (RFC 9850, SSLKEYLOGFILE).
package struct KeyLogExport: TranscriptExport {
    /// What is known of one session.
    private struct Session {
        var version: UInt16?
        var hasSecrets = false
        var opensData = false
    }

    private struct Connection {
        var sessions: [Side: Session] = [:]
        /// How often events were missing before it was opened.
        let missingBefore: UInt64
    }

    private var open = OpenConnections<Connection>(limit: openLimit)
    private var missing = MissingEvents()
    private var lines = 0
    private var unusable = 0
    /// Sessions that came to stand and of which no secret was recorded, and those of which only the handshake can be read.
    private var closed = 0
    private var closedTLS12 = 0
    private var handshakeOnly = 0
    /// Sessions that stay closed in part or as a whole, and during which events were lost.
    private var interrupted = 0

    /// Starts with nothing.
    package init() {}

    package mutating func add(_ event: Event, into output: inout [UInt8]) {
        guard let connection = event.connection else {
            missing.add(event)
            return
        }
        switch event.kind {
        case .opened:
            open.insert(Connection(missingBefore: missing.places), for: connection)
        case .connected:
            // A session with the origin begins anew.
            open.update(connection) { $0.sessions[.origin] = nil }
        case .secret(let side, let secret):
            guard secret.appendKeyLogLine(to: &output) else {
                unusable += 1
                return
            }
            lines += 1
            open.update(connection) {
                $0.sessions[side, default: Session()].hasSecrets = true
                if !secret.opensHandshakeOnly { $0.sessions[side, default: Session()].opensData = true }
            }
        case .secured(let side, let parameters):
            open.update(connection) { $0.sessions[side, default: Session()].version = parameters.version }
        case .closed:
            if let closed = open.remove(connection) { count(closed) }
        default:
            break
        }
    }

    package mutating func finish(into output: inout [UInt8]) {
        for (number, connection) in open.all {
            count(connection)
            _ = open.remove(number)
        }
    }

    /// Counts what cannot be opened of a connection's sessions that came to stand.
    private mutating func count(_ connection: Connection) {
        for session in connection.sessions.values {
            guard let version = session.version else { continue }
            switch (session.hasSecrets, session.opensData) {
            case (_, true): break
            case (_, false) where missing.places != connection.missingBefore: interrupted += 1
            case (true, false): handshakeOnly += 1
            case (false, false) where version < Self.tls13: closedTLS12 += 1
            case (false, false): closed += 1
            }
        }
    }

    package var isEmpty: Bool { lines == 0 }

    package var remarks: [String] {
        var remarks: [String] = []
        if handshakeOnly > 0 {
            remarks.append(
                "the application data of \(handshakeOnly.counting("session")) stays closed: their secrets were not "
                    + "recorded; '--capture wire' records them")
        }
        if closedTLS12 > 0 {
            remarks.append(
                "no secret of \(closedTLS12.counting("session")) of TLS 1.2 or older was recorded, since one opens all "
                    + "of it; '--capture wire' records them")
        }
        if closed > 0 {
            remarks.append(
                "no secret of \(closed.counting("session")) of TLS 1.3 was recorded; --transcript of this version does")
        }
        if interrupted > 0 {
            remarks.append(
                "secrets are missing of \(interrupted.counting("session")) during which events were lost")
        }
        if unusable > 0 { remarks.append("\(unusable.counting("secret")) with a broken label or value left out") }
        return remarks
    }

    private static let tls13: UInt16 = 0x0304
}
