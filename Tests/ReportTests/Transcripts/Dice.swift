import Transcript
import Wire

/// Events at random from a seed: what no engine records, and what a forger may write.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    private mutating func bytes(_ limit: Int) -> [UInt8] {
        (0..<number(limit)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    private mutating func text() -> String {
        let pieces = ["a", "\u{1B}[31m", "\n", "\u{202E}", "漢字", "e\u{301}", " ", "example.com", "\0", "👩‍👩‍👧", "~"]
        return (0..<number(30)).map { _ in pieces[number(pieces.count)] }.joined()
    }

    private mutating func any<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    private mutating func message() -> [UInt8] {
        var message = any([
            Recorded.clientHello, Recorded.serverHello, Recorded.oldServerHello, Recorded.retryRequest,
            Recorded.message(UInt8.random(in: 0...30, using: &self), bytes(60)), bytes(12),
        ])
        if !message.isEmpty, number(3) == 0 { message[number(message.count)] = UInt8(number(256)) }
        return message
    }

    private mutating func end() -> End {
        any([.closeNotify, .fin, .reset, .alert(UInt8(number(256))), .timeout, .error(.min), .error(0), .proxy])
    }

    mutating func event() -> Event.Kind {
        let side: Side = any([.client, .origin])
        let direction: Direction = any([.sent, .received])
        let large: UInt64 = any([0, 1, 999, .max])
        switch number(24) {
        case 0: return .opened(client: text(), listener: text())
        case 1: return .requested(method: text(), target: text(), endpoint: Endpoint("a.example.com:1"))
        case 2: return .decided(any([.intercept, .tunnel, .refuse, .answer]), rule: text())
        case 3: return .connected(origin: text(), nanoseconds: large)
        case 4: return .withheldHTTP2(after: end(), offered: [text()])
        case 5: return .notTLS(any([.silence, .originFirst]))
        case 6: return .hello(HelloRecord(hello: Recorded.hello.hello, ja3Text: "", ja3: text(), ja4: text()))
        case 7...10: return .message(side, direction, message())
        case 11: return .alert(side, direction, level: 2, code: UInt8(number(256)))
        case 12: return .chain(side, (0..<number(4)).map { _ in any(["aa", "bb", text()]) })
        case 13: return .forged(host: text(), digest: text(), key: text(), fromCache: true, mirrors: [.expired])
        case 14:
            var agreed = Recorded.agreed
            (agreed.alpn, agreed.group) = (text(), text())
            return .secured(side, agreed)
        case 15: return .data(side, offset: large, bytes(9))
        case 16: return .firstData(side)
        case 17: return .answered(status: .min, reason: text())
        case 18: return .ended(side, end(), any(Phase.allCases))
        case 19:
            return .failed(Failure(party: .origin, code: .originExpired, phase: .relay, detail: text(), hint: text()))
        case 20: return .verdict(RecordedVerdict(name: text(), text: text()))
        case 21:
            return .head(
                ObservedHead(
                    sender: side.sender, exchange: large, version: text(), method: text(), target: text(), fields: [],
                    length: 0)
            )
        case 22:
            return .identity(
                IdentityExchange(
                    side: side, authorities: [text(), text()], chain: ["aa", text()], source: text(), fault: text()))
        default:
            return .closed(
                Closed(
                    by: .proxy, phase: .relay, client: end(), origin: end(), clientBytes: large, originBytes: large,
                    nanoseconds: large))
        }
    }
}
