import Transcript
import Wire

extension ConnectionLine {
    /// A connection that was intercepted and went well.
    static var intercepted: ConnectionLine {
        var line = ConnectionLine(
            connection: 12, wall: 1_772_373_727_123_456,
            closed: Closed(
                by: .client, phase: .relay, client: .closeNotify, origin: .closeNotify, clientBytes: 1234,
                originBytes: 3_456_789, nanoseconds: 219_999_999))
        line.client = "127.0.0.1:50312"
        line.target = "api.example.com:443"
        line.endpoint = Endpoint("api.example.com:443")
        line.decision = .intercept
        line.clientSession = Session(version: 0x0304, alpn: "h2")
        line.originSession = Session(version: 0x0304, alpn: "h2")
        return line
    }
}
