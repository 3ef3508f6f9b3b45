import Interception
import Testing
import Transcript
import Wire

/// A connection machine and what it did so far, so that a test reads as a conversation.
struct Playbook: ~Copyable {
    private var machine: ConnectionMachine
    private(set) var recorded: [Event.Kind] = []

    init(_ rules: [Rule] = [], legacy: LegacyHosts = LegacyHosts(), rotatesPhases: Bool = false) {
        machine = ConnectionMachine(rules: RuleBook(rules), legacy: legacy, rotatesPhases: rotatesPhases)
    }

    /// The states of a connection, in the order in which an intercepted one goes through them.
    enum Stop: CaseIterable {
        case greeting, connecting, hello, originHandshake, forging, clientHandshake, relaying
    }

    /// A machine that was taken to a state.
    static func at(
        _ stop: Stop, _ rules: [Rule] = [], hello: [UInt8] = Sample.hello(), legacy: LegacyHosts = LegacyHosts()
    ) -> Playbook {
        var book = Playbook(rules, legacy: legacy)
        let events: [ConnectionEvent] = [
            .bytes(Sample.connect), .connected(address: "192.0.2.1:443", nanoseconds: 5), .bytes(hello),
            .originSecured(alpn: Sample.h2), .forged, .clientSecured,
        ]
        let count = Stop.allCases.firstIndex(of: stop) ?? 0
        for event in events.prefix(count) { _ = book.feed(event) }
        return book
    }

    /// A machine that serves a page because the origin failed.
    static func serving(hello: [UInt8] = Sample.hello()) -> Playbook {
        var book = Playbook.at(.originHandshake, hello: hello)
        for event in [ConnectionEvent.originFailed(Sample.failure), .forged, .clientSecured] { _ = book.feed(event) }
        return book
    }

    var isClosed: Bool { machine.isClosed }

    /// The ends that were recorded.
    var ends: [Event.Kind] { recorded.filter { if case .ended = $0 { true } else { false } } }

    /// The wire bytes of the client's handshake that the machine recorded itself.
    var wire: [Event.Kind] { recorded.filter { if case .wire = $0 { true } else { false } } }

    /// Feeds an event and returns the actions that are not recordings; those are kept apart.
    mutating func feed(_ event: ConnectionEvent) -> [ConnectionAction] {
        var actions: [ConnectionAction] = []
        for action in machine.handle(event) {
            if case .record(let kind) = action { recorded.append(kind) } else { actions.append(action) }
        }
        return actions
    }

    /// Feeds an event and expects exactly these actions, recordings aside.
    mutating func expect(
        _ event: ConnectionEvent, _ expected: [ConnectionAction], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let actions = feed(event)
        #expect(actions == expected, "after \(event)", sourceLocation: sourceLocation)
    }

    /// The failures that were recorded.
    var failures: [Failure.Code] {
        recorded.compactMap { if case .failed(let failure) = $0 { failure.code } else { nil } }
    }
}

enum Sample {
    static let connect = Array("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n".utf8)
    static let endpoint = Endpoint("api.example.com:443")!
    static let host = HostName("api.example.com")!
    static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
    static let secured = Endpoint("api.example.com:443")!
    static let h2 = Array("h2".utf8)
    static let http1 = Array("http/1.1".utf8)
    static let failure = Failure(
        party: .origin, code: .originExpired, phase: .originHandshake, detail: "expired", hint: "renew it")

    /// What ends both directions politely: flushed, close_notify, FIN, and the client's own end awaited.
    static let politeEnd: [ConnectionAction] = [
        .arm(.drain), .read(.origin, false), .finish(.origin, .proxy), .finish(.client, .proxy), .discard(.client),
    ]

    /// A relay that we cut: no close_notify, so that nobody takes what was cut short for whole (RFC 8446 section 6.1).
    static let cut: [ConnectionAction] = [
        .arm(.drain), .read(.origin, false), .finish(.origin, .timeout), .finish(.client, .timeout), .discard(.client),
    ]

    /// A TLS 1.3 hello written out field by field after RFC 8446 section 4.1.2.
    static func hello(
        server: String? = "api.example.com", alpn: [String] = ["h2", "http/1.1"], ecdsa: Bool = true
    ) -> [UInt8] {
        var extensions: [UInt8] = []
        func add(_ type: UInt16, _ body: [UInt8]) { extensions += two(Int(type)) + two(body.count) + body }
        if let server {
            let name = Array(server.utf8)
            add(0, two(name.count + 3) + [0] + two(name.count) + name)
        }
        add(10, two(2) + [0x00, 0x1D])
        add(13, two(2) + (ecdsa ? [0x04, 0x03] : [0x08, 0x04]))
        if !alpn.isEmpty {
            let list = alpn.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            add(16, two(list.count) + list)
        }
        add(43, [2, 0x03, 0x04])
        let body =
            [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0] + two(2) + [0x13, 0x01] + [1, 0]
            + two(extensions.count) + extensions
        let message = [1, 0] + two(body.count) + body
        return [0x16, 0x03, 0x01] + two(message.count) + message
    }

    /// A hello without extensions, as clients sent it before RFC 3546.
    static func oldHello(_ version: UInt16) -> [UInt8] {
        let body = two(Int(version)) + [UInt8](repeating: 7, count: 32) + [0] + two(2) + [0x00, 0x2F] + [1, 0]
        let message = [1, 0] + two(body.count) + body
        return [0x16, 0x03, 0x00] + two(message.count) + message
    }

    private static func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
}
