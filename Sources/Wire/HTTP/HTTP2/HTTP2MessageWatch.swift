/// Follows the messages of an HTTP/2 connection by copies of their bytes (RFC 9113 section 8.1).
///
/// The directions share nothing but the streams and the settings, so that one of them can be followed without the other.
struct HTTP2MessageWatch {
    /// A head, or the end of a message's content.
    enum Observation {
        /// The fields of a head, pseudo-fields included; the head of a promised request comes from the origin.
        case head(HTTPSender, stream: UInt32, fields: [HTTPHeader], length: Int)
        /// The content of a message, of which so many octets came, padding not counted.
        case contentEnded(HTTPSender, stream: UInt32, bytes: UInt64)
        /// A side's messages cannot be followed any further.
        case stopped(HTTPSender, HTTPHeadStop)
    }

    /// One side's message on a stream.
    private struct Half {
        /// Whether its head has come: what follows are trailers.
        var hasHead = false
        var hasEnded = false
        var bytes: UInt64 = 0
    }

    private struct Stream {
        var client = Half()
        var origin = Half()

        subscript(_ sender: HTTPSender) -> Half {
            get { sender == .client ? client : origin }
            set { if sender == .client { client = newValue } else { origin = newValue } }
        }
    }

    private var client = HTTP2Direction(.client)
    private var origin = HTTP2Direction(.origin)
    /// The streams from their requests on to the end of both messages, or their reset.
    private var streams: [UInt32: Stream] = [:]

    /// Whether anything can be followed any further.
    var isWatching: Bool { client.isWatching || origin.isWatching }

    /// Takes the next bytes of a side.
    ///
    /// - Returns: What they complete.
    mutating func observe(_ sender: HTTPSender, _ bytes: UnsafeRawBufferPointer) -> [Observation] {
        var rest = bytes
        var found: [Observation] = []
        while self[sender].isWatching, !rest.isEmpty {
            do throws(HTTPHeadStop) {
                let (taken, frame) = try self[sender].read(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken))
                if let frame { try take(frame, from: sender, &found) }
            } catch {
                self[sender].isWatching = false
                found.append(.stopped(sender, error))
            }
        }
        return found
    }

    private subscript(_ sender: HTTPSender) -> HTTP2Direction {
        get { sender == .client ? client : origin }
        _modify { if sender == .client { yield &client } else { yield &origin } }
    }

    private mutating func take(
        _ frame: HTTP2ObservedFrame, from sender: HTTPSender, _ found: inout [Observation]
    ) throws(HTTPHeadStop) {
        switch frame.kind {
        case .headers, .pushPromise, .continuation:
            guard let section = try self[sender].takeBlock(frame) else { return }
            take(section, from: sender, &found)
            return
        case .data:
            try self[sender].requireNoBlock()
            let count = try HTTPHeadStop.wellFormed(try frame.contentLength())
            streams[frame.stream]?[sender].bytes &+= UInt64(count)
            if frame.endsStream { end(frame.stream, sender, &found) }
        case .resetStream:
            try self[sender].requireNoBlock()
            streams[frame.stream] = nil
        case .settings:
            try self[sender].requireNoBlock()
            try takeSettings(frame, from: sender)
        case .priority, .ping, .goAway, .windowUpdate, nil:
            try self[sender].requireNoBlock()
        }
    }

    private mutating func take(
        _ section: HTTP2Direction.FieldSection, from sender: HTTPSender, _ found: inout [Observation]
    ) {
        if let promised = section.promised {
            found.append(.head(sender, stream: promised, fields: section.fields, length: section.length))
            // What is promised has no content (section 8.4.1).
            open(promised, with: Half(hasHead: true, hasEnded: true))
            return
        }
        let number = section.stream
        if streams[number]?[sender].hasHead != true, let start = HTTP2MessageStart(section.fields, from: sender) {
            found.append(.head(sender, stream: number, fields: section.fields, length: section.length))
            if sender == .client { open(number, with: Half(hasHead: true)) }
            if start == .final { streams[number]?[sender].hasHead = true }
        }
        if section.endsStream { end(number, sender, &found) }
    }

    /// Of more streams than are followed the heads are told of, but not how much content they have.
    private mutating func open(_ number: UInt32, with request: Half) {
        guard streams.count < HTTPHeadBounds.waiting, streams[number] == nil else { return }
        streams[number] = Stream(client: request)
    }

    private mutating func end(_ number: UInt32, _ sender: HTTPSender, _ found: inout [Observation]) {
        guard var stream = streams[number], stream[sender].hasHead, !stream[sender].hasEnded else { return }
        found.append(.contentEnded(sender, stream: number, bytes: stream[sender].bytes))
        stream[sender].hasEnded = true
        streams[number] = stream.client.hasEnded && stream.origin.hasEnded ? nil : stream
    }

    /// What a side allows counts for the other's encoder from its acknowledgement on.
    private mutating func takeSettings(_ frame: HTTP2ObservedFrame, from sender: HTTPSender) throws(HTTPHeadStop) {
        guard frame.isAcknowledgement else { return try self[sender].announce(frame) }
        let other: HTTPSender = sender == .client ? .origin : .client
        self[sender].allowTables(self[other].acknowledged())
    }
}

/// What a field section begins, which is no trailer section (RFC 9113 section 8.1).
private enum HTTP2MessageStart {
    /// An interim response: another head follows.
    case interim
    /// A request, or a final response.
    case final

    /// Looks for the pseudo-field that every head has; nil if it is not there.
    init?(_ fields: [HTTPHeader], from sender: HTTPSender) {
        switch sender {
        case .client:
            guard fields.contains(where: { $0.name == ":method" }) else { return nil }
            self = .final
        case .origin:
            guard let status = fields.first(where: { $0.name == ":status" })?.value else { return nil }
            self = status.utf8.count == 3 && status.hasPrefix("1") ? .interim : .final
        }
    }
}
