internal import Wire

extension FuzzTarget {
    /// `HTTPRequestHead.parse`.
    static let requestHead = FuzzTarget("request-head") { stream throws(BrokenProperty) in
        try checkHead(stream, HTTPRequestHead.parse) { head in
            "\(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\n\(text(head.headers))"
        }
    }

    /// `HTTPResponseHead.parse`.
    static let responseHead = FuzzTarget("response-head") { stream throws(BrokenProperty) in
        try checkHead(stream, HTTPResponseHead.parse) { head in
            "HTTP/1.\(head.minorVersion) \(head.status) \(head.reason)\r\n\(text(head.headers))"
        }
        if case .complete(let head, _) = HTTPResponseHead.parse(stream) {
            try require((100...999).contains(head.status), "a status has three digits")
        }
    }

    private static func text(_ headers: [HTTPHeader]) -> String {
        headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    private static func checkHead<Head: Equatable & Sendable>(
        _ stream: [UInt8], _ parse: ([UInt8], Int) -> HTTPHeadProgress<Head>, _ write: (Head) -> String
    ) throws(BrokenProperty) {
        let limit = 65_536
        let progress = parse(stream, limit)
        // Heads are read again with every piece that arrives.
        var arrived: [UInt8] = []
        for piece in stream.pieces {
            arrived += piece
            let early = parse(arrived, limit)
            if early == .incomplete { continue }
            if case .malformed = early, case .malformed = progress { continue }
            try require(early == progress, "what was decided early stays")
        }
        switch progress {
        case .complete(let head, let length):
            let exact = [UInt8](stream.prefix(length))
            try require(exact.count == length, "a head ends within what arrived")
            try require(parse(exact, limit) == progress, "a head does not depend on what follows it")
            try require(parse(exact.dropLast(), limit) == .incomplete, "a head ends with its last octet")
            try require(parse(stream, length) == progress, "a head may fill its limit")
            try require(parse(stream, length - 1) == .tooLarge, "a head may not be over its limit")
            let written = [UInt8](write(head).utf8)
            try require(
                parse(written, written.count) == .complete(head, length: written.count), "what is written reads")
        case .incomplete:
            try require(stream.count < limit, "a head that fills its limit is not waited for")
        case .malformed(let reason):
            try require(!reason.isEmpty, "a refusal has a reason")
        case .tooLarge:
            try require(stream.count >= limit, "only a head that fills its limit is too large")
        }
    }
}
