import Wire

/// The TLS sessions of intercepted connections as a packet capture (pcapng), with the secrets that open them.
///
/// What is recorded are streams of octets, their times and both ends' addresses; the packets that carried them are made
/// from these. `docs/EXPORT.md` says what of the result was on the network.
package struct PcapngExport: TranscriptExport {
    private struct Open {
        var connection: PcapngConnection
        /// How often events were missing before it was opened.
        let missingBefore: UInt64
    }

    private var open = OpenConnections<Open>(limit: openLimit)
    private var missing = MissingEvents()
    private var summary = PcapngSummary()

    /// Starts with nothing.
    package init() {}

    package mutating func begin(into output: inout [UInt8]) {
        output.appendSectionHeader(application: "Pinproof")
        output.appendInterface(name: "pinproof", snapLength: Self.snapLength)
    }

    package mutating func add(_ event: Event, into output: inout [UInt8]) {
        if case .gap(let lost) = event.kind { summary.lost = summary.lost.addingSaturated(lost) }
        guard let connection = event.connection else {
            missing.add(event)
            return
        }
        if case .traffic = event.kind { summary.hasTraffic = true }
        switch event.kind {
        case .opened(let client, let listener):
            let opened = PcapngConnection(connection, client: client, listener: listener, at: event.wall)
            open.insert(Open(connection: opened, missingBefore: missing.places), for: connection)
        case .secret(_, let secret):
            var line: [UInt8] = []
            guard secret.appendKeyLogLine(to: &line) else { return }
            output.appendDecryptionSecrets(line)
            summary.secrets += 1
        case .closed:
            guard var closing = open.remove(connection) else { return }
            closing.connection.close(at: event.wall, into: &output)
            add(closing)
        case .wire, .traffic:
            guard open[connection] != nil else {
                summary.orphans += 1
                return
            }
            open.update(connection) { $0.connection.add(event, into: &output) }
        default:
            open.update(connection) { $0.connection.add(event, into: &output) }
        }
    }

    package mutating func finish(into output: inout [UInt8]) {
        for (number, state) in open.all {
            var state = state
            state.connection.release(into: &output)
            add(state)
            if state.connection.isConversing { summary.unfinished += 1 }
            _ = open.remove(number)
        }
    }

    private mutating func add(_ finished: Open) {
        summary.add(finished.connection, lacksEvents: missing.places != finished.missingBefore)
    }

    package var isEmpty: Bool {
        summary.conversations == 0 && open.all.allSatisfy { !$0.state.connection.isConversing }
    }

    package var remarks: [String] { summary.remarks }

    /// How long a packet may be; those that are made are shorter.
    private static let snapLength: UInt32 = 65_535
}

/// What a capture holds, and what it does not.
struct PcapngSummary: Sendable {
    /// TCP conversations.
    var conversations = 0
    /// Secrets that are embedded.
    var secrets = 0
    /// Events that the transcript says are missing.
    var lost: UInt64 = 0
    /// Events with octets of connections whose beginning is not in the transcript.
    var orphans = 0
    /// Connections that are open at the end.
    var unfinished = 0
    /// Whether octets after any handshake were recorded: then they were asked for.
    var hasTraffic = false
    private var standIns = 0
    /// Sessions without any octet after the handshake, and those of them during which events were lost.
    private var uncaptured = 0
    private var interrupted = 0
    private var holes = 0
    private var missing: UInt64 = 0
    private var late: UInt64 = 0

    /// Adds a connection that is over.
    ///
    /// - Parameters:
    ///   - connection: What came of it.
    ///   - lacksEvents: Whether events were lost while it was open.
    mutating func add(_ connection: PcapngConnection, lacksEvents: Bool) {
        standIns += connection.standIns
        for conversation in connection.conversations {
            conversations += 1
            if conversation.isSecured, !conversation.hasTraffic {
                if lacksEvents { interrupted += 1 } else { uncaptured += 1 }
            }
            holes += conversation.losses.holes
            missing = missing.addingSaturated(conversation.losses.octets)
            late = late.addingSaturated(conversation.losses.late)
        }
    }

    /// A phrase for everything that is not as a reader would expect.
    var remarks: [String] {
        var remarks: [String] = []
        // Where such octets were asked for, there may have been none.
        if uncaptured > 0, !hasTraffic {
            remarks.append(
                "nothing after the handshake was recorded of \(uncaptured.counting("session")); "
                    + "'--capture wire' records it")
        }
        if interrupted > 0 {
            remarks.append(
                "nothing after the handshake is here of \(interrupted.counting("session")) during which events were lost"
            )
        }
        if conversations > 0, secrets == 0 {
            remarks.append(
                lost > 0
                    ? "no secrets are embedded, since none are in the transcript"
                    : "no secrets are embedded, since none were recorded; '--capture wire' records all")
        }
        if holes > 0 { remarks.append("\(missing) octets are missing in \(holes.counting("place"))") }
        if late > 0 { remarks.append("\(late) octets after the end of their direction are left out") }
        if lost > 0 { remarks.append("\(lost) events are missing in the transcript: what they held is missing here") }
        if orphans > 0 {
            remarks.append("\(orphans.counting("run")) of octets left out: the beginning of the connection is not here")
        }
        if standIns > 0 {
            remarks.append(
                "\(standIns.counting("address", plural: "addresses")) not recorded: addresses for documentation stand in (RFC 5737, RFC 3849)"
            )
        }
        if unfinished > 0 {
            remarks.append("\(unfinished.counting("connection")) without an end: open when the transcript ends")
        }
        return remarks
    }
}
