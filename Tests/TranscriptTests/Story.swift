import Transcript
import Wire

/// Events made by hand, one microsecond apart.
struct Story {
    private(set) var events: [Event] = []

    /// Adds events of a connection; nil stands for the run itself.
    mutating func tell(_ connection: UInt64?, _ kinds: Event.Kind...) {
        for kind in kinds {
            let step = UInt64(events.count)
            events.append(
                Event(
                    connection: connection, monotonic: step * 1000, wall: 1_772_373_727_000_000 + Int64(step),
                    kind: kind))
        }
    }

    /// A connection that the client opened and for which it named a target.
    mutating func open(_ connection: UInt64, _ target: String) {
        tell(
            connection, .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
            .requested(method: "CONNECT", target: target, endpoint: Endpoint(target)))
    }
}

extension Closed {
    /// An end in good order after so many bytes.
    static func inOrder(client: UInt64, origin: UInt64) -> Closed {
        Closed(
            by: .client, phase: .relay, client: .closeNotify, origin: .closeNotify, clientBytes: client,
            originBytes: origin, nanoseconds: 210_000_000)
    }
}

extension TLSParameters {
    /// TLS 1.3 with this protocol.
    static func modern(alpn: String?) -> TLSParameters {
        TLSParameters(
            version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256", group: "x25519",
            alpn: alpn, serverName: nil, resumed: false)
    }
}
