internal import Transcript
internal import Wire

/// Records what an intercepted connection carries, as far as that is wanted: the heads of its HTTP messages, and bytes.
///
/// It sees copies, and nothing that it finds or fails at changes what is relayed.
///
/// **Thread:** confined to the connection's loop; the connection holds it.
final class ContentTap {
    private let capture: Capture
    private let record: (Event.Kind) -> Void
    private var heads: HTTPHeadWatch?
    /// How many bytes came from each side.
    private var counts: [Side: UInt64] = [:]

    /// Begins before the first byte; nil if nothing is wanted.
    ///
    /// - Parameters:
    ///   - capture: What is wanted.
    ///   - applicationProtocol: What was agreed on.
    ///   - record: Takes the events.
    init?(_ capture: Capture, applicationProtocol: String?, record: @escaping (Event.Kind) -> Void) {
        guard capture.heads || capture.bytes != 0 else { return nil }
        self.capture = capture
        self.record = record
        heads = capture.heads ? HTTPHeadWatch(applicationProtocol: applicationProtocol) : nil
    }

    /// Takes the next bytes that came from a side.
    func observe(_ side: Side, _ bytes: UnsafeRawBufferPointer) {
        let offset = counts[side, default: 0]
        counts[side] = offset &+ UInt64(bytes.count)
        let limit = capture.bytes ?? .max
        if offset < limit {
            let kept = bytes.prefix(Int(clamping: limit - offset))
            record(.data(side, offset: offset, [UInt8](kept)))
        }
        tell(heads?.observe(side.sender, bytes) ?? [])
        if heads?.isWatching == false { heads = nil }
    }

    /// Nothing more comes from a side.
    func finish(_ side: Side) {
        tell(heads?.finish(side.sender) ?? [])
    }

    private func tell(_ observations: [HTTPHeadWatch.Observation]) {
        for observation in observations {
            switch observation {
            case .head(let head): record(.head(head))
            case .contentEnded(let sender, let exchange, let bytes):
                record(.contentEnded(Side(sender), exchange: exchange, bytes: bytes))
            case .stopped(let sender, let reason): record(.headsStopped(Side(sender), reason))
            }
        }
    }
}
