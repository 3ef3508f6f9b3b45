internal import Transcript
internal import Wire

/// Heads of HTTP messages.
extension JSONFields {
    /// Reads a head that was observed.
    func httpHead() throws(LineFault) -> ObservedHead {
        let side: Side = try term("side")
        return ObservedHead(
            sender: side.sender, exchange: try number("exchange"), version: try text("version"),
            method: try optionalText("method"), scheme: try optionalText("scheme"),
            authority: try optionalText("authority"), target: try optionalText("target"),
            status: try optionalNumber("status"),
            fields: try objects("fields") { (field) throws(LineFault) in
                HTTPHeader(name: try field.text("name"), value: try field.text("value"))
            },
            length: try number("length"))
    }
}
