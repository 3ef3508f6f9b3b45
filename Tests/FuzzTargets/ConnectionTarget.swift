internal import Interception
internal import Transcript
internal import Wire

extension FuzzTarget {
    /// `ConnectionMachine`, with `Greeting` and the rest of what reads the client's first bytes.
    ///
    /// The input is a story: an octet for the rules, then events. An octet below 0x20 announces bytes of the client,
    /// whose number the next two octets say; any other octet is an event of its own.
    static let connection = FuzzTarget("connection") { story throws(BrokenProperty) in
        var rest = story.dropFirst()
        var client = ClientRecord()
        var machine = ConnectionMachine(rules: rules(story.first ?? 0))
        for action in ConnectionMachine.start { client.note(action) }
        var closes = 0
        func take(_ actions: [ConnectionAction], wasClosed: Bool) throws(BrokenProperty) {
            try require(actions.isEmpty || !wasClosed, "nothing follows the close")
            for action in actions {
                try require(closes == 0, "the close is the last action")
                if case .close = action { closes += 1 }
                client.note(action)
                try client.check(action)
            }
        }
        while let octet = rest.popFirst() {
            let event = event(octet, &rest)
            if case .bytes(let bytes) = event { client.send(bytes) }
            let wasClosed = machine.isClosed
            try take(machine.handle(event), wasClosed: wasClosed)
            let isClosed = machine.isClosed
            try require(isClosed == (closes == 1), "a machine is closed when it says so")
        }
        let wasClosed = machine.isClosed
        try take(machine.handle(.abort), wasClosed: wasClosed)
        let isClosed = machine.isClosed
        try require(isClosed && closes == 1, "a connection ends exactly once")
    }

    private static func rules(_ choice: UInt8) -> RuleBook {
        let decisions: [Decision?] = [nil, .tunnel, .refuse, nil]
        guard let decision = decisions[Int(choice % 4)], let pattern = HostPattern("*") else { return RuleBook() }
        return RuleBook([Rule(pattern, decision)])
    }

    private static func event(_ octet: UInt8, _ rest: inout ArraySlice<UInt8>) -> ConnectionEvent {
        if octet < 0x20 {
            let count = Int(rest.popFirst() ?? 0) << 8 | Int(rest.popFirst() ?? 0)
            defer { rest = rest.dropFirst(count) }
            return .bytes([UInt8](rest.prefix(count)))
        }
        return events[Int(octet - 0x20) % events.count]
    }

    /// Every event that is no bytes of the client; the order is that of the corpus.
    private static let events: [ConnectionEvent] =
        [
            .connected(address: "192.0.2.1:443", nanoseconds: 1), .connectFailed(.timedOut),
            .connectFailed(.ownListener), .connectFailed(.failed("x")), .connectFailed(.notResolved("x")),
            .originSecured(alpn: nil), .originSecured(alpn: [0x68, 0x32]), .originFailed(failure), .forged,
            .forgeFailed(failure), .clientSecured, .clientFailed(failure), .pageDelivered, .timedOut,
            .drain(idle: false), .drain(idle: true), .abort,
        ]
        + Side.allCases.flatMap { side -> [ConnectionEvent] in
            [.full(side), .drained(side), .finished(side)] + ends.map { .ended(side, $0) }
        }
        + [
            .originSpoke([1, 2]), .connectFailed(.exhausted("x")), .originAnswered,
            .connected(address: "192.0.2.1:443", nanoseconds: 1, refusesHTTP2: true),
        ]

    private static let ends: [End] = [.closeNotify, .fin, .reset, .alert(46), .timeout, .error(5)]
    private static let failure = Failure(party: .origin, code: .originHandshake, phase: .originHandshake, detail: "x")
}

/// What the client sent, and whether anybody listened.
private struct ClientRecord {
    private var sent: [UInt8] = []
    private var isRead = false
    /// Whether bytes were delivered that nobody had asked for, as no engine does.
    private var isIrregular = false

    mutating func send(_ bytes: [UInt8]) {
        sent += bytes
        if !isRead { isIrregular = true }
    }

    mutating func note(_ action: ConnectionAction) {
        if case .read(.client, let isRead) = action { self.isRead = isRead }
    }

    /// What follows the CONNECT request reaches whoever goes on with it, whole.
    func check(_ action: ConnectionAction) throws(BrokenProperty) {
        let received: [UInt8]
        switch action {
        case .secureClient(_, let bytes): received = bytes
        case .relay(secured: false, let bytes): received = bytes
        default: return
        }
        guard !isIrregular else { return }
        guard case .complete(_, let length) = HTTPRequestHead.parse(sent) else {
            throw BrokenProperty(description: "a connection goes on without a CONNECT request")
        }
        try require(sent.dropFirst(length).elementsEqual(received), "no byte of the client is lost")
    }
}
