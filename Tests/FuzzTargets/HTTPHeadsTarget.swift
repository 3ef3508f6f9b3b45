internal import Wire

extension FuzzTarget {
    /// `HTTPHeadWatch`, with what redacts the heads.
    ///
    /// The first octet says whether the protocol is HTTP/2. Then come turns: an octet whose lowest bit is the sender, two
    /// octets of length, and the sender's bytes.
    static let httpHeads = FuzzTarget("http-heads") { story throws(BrokenProperty) in
        let alpn = story.first.map { $0 & 1 == 1 } == true ? "h2" : "http/1.1"
        let whole = HTTPHeadWatch(applicationProtocol: alpn)
        let cut = HTTPHeadWatch(applicationProtocol: alpn)
        var sent: [HTTPSender: UInt64] = [:]
        var told: [HTTPSender: UInt64] = [:]
        var stopped: Set<HTTPSender> = []
        var rest = story.dropFirst()
        while let choice = rest.popFirst() {
            let sender: HTTPSender = choice & 1 == 1 ? .origin : .client
            let count = Int(rest.popFirst() ?? 0) << 8 | Int(rest.popFirst() ?? 0)
            let bytes = [UInt8](rest.prefix(count))
            rest = rest.dropFirst(count)
            sent[sender, default: 0] += UInt64(bytes.count)
            let wasWatching = whole.isWatching
            let found = bytes.withUnsafeBytes { whole.observe(sender, $0) }
            try require(wasWatching || found.isEmpty, "who has given up tells nothing")
            try require(
                bytes.pieces.flatMap { $0.withUnsafeBytes { cut.observe(sender, $0) } } == found,
                "how the bytes are cut makes no difference")
            try require(whole.isWatching == cut.isWatching, "how the bytes are cut decides nothing")
            for observation in found {
                if case .stopped(let sender, _) = observation {
                    try require(stopped.insert(sender).inserted, "a side is given up once")
                }
                let (sender, octets) = try check(observation, alpn)
                told[sender, default: 0] += octets
            }
        }
        for sender in HTTPSender.allCases {
            let ended = whole.finish(sender)
            try require(ended == cut.finish(sender), "how the bytes were cut makes no difference to their end")
            for case .contentEnded(_, _, let bytes) in ended { told[sender, default: 0] += bytes }
            try require(told[sender, default: 0] <= sent[sender, default: 0], "no more is told of than was sent")
        }
    }

    /// Checks what holds for anything that is told, and returns how many octets of whom it stands for.
    private static func check(
        _ observation: HTTPHeadWatch.Observation, _ alpn: String
    ) throws(BrokenProperty) -> (HTTPSender, UInt64) {
        switch observation {
        case .contentEnded(let sender, _, let bytes): return (sender, bytes)
        case .stopped(let sender, _): return (sender, 0)
        case .head(let head):
            try require((head.method == nil) != (head.status == nil), "a head is a request's or a response's")
            try require((head.method == nil) == (head.target == nil), "a request has a target")
            try require(head.sender == .origin || head.status == nil, "only the origin responds")
            try require(head.status.map { (0...999).contains($0) } ?? true, "a status has three digits")
            try require(head.fields.count <= 8192, "the number of fields is bounded")
            try require((alpn == "h2") == (head.version == "h2"), "the protocol is the one agreed on")
            for field in head.fields where field.isNamed("authorization") || field.isNamed("cookie") {
                try require(
                    field.value.isEmpty || field.value.hasSuffix("(redacted)"), "no \(field.name) is told of")
            }
            return (head.sender, head.length)
        }
    }
}
