import Wire

/// The TLS sessions of intercepted connections as a packet capture (pcapng), with the secrets that open them.
///
/// What is recorded are streams of octets, their times and both ends' addresses; the packets that carried them are made
/// from these. `docs/EXPORT.md` says what of the result was on the network.
package struct PcapngExport: TranscriptExport {
    private var open = OpenConnections<PcapngConnection>(limit: openLimit)
    private var summary = PcapngSummary()

    /// Starts with nothing.
    package init() {}

    package mutating func begin(into output: inout [UInt8]) {
        output.appendSectionHeader(application: "Pinproof")
        output.appendInterface(name: "pinproof", snapLength: Self.snapLength)
    }

    package mutating func add(_ event: Event, into output: inout [UInt8]) {
        if case .gap(let lost) = event.kind { summary.lost = summary.lost.addingSaturated(lost) }
        guard let connection = event.connection else { return }
        switch event.kind {
        case .opened(let client, let listener):
            let opened = PcapngConnection(connection, client: client, listener: listener, at: event.wall)
            open.insert(opened, for: connection)
        case .secret(_, let secret):
            var line: [UInt8] = []
            guard secret.appendKeyLogLine(to: &line) else { return }
            output.appendDecryptionSecrets(line)
            summary.secrets += 1
        case .closed:
            guard var closing = open.remove(connection) else { return }
            closing.close(at: event.wall, into: &output)
            summary.add(closing)
        case .wire, .traffic:
            guard open[connection] != nil else {
                summary.orphans += 1
                return
            }
            open.update(connection) { $0.add(event, into: &output) }
        default:
            open.update(connection) { $0.add(event, into: &output) }
        }
    }

    package mutating func finish(into output: inout [UInt8]) {
        for (number, connection) in open.all {
            var connection = connection
            connection.release(into: &output)
            summary.add(connection)
            if connection.isConversing { summary.unfinished += 1 }
            _ = open.remove(number)
        }
    }

    package var isEmpty: Bool { summary.conversations == 0 && open.all.allSatisfy { !$0.state.isConversing } }

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
    private var standIns = 0
    private var uncaptured = 0
    private var holes = 0
    private var missing: UInt64 = 0
    private var late: UInt64 = 0

    /// Adds a connection that is over.
    mutating func add(_ connection: PcapngConnection) {
        standIns += connection.standIns
        for conversation in connection.conversations {
            conversations += 1
            if conversation.isSecured, !conversation.hasTraffic { uncaptured += 1 }
            holes += conversation.losses.holes
            missing = missing.addingSaturated(conversation.losses.octets)
            late = late.addingSaturated(conversation.losses.late)
        }
    }

    /// A phrase for everything that is not as a reader would expect.
    var remarks: [String] {
        var remarks: [String] = []
        if uncaptured > 0 {
            remarks.append(
                "nothing after the handshake was recorded of \(uncaptured.counting("session")); "
                    + "'--capture wire' records it")
        }
        if conversations > 0, secrets == 0 {
            remarks.append("no secrets are embedded, since none were recorded; '--capture wire' records all")
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
