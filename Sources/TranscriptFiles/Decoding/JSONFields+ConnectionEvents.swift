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
        case "connected":
            .connected(
                origin: try text("origin"), nanoseconds: try number("nanoseconds"),
                // Younger than the format.
                local: has("local") ? try optionalText("local") : nil)
        case "withheldHTTP2": .withheldHTTP2(after: try optionalEnd("end"), offered: try texts("offered"))
        case "notTLS": .notTLS(try term("content"))
        case "framing": .framing(try term("side"), try term("oddity"))
        case "firstData": .firstData(try term("side"))
        case "firstRequest": .firstRequest(protocol: try text("protocol"))
        case "answered": .answered(status: try number("status"), reason: try text("reason"))
        case "ended": .ended(try term("side"), try end("end"), try term("phase"))
        case "head": .head(try httpHead())
        case "contentEnded":
            .contentEnded(try term("side"), exchange: try number("exchange"), bytes: try number("bytes"))
        case "headsStopped": .headsStopped(try term("side"), try term("reason"))
        case "data": .data(try term("side"), offset: try number("offset"), try base64("bytes"))
        case "verdict": .verdict(RecordedVerdict(name: try text("verdict"), text: try text("text")))
        case "failed": .failed(try failure())
        case "closed": .closed(try closed())
        default: nil
        }
    }
}
