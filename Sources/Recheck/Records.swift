internal import Transcript
internal import Wire

/// Whether the messages and alerts of a session are those in its records.
struct Records {
    private let session: SessionRecord
    private let handshakes: [Handshake]
    private let opened: [(direction: Direction, records: OpenedDirection)]

    /// Reads the records of a session.
    init(_ session: SessionRecord, handshakes: [Handshake]) {
        self.session = session
        self.handshakes = handshakes
        opened = [Direction.received, .sent].map { ($0, session.records($0, handshake: handshakes.first)) }
    }

    /// What the session claims of its records.
    var claims: [Claim] {
        // Without a message there is nothing to be found in records.
        guard !session.isEmpty else { return alertClaims }
        let plain = opened.map { plainResult($0.direction, $0.records) }
        let sealed = opened.compactMap { sealedResult($0.direction, $0.records) }
        return [merged(.plainRecords, plain)] + (sealed.isEmpty ? [] : [merged(.sealedRecords, sealed)]) + alertClaims
            + dataClaims
    }

    /// One claim for both directions: the worse of the two results.
    private func merged(_ kind: Claim.Kind, _ results: [Finding]) -> Claim {
        let worst =
            results.first { $0.result.isFailure } ?? results.first { $0.result != .proven }
            ?? Finding(result: .proven, line: nil)
        return Claim(kind, session.side, worst.result, line: worst.line)
    }

    private struct Finding {
        let result: Claim.Result
        let line: Int?
    }

    // MARK: Messages

    private func messages(_ direction: Direction) -> [SessionRecord.Message] {
        session.messages.filter { $0.direction == direction }
    }

    private func plainResult(_ direction: Direction, _ records: OpenedDirection) -> Finding {
        let messages = messages(direction)
        let octets = messages.flatMap(\.bytes)
        if let offset = Self.firstDifference(records.plain, octets) {
            return Finding(
                result: .failed("the \(direction.rawValue) records hold something else than this message"),
                line: line(of: offset, in: messages))
        }
        if holdsMessage(records.plain.dropFirst(octets.count)) { return findingOfMore(direction) }
        let missing = plainLength(messages) - records.plain.count
        guard missing > 0 else { return Finding(result: .proven, line: nil) }
        guard session.mayLackWire else {
            return Finding(
                result: .failed("\(missing) octets of \(direction.rawValue) messages are in no record"), line: nil)
        }
        return Finding(result: .notProven("not all that was on the wire is recorded"), line: nil)
    }

    /// How many octets of these messages have to be in records that are not encrypted.
    private func plainLength(_ messages: [SessionRecord.Message]) -> Int {
        let isModern = (handshakes.first?.version ?? 0) >= 0x0304
        let plain = messages.prefix { message in
            guard let type = message.bytes.first else { return false }
            return isModern
                ? [HandshakeType.clientHello, HandshakeType.serverHello].contains(type)
                : type != HandshakeType.finished
        }
        return plain.reduce(0) { $0 + $1.bytes.count }
    }

    /// What is said of encrypted messages in a direction; nil if there are none.
    private func sealedResult(_ direction: Direction, _ records: OpenedDirection) -> Finding? {
        let messages = messages(direction)
        let rest = Array(messages.flatMap(\.bytes).dropFirst(records.plain.count))
        guard !rest.isEmpty || !records.sealed.isEmpty || records.closedReason != nil else { return nil }
        if records.hasBrokenRecord, !mayHaveBroken(direction) {
            return Finding(
                result: .failed("a \(direction.rawValue) record does not open with the recorded secret"), line: nil)
        }
        if let offset = Self.firstDifference(records.sealed, rest) {
            return Finding(
                result: .failed("the \(direction.rawValue) records hold something else than this message"),
                line: line(of: records.plain.count + offset, in: messages))
        }
        if holdsMessage(records.sealed.dropFirst(rest.count)) { return findingOfMore(direction) }
        guard records.sealed.count < rest.count else { return Finding(result: .proven, line: nil) }
        if let reason = reasonForMissing(records) { return Finding(result: .notProven(reason), line: nil) }
        return Finding(
            result: .failed("a \(direction.rawValue) message is in no record"),
            line: line(of: records.plain.count + records.sealed.count, in: messages))
    }

    /// Whether a peer may have sent a record that does not open: whoever receives one breaks the session off with an alert.
    private func mayHaveBroken(_ direction: Direction) -> Bool {
        direction == .received && session.alerts.contains { $0.direction == .sent && $0.code != 0 }
    }

    /// What is said of records that hold more messages than there are lines.
    private func findingOfMore(_ direction: Direction) -> Finding {
        if session.mayLackMessages {
            return Finding(result: .notProven("not all messages are recorded"), line: nil)
        }
        // What a peer sent is read message by message: a session that fails leaves the rest of a record unread.
        if direction == .received, session.secured == nil {
            return Finding(result: .notProven("the session ended before all that was received was read"), line: nil)
        }
        return Finding(
            result: .failed("the \(direction.rawValue) records hold a message that is not among the lines"), line: nil)
    }

