public import Transcript
import Wire

/// `transcript show --json` and `transcript diff --json`; the fields: `docs/TRANSCRIPTS.md`.
extension JSONReport {
    /// The line of a connection in a list, without a newline.
    public func line(for listed: ListedConnection) -> String {
        let line = listed.line
        return object("listed") { json in
            json.member("connection", line.connection)
            json.key("closed")
            if listed.isOpen { json.null() } else { json.value(wall: line.wall) }
            json.member("client", line.client)
            json.writeMembers(of: line.endpoint)
            json.member("stack", line.stack)
            json.member("decision", line.decision)
            json.member("phase", line.phase)
            json.member("version", line.clientSession.map { TLSNames.version($0.version) })
            json.member("alpn", line.clientSession?.alpn)
            json.member("verdict", listed.judgement?.name)
            json.member("text", listed.judgement?.text)
            json.member("evidence", listed.evidence)
            json.member("failure", line.failure?.code)
            json.member("clientBytes", listed.isOpen ? nil : line.closed.clientBytes)
            json.member("originBytes", listed.isOpen ? nil : line.closed.originBytes)
            json.member("nanoseconds", listed.isOpen ? nil : line.closed.nanoseconds)
        }
    }

    /// The line of something that differs between two handshakes, without a newline.
    public func line(for difference: HandshakeDifference) -> String {
        object("difference") { json in
            json.member("part", difference.part)
            json.member("what", difference.what)
            for (name, values) in [("a", difference.first), ("b", difference.second)] as [(StaticString, [String])] {
                json.key(name)
                json.beginArray()
                for value in values { json.value(value) }
                json.endArray()
            }
            json.member("information", difference.isInformation)
        }
    }
}
