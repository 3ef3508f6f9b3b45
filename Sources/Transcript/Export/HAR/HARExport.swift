import Wire

/// The requests and responses of a transcript as an HTTP archive (HAR 1.2): an entry for every request.
///
/// Heads only: what is in them that is a secret was redacted when it was recorded. Entries of a connection wait for its
/// verdict, up to a limit.
package struct HARExport: TranscriptExport {
    private let tool: String
    private var open = OpenConnections<HARConnection>(limit: openLimit)
    private var gaps = MissingEvents()
    private var entries = 0
    private var strayResponses = 0
    private var missing: [HARExchange.Missing: Int] = [:]
    private var stoppedConnections = 0
    private var stops: Set<HTTPHeadStop> = []
    private var lost: UInt64 = 0

    /// Starts with nothing.
    ///
    /// - Parameter tool: The version of Pinproof that makes the archive.
    package init(tool: String) { self.tool = tool }

    package mutating func begin(into output: inout [UInt8]) {
        output.append(contentsOf: #"{"log":{"version":"1.2","creator":"#)
        JSONWriter.appendObject(to: &output) { creator in
            creator.member("name", "Pinproof")
            creator.member("version", tool)
        }
        output.append(contentsOf: #","entries":["#)
    }

    package mutating func add(_ event: Event, into output: inout [UInt8]) {
        if case .gap(let count) = event.kind { lost = lost.addingSaturated(count) }
        guard let connection = event.connection else {
            gaps.add(event)
            return
        }
        switch event.kind {
        case .opened:
            open.insert(HARConnection(number: connection, missingBefore: gaps.places), for: connection)
            return
        case .closed(let closed):
            guard var closing = open.remove(connection) else { return }
            if gaps.places == closing.missingBefore { closing.settleWhatWasCutOff(closed) }
            return write(closing.exchanges, of: closing, into: &output)
        case .head(let head) where open[connection] == nil && head.method != nil:
            // Its beginning is lost, and it is a request all the same.
            open.insert(HARConnection(number: connection), for: connection)
        case .headsStopped(_, let reason):
            if open[connection]?.isStopped != true { stoppedConnections += 1 }
            stops.insert(reason)
        default: break
        }
        note(event, of: connection, into: &output)
    }

    private mutating func note(_ event: Event, of connection: UInt64, into output: inout [UInt8]) {
        var due: [HARExchange] = []
        open.update(connection) {
            if !$0.note(event) { strayResponses += 1 }
            due = $0.takeOverflow()
        }
        if !due.isEmpty, let state = open[connection] { write(due, of: state, isOverflow: true, into: &output) }
    }

    package mutating func finish(into output: inout [UInt8]) {
        for (number, connection) in open.all {
            write(connection.exchanges, of: connection, into: &output)
            _ = open.remove(number)
        }
        output.append(contentsOf: "\n]}}\n")
    }

    package var isEmpty: Bool { entries == 0 && open.all.allSatisfy { !$0.state.hasRequests } }

    package var remarks: [String] {
        var remarks: [String] = []
        let explained: [(HARExchange.Missing, String)] = [
            (.unanswered, "without a response: status 0"),
            (.notFollowed, "whose response was not followed: status 0, and a comment"),
            (.notAwaited, "written before the response came, for too many waited: status 0, and a comment"),
        ]
        for (reason, text) in explained {
            if let count = missing[reason] { remarks.append("\(count.counting("request")) \(text)") }
        }
        if stoppedConnections > 0 {
            let reasons = stops.map(\.rawValue).sorted().joined(separator: ", ")
            remarks.append(
                "heads of \(stoppedConnections.counting("connection")) were not followed to the end (\(reasons)): "
                    + "requests may be missing")
        }
        if strayResponses > 0 {
            remarks.append("\(strayResponses.counting("response")) whose request is not in the transcript left out")
        }
        if lost > 0 { remarks.append("\(lost) events are missing in the transcript: what they held is missing here") }
        return remarks
    }

    /// Writes entries of a connection, in the order of their requests.
    private mutating func write(
        _ exchanges: [HARExchange], of connection: HARConnection, isOverflow: Bool = false, into output: inout [UInt8]
    ) {
        let sorted = exchanges.sorted {
            ($0.request.monotonic, $0.request.record.exchange) < ($1.request.monotonic, $1.request.record.exchange)
        }
        for exchange in sorted {
            let missing: HARExchange.Missing? =
                exchange.response != nil
                ? nil : connection.responsesStopped ? .notFollowed : isOverflow ? .notAwaited : .unanswered
            output.append(contentsOf: entries == 0 ? "\n" : ",\n")
            JSONWriter.appendObject(to: &output) { $0.writeEntry(exchange, connection, missing: missing) }
            entries += 1
            if let missing { self.missing[missing, default: 0] += 1 }
        }
    }
}

extension HARConnection {
    /// Takes the next event into account; false if it is a response without a request.
    fileprivate mutating func note(_ event: Event) -> Bool {
        switch event.kind {
        case .requested(_, _, let endpoint):
            self.endpoint = endpoint
        case .connected(let origin, let nanoseconds, _):
            serverAddress = PacketAddress(origin).flatMap { HostName(addressBytes: $0.octets) }?.text
            making = Making(connecting: nanoseconds, securing: nil)
            connected = event.monotonic
        case .secured(.origin, _):
            if let connected, event.monotonic >= connected { making?.securing = event.monotonic - connected }
        case .hello(let record):
            ja4 = record.ja4.clipped
        case .verdict(let verdict):
            self.verdict = RecordedVerdict(name: verdict.name.clipped, text: verdict.text.clipped)
        case .head(let head) where head.method != nil:
            accounts[.client]?.add(head)
            begin(HARExchange.Head(record: head, monotonic: event.monotonic, wall: event.wall))
        case .head(let head):
            accounts[.origin]?.add(head)
            guard open[head.exchange] != nil else { return hasOverflowed }
            // 101 is the last of its exchange (RFC 9110 section 15.2.2).
            if let status = head.status, !(100..<200 ~= status) || status == 101 {
                size -= open[head.exchange]?.size ?? 0
                open[head.exchange]?.response = HARExchange.Head(
                    record: head, monotonic: event.monotonic, wall: event.wall)
                size += open[head.exchange]?.size ?? 0
            }
            settle(head.exchange)
        case .contentEnded(let side, let exchange, let octets):
            accounts[side]?.end(exchange, octets: octets)
            let content = HARExchange.Content(octets: octets, monotonic: event.monotonic)
            if side == .client {
                open[exchange]?.requestContent = content
            } else {
                open[exchange]?.responseContent = content
            }
            settle(exchange)
        case .headsStopped(let side, _):
            isStopped = true
            if side == .origin { responsesStopped = true }
        default:
            break
        }
        return true
    }

    /// Notes how much came of the messages that were not over when the connection was.
    fileprivate mutating func settleWhatWasCutOff(_ closed: Closed) {
        if let (exchange, octets) = accounts[.client]?.remainder(of: closed.clientBytes) {
            open[exchange]?.partialRequest = octets
        }
        if let (exchange, octets) = accounts[.origin]?.remainder(of: closed.originBytes) {
            open[exchange]?.partialResponse = octets
        }
    }

    /// What waits.
    fileprivate var exchanges: [HARExchange] { complete + open.values }

    /// Takes out what has to be written before the verdict is known, because so much waits: what is complete, and
    /// requests without a response only if there are more of them than are ever followed, or their heads are very large.
    fileprivate mutating func takeOverflow() -> [HARExchange] {
        let isOpenOverLimit = open.count > Self.openLimit || size > Self.sizeLimit
        guard isOpenOverLimit || complete.count > Self.completeLimit else { return [] }
        let due = isOpenOverLimit ? exchanges : complete
        if isOpenOverLimit {
            hasOverflowed = true
            open = [:]
        }
        complete = []
        size = open.values.reduce(0) { $0 + $1.size }
        return due
    }

    private static let completeLimit = 1000
    private static let openLimit = 4097
    private static let sizeLimit = 64 << 20

    private mutating func begin(_ head: HARExchange.Head) {
        // A number that comes again belongs to a request of its own.
        if let former = open.removeValue(forKey: head.record.exchange) { complete.append(former) }
        let exchange = HARExchange(request: head, making: hasRequests ? nil : making)
        size += exchange.size
        open[head.record.exchange] = exchange
        hasRequests = true
    }

    private mutating func settle(_ exchange: UInt64) {
        guard let settled = open[exchange], settled.isComplete else { return }
        complete.append(settled)
        open[exchange] = nil
    }
}