    /// Why something that is claimed may be in no record that could be read; nil if it would have to be.
    private func reasonForMissing(_ records: OpenedDirection) -> String? {
        records.closedReason ?? reasonForLackOfRecords
    }

    /// Why not all of the session's records may be here; nil if they should be.
    private var reasonForLackOfRecords: String? {
        if session.mayLackWire { return "not all that was on the wire is recorded" }
        if session.secured == nil || session.recordsTraffic { return nil }
        return "it came after the handshake: such records are recorded with --capture wire"
    }

    /// Whether octets begin with a whole message.
    private func holdsMessage(_ octets: ArraySlice<UInt8>) -> Bool {
        let header = [UInt8](octets.prefix(4))
        guard header.count == 4 else { return false }
        return octets.count >= 4 + (Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3]))
    }

    private static func firstDifference(_ some: [UInt8], _ others: [UInt8]) -> Int? {
        zip(some, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// The line of the message that holds the octet at this place.
    private func line(of offset: Int, in messages: [SessionRecord.Message]) -> Int? {
        var end = 0
        return messages.first { message in
            end += message.bytes.count
            return offset < end
        }?.line
    }

    // MARK: Application data

    /// How many octets of application data came from the peer; nil if the records do not show it.
    var receivedData: UInt64? {
        guard session.recordsTraffic, !session.mayLackWire,
            let records = opened.first(where: { $0.direction == .received })?.records, records.closedReason == nil
        else { return nil }
        return records.applicationOctets
    }

    /// What is claimed of the data of a session whose handshake is over.
    private var dataClaims: [Claim] {
        guard let said = session.secured else { return [] }
        let result: Claim.Result =
            if let receivedData {
                fault(of: receivedData).map { .failed($0) } ?? .proven
            } else if session.recordsTraffic {
                .notProven(reasonForMissing(of: .received) ?? "not all that was on the wire is recorded")
            } else {
                .notProven("whether data came rests on lines alone: its records are recorded with --capture wire")
            }
        return [Claim(.data, session.side, result, line: session.firstData ?? said.line)]
    }

    /// How the lines contradict the data in the records; nil if they do not.
    private func fault(of received: UInt64) -> String? {
        let peer = session.side.rawValue
        if session.firstData != nil, received == 0 { return "no record holds data of the \(peer)'s" }
        if let said = session.dataLength, said > received {
            return "the records hold \(received) octets of the \(peer)'s data, and \(said) are said"
        }
        // A failure may leave what came unread.
        guard !session.isBroken else { return nil }
        if session.firstData == nil, received > 0 {
            return "the records hold data of the \(peer)'s, of which no line tells"
        }
        if let said = session.dataLength, said < received, session.isReadToItsEnd {
            return "the records hold \(received) octets of the \(peer)'s data, and only \(said) are said"
        }
        return nil
    }

    private func reasonForMissing(of direction: Direction) -> String? {
        opened.first { $0.direction == direction }.flatMap { reasonForMissing($0.records) }
    }

    // MARK: Alerts

    /// One claim for each alert, and one for each direction whose records hold more.
    private var alertClaims: [Claim] {
        opened.flatMap { direction, records in
            let told = session.alerts.filter { $0.direction == direction }
            var claims: [Claim] = []
            for (index, alert) in told.enumerated() {
                let result: Claim.Result
                if index < records.alerts.count {
                    let found = records.alerts[index]
                    result =
                        found == (alert.level, alert.code)
                        ? .proven : .failed("the records hold the alert \(TLSNames.alert(found.code)) here")
                } else if let reason = reasonForMissing(alert: index, records) {
                    result = .notProven(reason)
                } else {
                    result = .failed("no record holds this alert")
                }
                claims.append(Claim(.alerts, session.side, result, line: alert.line))
            }
            // Alerts are counted among the messages, of which a recorder keeps so many.
            if let more = records.alerts.dropFirst(told.count).first, !session.mayLackMessages {
                let name = TLSNames.alert(more.code)
                claims.append(
                    Claim(
                        .alerts, session.side,
                        .failed("the \(direction.rawValue) records hold the alert \(name), which no line tells")))
            }
            return claims
        }
    }

    /// Why the alert at this place may be in no record that could be read; nil if it would have to be.
    private func reasonForMissing(alert index: Int, _ records: OpenedDirection) -> String? {
        let isModern = (handshakes.first?.version ?? 0) >= 0x0304
        if isModern || index < records.alerts.count + records.sealedAlerts { return reasonForMissing(records) }
        return reasonForLackOfRecords
    }
}
