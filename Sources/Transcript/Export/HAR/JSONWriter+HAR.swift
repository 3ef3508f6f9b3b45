import Wire

/// An entry of an HTTP archive (HAR 1.2).
extension JSONWriter {
    /// Writes the members of an entry.
    mutating func writeEntry(
        _ exchange: HARExchange, _ connection: HARConnection, missing: HARExchange.Missing?
    ) {
        let timings = exchange.timings
        let making = exchange.making
        let connecting = making.map { $0.connecting &+ ($0.securing ?? 0) }
        key("startedDateTime")
        value(wall: exchange.request.wall)
        member("time", milliseconds: timings.send &+ timings.wait &+ timings.receive &+ (connecting ?? 0))
        key("request")
        write(request: exchange, url: connection.url(of: exchange.request.record))
        key("response")
        write(response: exchange, missing)
        key("cache")
        beginObject()
        endObject()
        key("timings")
        beginObject()
        member("blocked", -1)
        member("dns", -1)
        member("connect", milliseconds: connecting)
        member("send", milliseconds: timings.send)
        member("wait", milliseconds: timings.wait)
        member("receive", milliseconds: timings.receive)
        member("ssl", milliseconds: making?.securing)
        endObject()
        if let address = connection.serverAddress { member("serverIPAddress", address) }
        member("connection", String(connection.number))
        key("_pinproof")
        beginObject()
        member("connection", connection.number)
        member("exchange", exchange.request.record.exchange)
        member("verdict", connection.verdict?.name)
        member("verdictText", connection.verdict?.text)
        member("ja4", connection.ja4)
        endObject()
    }

    private mutating func write(request exchange: HARExchange, url: String) {
        let head = exchange.request.record
        beginObject()
        member("method", head.method ?? "")
        member("url", url)
        writeCommonMembers(of: head, exchange.requestOctets)
        key("queryString")
        beginArray()
        for (name, text) in Self.query(of: head.target ?? "") { write(pair: name, text) }
        endArray()
        endObject()
    }

    private mutating func write(response exchange: HARExchange, _ missing: HARExchange.Missing?) {
        let head = exchange.response?.record
        beginObject()
        // What never came is written as browsers write it.
        member("status", head?.status ?? 0)
        member("statusText", "")
        if let head {
            writeCommonMembers(of: head, exchange.responseOctets)
        } else {
            writeCommonMembers(of: ObservedHead(sender: .origin, exchange: 0, version: "", fields: [], length: 0), nil)
        }
        key("content")
        beginObject()
        write("size", octets: head == nil ? 0 : exchange.responseOctets)
        member("mimeType", head?.fields.values(named: "content-type").first ?? "")
        endObject()
        member("redirectURL", head?.fields.values(named: "location").first ?? "")
        // Status 0 alone would say that no response came.
        switch missing {
        case .notFollowed: member("comment", "Pinproof did not follow the responses of this connection to the end")
        case .notAwaited: member("comment", "written before the response came")
        case .unanswered, nil: break
        }
        endObject()
    }

    /// Writes what requests and responses have alike.
    ///
    /// Cookies are secrets, which are redacted where they are recorded.
    private mutating func writeCommonMembers(of head: ObservedHead, _ octets: UInt64?) {
        member("httpVersion", Self.version(head.version))
        key("cookies")
        beginArray()
        endArray()
        key("headers")
        beginArray()
        for field in head.fields { write(pair: field.name, field.value) }
        endArray()
        key("headersSize")
        if head.length > 0 { value(head.length) } else { value(-1) }
        write("bodySize", octets: octets)
    }

    /// Writes how much content there was; -1 if that is not known.
    private mutating func write(_ name: StaticString, octets: UInt64?) {
        key(name)
        if let octets { value(octets) } else { value(-1) }
    }

    private mutating func write(pair name: String, _ text: String) {
        beginObject()
        member("name", name)
        member("value", text)
        endObject()
    }

    /// Writes a member that is a duration in milliseconds, given in nanoseconds; -1 if it does not apply.
    private mutating func member(_ name: StaticString, milliseconds nanoseconds: UInt64?) {
        key(name)
        guard let nanoseconds else { return value(-1) }
        value(nanoseconds / 1_000_000)
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: nanoseconds / 1000 % 1000, width: 3)
    }

    /// The version of HTTP as messages write it.
    private static func version(_ name: String) -> String {
        switch name {
        case "h2": "HTTP/2"
        case "http/1.0": "HTTP/1.0"
        case "http/1.1": "HTTP/1.1"
        default: name
        }
    }

    /// The parameters of a target's query as they were sent, without any decoding.
    private static func query(of target: String) -> [(name: String, text: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return target[target.utf8.index(after: mark)...].split(separator: "&").map { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (String(pair), "") }
            return (String(pair[..<equals]), String(pair[pair.utf8.index(after: equals)...]))
        }
    }
}
