import Wire

/// The requests and responses of a transcript as an HTTP archive (HAR 1.2): an entry for every request.
///
/// Heads only: what is in them that is a secret was redacted when it was recorded. Entries of a connection wait for its
/// verdict, up to a limit.
package struct HARExport: TranscriptExport {
    private let tool: String
    private var open = OpenConnections<HARConnection>(limit: openLimit)
    private var missing = MissingEvents()
    private var entries = 0
    private var strayResponses = 0
    private var unanswered = 0
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
            missing.add(event)
            return
        }
        switch event.kind {
        case .opened:
            open.insert(HARConnection(number: connection, missingBefore: missing.places), for: connection)
        case .closed(let closed):
            guard var closing = open.remove(connection) else { return }
            if missing.places == closing.missingBefore { closing.settleWhatWasCutOff(closed) }
            write(&closing, into: &output)
        case .head(let head) where open[connection] == nil && head.method != nil:
            // Its beginning is lost, and it is a request all the same.
            open.insert(HARConnection(number: connection), for: connection)
            fallthrough
        default:
            var strays = 0
            var overflowing: HARConnection?
            open.update(connection) {
                strays = $0.note(event) ? 0 : 1
                if $0.isOverLimit {
                    overflowing = $0
                    $0.open = [:]
                    $0.complete = []
                }
            }
            strayResponses += strays
            if var overflowing { write(&overflowing, into: &output) }
        }
    }

    package mutating func finish(into output: inout [UInt8]) {
        for (number, connection) in open.all {
            var connection = connection
            write(&connection, into: &output)
            _ = open.remove(number)
        }
        output.append(contentsOf: "\n]}}\n")
    }

    package var isEmpty: Bool { entries == 0 && open.all.allSatisfy { !$0.state.hasRequests } }

    package var remarks: [String] {
        var remarks: [String] = []
        if unanswered > 0 { remarks.append("\(unanswered.counting("request")) without a response: status 0") }
        if strayResponses > 0 {
            remarks.append("\(strayResponses.counting("response")) whose request is not in the transcript left out")
        }
        if lost > 0 { remarks.append("\(lost) events are missing in the transcript: what they held is missing here") }
        return remarks
    }

    /// Writes the entries of a connection, in the order of their requests.
    private mutating func write(_ connection: inout HARConnection, into output: inout [UInt8]) {
        let all = (connection.complete + connection.open.values).sorted {
            ($0.request.monotonic, $0.request.record.exchange) < ($1.request.monotonic, $1.request.record.exchange)
        }
        for exchange in all {
            output.append(contentsOf: entries == 0 ? "\n" : ",\n")
            JSONWriter.appendObject(to: &output) { $0.writeEntry(exchange, connection) }
            entries += 1
            if exchange.response == nil { unanswered += 1 }
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
            guard open[head.exchange] != nil else { return false }
            // 101 is the last of its exchange (RFC 9110 section 15.2.2).
            if let status = head.status, !(100..<200 ~= status) || status == 101 {
                open[head.exchange]?.response = HARExchange.Head(
                    record: head, monotonic: event.monotonic, wall: event.wall)
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

    /// Whether so much waits that it has to be written before the verdict is known.
    fileprivate var isOverLimit: Bool { open.count + complete.count > 1000 }

    private mutating func begin(_ head: HARExchange.Head) {
        // A number that comes again belongs to a request of its own.
        if let former = open.removeValue(forKey: head.record.exchange) { complete.append(former) }
        open[head.record.exchange] = HARExchange(request: head, making: hasRequests ? nil : making)
        hasRequests = true
    }

    private mutating func settle(_ exchange: UInt64) {
        guard let settled = open[exchange], settled.isComplete else { return }
        complete.append(settled)
        open[exchange] = nil
    }
}
