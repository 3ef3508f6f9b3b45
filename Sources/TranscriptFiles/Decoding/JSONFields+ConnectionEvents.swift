internal import Transcript

extension JSONFields {
    /// Reads an event of a connection that is not about a TLS session; nil if the name is none's.
    func connectionEvent(_ name: String) throws(LineFault) -> Event.Kind? {
        switch name {
        case "opened": .opened(client: try text("client"), listener: try text("listener"))
        case "requested":
            .requested(method: try text("method"), target: try text("target"), endpoint: try endpoint())
        case "phase": .phase(try term("phase"), authority: try optionalText("authority"))
        case "decided": .decided(try term("decision"), rule: try optionalText("rule"))
        case "connected": .connected(origin: try text("origin"), nanoseconds: try number("nanoseconds"))
        case "withheldHTTP2": .withheldHTTP2(after: try optionalEnd("end"), offered: try texts("offered"))
        case "notTLS": .notTLS(try term("content"))
        case "framing": .framing(try term("side"), try term("oddity"))
        case "firstData": .firstData(try term("side"))
        case "firstRequest": .firstRequest(protocol: try text("protocol"))
        case "answered": .answered(status: try number("status"), reason: try text("reason"))
        case "ended": .ended(try term("side"), try end("end"), try term("phase"))
        case "failed": .failed(try failure())
        case "closed": .closed(try closed())
        default: nil
        }
    }
}
