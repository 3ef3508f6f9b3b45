import Wire

/// Heads of HTTP messages.
extension JSONWriter {
    /// Writes a head that was observed.
    mutating func writeMembers(of head: ObservedHead) {
        member("side", Side(head.sender))
        member("exchange", head.exchange)
        member("version", head.version)
        member("method", head.method)
        member("scheme", head.scheme)
        member("authority", head.authority)
        member("target", head.target)
        member("status", head.status)
        key("fields")
        beginArray()
        for field in head.fields {
            beginObject()
            member("name", field.name)
            member("value", field.value)
            endObject()
        }
        endArray()
        member("length", head.length)
    }
}
