import Wire

@testable import Transcript

extension Story {
    /// What an export makes of it.
    func export<Export: TranscriptExport>(_ export: Export) -> (bytes: [UInt8], export: Export) {
        var export = export
        var bytes: [UInt8] = []
        export.begin(into: &bytes)
        for event in events { export.add(event, into: &bytes) }
        export.finish(into: &bytes)
        return (bytes, export)
    }

    /// A connection that is intercepted, up to TCP to the origin.
    mutating func intercept(
        _ connection: UInt64, client: String = "127.0.0.1:50312", listener: String = "127.0.0.1:8080",
        origin: String = "192.0.2.10:443", local: String? = "127.0.0.1:40112"
    ) {
        tell(
            connection, .opened(client: client, listener: listener),
            .requested(method: "CONNECT", target: "api.example.com:443", endpoint: Endpoint("api.example.com:443")),
            .decided(.intercept, rule: nil), .connected(origin: origin, nanoseconds: 5, local: local))
    }
}
