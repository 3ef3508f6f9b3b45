internal import Crypto
internal import Glibc
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// Application bytes: from one side to the other, or to a page of ours.
extension ProxyConnection {
    func relay(secured: Bool, received: [UInt8]) {
        clientReading = .relay
        originReading = .relay
        guard !received.isEmpty else { return }
        worker.scratch.append(received)
        moved(.client, received.count)
        _ = forward(to: .origin)
    }

    /// Moves what one side has to the other while that takes it, a bounded amount at a time.
    func pump(_ side: Side) {
        guard let source = channel(side) else { return }
        let other: Side = side == .client ? .origin : .client
        for _ in 0..<Self.rounds {
            // The machine may hear of a full side only after this: its events are handled one after the other.
            guard isRelaying(side), reads.contains(side), !full.contains(other) else { return }
            // Only a peer that asks for answers of the TLS layer and never reads them gets here (RFC 8446 section 4.6.3).
            guard source.outbound.count <= Self.largestBacklog else { return ended(side, .error(ENOBUFS)) }
            switch source.read(into: worker.scratch, upTo: Channel.chunk) {
            case .bytes(let count):
                moved(side, count)
                guard forward(to: other) else { return }
            case .nothing:
                // What came may have been what the session of this side waited for before it takes bytes again.
                if full.contains(side) { flush(side) }
                return
            case .ended(let end):
                ended(side, end)
                // What follows a close_notify is only how TCP ends.
                guard end == .closeNotify else { return }
            case .failed(let failure):
                return broke(side, failure)
            }
        }
        // Others have their turn; what the session holds already will not make the socket readable again.
        worker.loop.later { [weak self] in self?.pump(side) }
    }

    /// Takes what was read for the other side; false if that broke it.
    private func forward(to other: Side) -> Bool {
        if let failure = channel(other)?.write(from: worker.scratch) {
            worker.scratch.consume(worker.scratch.count)
            broke(other, failure)
            return false
        }
        flush(other)
        return true
    }

    private func isRelaying(_ side: Side) -> Bool {
        (side == .client ? clientReading : originReading) == .relay
    }

    private func moved(_ side: Side, _ count: Int) {
        lastMoved = worker.recorder.elapsed
        noteFirstData(side)
        switch side {
        case .client: bytes.client &+= UInt64(count)
        case .origin: bytes.origin &+= UInt64(count)
        }
    }

    /// Records the first application byte of a side, once.
    func noteFirstData(_ side: Side) {
        if spoke.insert(side).inserted { record(.firstData(side)) }
    }

    private static let rounds = 16
    private static let largestBacklog = 4 * Channel.chunk
}
