public import Transcript
import Wire

/// The live view and the summary as JSON Lines, for `--json`; the fields: `docs/events.md`.
public struct JSONReport: Sendable {
    /// Creates a report; it keeps nothing between lines.
    public init() {}

    /// The line of a connection that closed, without a newline.
    public func line(for line: ConnectionLine) -> String {
        object("connection") { json in
            json.key("time")
            json.value(wall: line.wall)
            json.member("connection", line.connection)
            json.member("client", line.client)
            json.member("target", line.target)
            json.writeMembers(of: line.endpoint)
            json.member("decision", line.decision)
            json.member("rule", line.rule)
            json.member("serverName", line.serverName)
            json.member("withheldHTTP2", line.withheldHTTP2)
            json.member("notTLS", line.content)
            json.member("clientSession", line.clientSession)
            json.member("originSession", line.originSession)
            json.member("originProof", line.originProof)
            json.member("mirroredFaults", line.mirroredFaults)
            json.member("answered", line.answered)
            json.member("phase", line.phase)
            json.member("verdict", line.judgement?.name)
            json.member("verdictText", line.judgement?.text)
            json.key("failure")
            if let failure = line.failure {
                json.beginObject()
                json.writeMembers(of: failure)
                json.endObject()
            } else {
                json.null()
            }
            json.key("closed")
            json.beginObject()
            json.writeMembers(of: line.closed)
            json.endObject()
        }
    }

    /// The line that says that nobody is accepted for the time being, or is again; nil for other events.
    public func line(for event: Event) -> String? {
        switch event.kind {
        case .acceptingPaused(let limit):
            object("accepting") { json in
                json.key("time")
                json.value(wall: event.wall)
                json.member("paused", true)
                json.writeMembers(of: limit)
            }
        case .acceptingResumed(let nanoseconds):
            object("accepting") { json in
                json.key("time")
                json.value(wall: event.wall)
                json.member("paused", false)
                json.member("nanoseconds", nanoseconds)
            }
        default: nil
        }
    }

    /// The lines of a summary, without newlines: one for each host, then one for the run.
    public func lines(for summary: RunSummary) -> [String] {
        let run = object("run") { json in
            json.member("connections", summary.connections)
            json.member("open", summary.openConnections)
            json.member("hosts", summary.hostCount)
            json.member("lost", summary.lost)
        }
        return summary.hosts.map(line) + [run]
    }

    private func line(for host: HostSummary) -> String {
        object("host") { json in
            json.member("host", host.host)
            json.member("connections", host.connections)
            json.member("intercepted", host.intercepted)
            json.member("tunnelled", host.tunnelled)
            json.member("refused", host.refused)
            json.member("answeredByRule", host.answeredByRule)
            json.member("answered", host.answered)
            json.member("clientHandshakes", host.clientHandshakes)
            json.member("originHandshakes", host.originHandshakes)
            json.member("mirrored", host.mirrored)
            json.member("mirroredFaults", host.sortedMirroredFaults)
            json.member("identityRequests", host.identityRequests)
            json.member("identitiesGiven", host.identitiesGiven)
            json.member("identitiesTaken", host.identitiesTaken)
            json.member("withheldHTTP2", host.withheldHTTP2)
            json.key("notTLS")
            json.beginArray()
            for content in TunnelContent.allCases {
                guard let count = host.contents[content] else { continue }
                json.beginObject()
                json.member("content", content)
                json.member("count", count)
                json.endObject()
            }
            json.endArray()
            json.key("clientAlerts")
            json.beginArray()
            for alert in host.sortedAlerts {
                json.beginObject()
                json.member("code", alert.code)
                json.member("name", TLSNames.alert(alert.code))
                json.member("count", alert.count)
                json.endObject()
            }
            json.endArray()
            json.key("failures")
            json.beginArray()
            for (code, failures) in host.sortedFailures {
                json.beginObject()
                json.member("code", code)
                json.member("count", failures.count)
                json.member("lastDetail", failures.lastDetail)
                json.endObject()
            }
            json.endArray()
            json.member("clientBytes", host.clientBytes)
            json.member("originBytes", host.originBytes)
        }
    }

    func object(_ record: StaticString, _ body: (inout JSONWriter) -> Void) -> String {
        var bytes: [UInt8] = []
        JSONWriter.appendObject(to: &bytes) { json in
            json.key("record")
            json.value(fixed: record)
            body(&json)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes what a handshake agreed on, or null if there was none.
    fileprivate mutating func member(_ name: StaticString, _ session: ConnectionLine.Session?) {
        key(name)
        guard let session else { return null() }
        beginObject()
        member("version", TLSNames.version(session.version))
        member("alpn", session.alpn)
        endObject()
    }
}
