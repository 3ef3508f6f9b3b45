import Wire

/// Turns events into the lines of a transcript: one JSON object and a newline for each.
///
/// The fields of every event, and what readers may rely on: `docs/events.md`. The members of a line always come in
/// the same order. Derived `Codable` is not used: this runs some twenty times for every connection.
public struct EventEncoder: Sendable {
    /// Creates an encoder; it keeps nothing between events.
    public init() {}

    /// Appends the line of `event` to `buffer`.
    public func encode(_ event: Event, into buffer: inout [UInt8]) {
        JSONWriter.appendObject(to: &buffer) { line in
            line.member("t", event.monotonic)
            line.key("time")
            line.value(wall: event.wall)
            line.member("connection", event.connection)
            line.key("event")
            line.write(event.kind)
        }
        buffer.append(UInt8(ascii: "\n"))
    }
}

extension JSONWriter {
    /// Writes the name of the event and then its members.
    fileprivate mutating func write(_ kind: Event.Kind) {
        switch kind {
        case .runStarted(let run):
            value(fixed: "runStarted")
            writeMembers(of: run)
        case .runEnded(let run):
            value(fixed: "runEnded")
            member("connections", run.connections)
            member("lost", run.lost)
        case .gap(let lost):
            value(fixed: "gap")
            member("lost", lost)
        case .acceptingPaused(let limit):
            value(fixed: "acceptingPaused")
            writeMembers(of: limit)
        case .acceptingResumed(let nanoseconds):
            value(fixed: "acceptingResumed")
            member("nanoseconds", nanoseconds)
        case .commandStarted(let command):
            value(fixed: "commandStarted")
            writeMembers(of: command)
        case .commandEnded(let command):
            value(fixed: "commandEnded")
            writeMembers(of: command)
        case .opened(let client, let listener):
            value(fixed: "opened")
            member("client", client)
            member("listener", listener)
        case .requested(let method, let target, let endpoint):
            value(fixed: "requested")
            member("method", method)
            member("target", target)
            writeMembers(of: endpoint)
        case .phase(let phase, let authority):
            value(fixed: "phase")
            member("phase", phase)
            member("authority", authority)
        case .decided(let decision, let rule):
            value(fixed: "decided")
            member("decision", decision)
            member("rule", rule)
        case .connected(let origin, let nanoseconds):
            value(fixed: "connected")
            member("origin", origin)
            member("nanoseconds", nanoseconds)
        case .withheldHTTP2(let end, let offered):
            value(fixed: "withheldHTTP2")
            member("end", end)
            member("offered", offered)
        case .notTLS(let content):
            value(fixed: "notTLS")
            member("content", content)
        case .hello(let record):
            value(fixed: "hello")
            writeMembers(of: record)
        case .wire(let side, let direction, let bytes):
            value(fixed: "wire")
            writeMembers(side, direction)
            member("bytes", base64: bytes)
        case .message(let side, let direction, let bytes):
            value(fixed: "message")
            writeMembers(side, direction)
            // The first octet of a handshake message is its type (RFC 8446 section 4).
            member("type", bytes.first)
            member("name", bytes.first.map(TLSNames.handshakeMessage))
            member("bytes", base64: bytes)
        case .alert(let side, let direction, let level, let code):
            value(fixed: "alert")
            writeMembers(side, direction)
            member("level", level)
            member("code", code)
            member("name", TLSNames.alert(code))
        case .certificate(let digest, let der):
            value(fixed: "certificate")
            member("digest", digest)
            member("der", base64: der)
        case .chain(let side, let digests):
            value(fixed: "chain")
            member("side", side)
            member("digests", digests)
        case .issuerFetched(let fetched):
            value(fixed: "issuerFetched")
            member("url", fetched.url)
            member("digests", fetched.digests)
            member("fromCache", fetched.fromCache)
            member("fault", fetched.fault)
        case .identity(let exchange):
            value(fixed: "identity")
            member("side", exchange.side)
            member("authorities", exchange.authorities)
            member("chain", exchange.chain)
            member("source", exchange.source)
            member("fault", exchange.fault)
        case .forged(let host, let digest, let key, let fromCache, let mirrors):
            value(fixed: "forged")
            member("host", host)
            member("digest", digest)
            member("key", key)
            member("fromCache", fromCache)
            member("mirroredFaults", mirrors)
        case .secured(let side, let parameters):
            value(fixed: "secured")
            member("side", side)
            writeMembers(of: parameters)
        case .framing(let side, let oddity):
            value(fixed: "framing")
            member("side", side)
            member("oddity", oddity)
        case .firstData(let side):
            value(fixed: "firstData")
            member("side", side)
        case .firstRequest(let name):
            value(fixed: "firstRequest")
            member("protocol", name)
        case .answered(let status, let reason):
            value(fixed: "answered")
            member("status", status)
            member("reason", reason)
        case .ended(let side, let end, let phase):
            value(fixed: "ended")
            member("side", side)
            member("end", end)
            member("phase", phase)
        case .failed(let failure):
            value(fixed: "failed")
            writeMembers(of: failure)
        case .closed(let closed):
            value(fixed: "closed")
            writeMembers(of: closed)
        }
    }
}
