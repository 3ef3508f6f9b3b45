import Wire

/// Turns events into the lines of a transcript: one JSON object and a newline for each.
///
/// The fields of every event, and what readers may rely on: `docs/events.md`. The members of a line always come in
/// the same order. Derived `Codable` is not used: this runs some twenty times for every connection.
public struct EventEncoder: Sendable {
    /// Creates an encoder; it keeps nothing between events.
    public init() {}

    /// What the end of a line says of the line before it.
    public enum Link: Sendable {
        /// Nothing: the line stands alone.
        case none
        /// There is none before it in the run.
        case first
        /// Its digest, the SHA-256 of its octets without the newline.
        case after([UInt8])
    }

    /// Appends the line of `event` to `buffer`.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - link: What the line says of the one before it.
    ///   - buffer: What is appended to.
    public func encode(_ event: Event, link: Link = .none, into buffer: inout [UInt8]) {
        JSONWriter.appendObject(to: &buffer) { line in
            line.member("t", event.monotonic)
            line.key("time")
            line.value(wall: event.wall)
            line.member("connection", event.connection)
            line.key("event")
            line.write(event.kind)
            switch link {
            case .none: break
            case .first: line.member("previous", String?.none)
            case .after(let digest): line.member("previous", hexadecimal: digest)
            }
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
        case .runContinued(let run):
            value(fixed: "runContinued")
            writeMembers(of: run.run)
            member("file", run.file)
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
        case .connected(let origin, let nanoseconds, let local):
            value(fixed: "connected")
            member("origin", origin)
            member("nanoseconds", nanoseconds)
            member("local", local)
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
        case .originHello(let record):
            value(fixed: "originHello")
            writeMembers(of: record)
        case .serverHello(let side, let record):
            value(fixed: "serverHello")
            member("side", side)
            writeMembers(of: record)
        case .traffic(let side, let direction, let offset, let bytes):
            value(fixed: "traffic")
            writeMembers(side, direction)
            member("offset", offset)
            member("bytes", base64: bytes)
        case .secret(let side, let secret):
            value(fixed: "secret")
            member("side", side)
            member("label", secret.label)
            member("clientRandom", hexadecimal: secret.clientRandom)
            member("secret", hexadecimal: secret.secret)
        case .head(let head):
            value(fixed: "head")
            writeMembers(of: head)
        case .contentEnded(let side, let exchange, let bytes):
            value(fixed: "contentEnded")
            member("side", side)
            member("exchange", exchange)
            member("bytes", bytes)
        case .headsStopped(let side, let reason):
            value(fixed: "headsStopped")
            member("side", side)
            member("reason", reason)
        case .data(let side, let offset, let bytes):
            value(fixed: "data")
            member("side", side)
            member("offset", offset)
            member("bytes", base64: bytes)
        case .verdict(let verdict):
            value(fixed: "verdict")
            member("verdict", verdict.name)
            member("text", verdict.text)
        case .wire(let side, let direction, let bytes):
            value(fixed: "wire")
            writeMembers(side, direction)
            member("bytes", base64: bytes)
        case .message(let side, let direction, let bytes, let version):
            value(fixed: "message")
            writeMembers(side, direction)
            // The first octet of a handshake message is its type (RFC 8446 section 4).
            member("type", bytes.first)
            member("name", bytes.first.map(TLSNames.handshakeMessage))
            member("version", protocolNumber: version)
            member("decoded", version.flatMap { try? HandshakeMessage(bytes, version: $0) })
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
