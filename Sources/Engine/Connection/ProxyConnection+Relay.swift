internal import Crypto
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// Application bytes: from one side to the other, or to a page of ours.
extension ProxyConnection {
    func relay(secured: Bool, received: [UInt8]) {
        clientReading = .relay
        originReading = .relay
        // What was agreed on is what is spoken; without that it is HTTP/1 or shows soon that it is not.
        let agreed = client.session?.parameters?.alpn.map { String(decoding: $0, as: UTF8.self) }
        if secured, agreed.map({ $0.hasPrefix("http/1.") }) ?? true { framing = FramingWatch() }
        if secured, agreed == "h2" { requests = HTTP2RequestWatch() }
        if secured { tapContent(agreed) }
        guard !received.isEmpty else { return }
        worker.scratch.append(received)
        moved(.client, received.count)
        _ = forward(to: .origin)
    }

    /// Has what the connection carries recorded, if that is wanted.
    func tapContent(_ applicationProtocol: String?) {
        content = ContentTap(worker.configuration.capture, applicationProtocol: applicationProtocol) {
            [unowned self] in record($0)
        }
    }

    /// Passes on what the origin said before the relay began.
    func deliver(_ bytes: [UInt8]) {
        worker.scratch.append(bytes)
        moved(.origin, bytes.count)
        _ = forward(to: .client)
    }

    /// Moves what one side has to the other while that takes it, a bounded amount at a time.
    func pump(_ side: Side) {
        guard let source = channel(side) else { return }
        defer { flushTaps() }
        let other: Side = side == .client ? .origin : .client
        for _ in 0..<Self.rounds {
            // Asked each time: the machine hears of a full side only when it has dealt with what it is dealing with.
            guard isRelaying(side), reads.contains(side), !full.contains(other), !source.isClogged else { return }
            let reading = source.read(into: worker.scratch, upTo: source.chunk)
            if case .bytes(let count) = reading {
                moved(side, count)
                observe(side)
                if side == .client {
                    keepUnanswered()
                    guard identity.heldEnds.isEmpty else {
                        _ = worker.scratch.takeAll()
                        return releaseEnds()
                    }
                }
                guard forward(to: other) else { return }
            }
            // A session answers new keys, new handshakes and faults by itself.
            if source.wantsFlush { flush(side) }
            switch reading {
            case .bytes: continue
            case .nothing: return
            case .ended(let end):
                ended(side, end)
                // What follows a close_notify is only how TCP ends.
                guard end == .closeNotify else { return }
            case .failed(let failure): return broke(side, failure)
            }
        }
        // Others have their turn; what the session holds already will not make the socket readable again.
        pumpLater(side)
    }

    /// Records what is on the wire by now.
    func flushTaps() {
        clientTap?.flush()
        originTap?.flush()
    }

    /// Moves bytes in one of the loop's next turns, once, however often it was asked for.
    func pumpLater(_ side: Side) {
        guard pumps.insert(side).inserted else { return }
        worker.loop.later { [weak self] in
            guard let self else { return }
            pumps.remove(side)
            if isRelaying(side) { pump(side) } else if side == .client { advancePage() }
        }
    }

    /// Takes what was read for the other side; false if that broke it.
    private func forward(to side: Side) -> Bool {
        if let failure = channel(side)?.write(from: worker.scratch) {
            broke(side, failure)
            return false
        }
        flush(side)
        return true
    }

    /// Reports a TLS session that broke on our side of it: we are the ones who end it.
    func broke(_ side: Side, _ failure: TLSFailure) {
        // Whoever looks again, because the peer has gone meanwhile, finds the same.
        guard broken.insert(side).inserted else { return }
        record(.failed(failure.explained(for: side, .relay)))
        ended(side, .proxy)
    }

    /// Notes what is odd about messages on their way; nothing that is found changes anything.
    private func observe(_ side: Side) {
        if side == .client { observeRequests() }
        if let content { worker.scratch.withBytes { content.observe(side, $0) } }
        guard framing != nil else { return }
        let found = worker.scratch.withBytes { framing?.observe(side == .client ? .client : .origin, $0) } ?? []
        for oddity in found where framingEvents < Self.framingLimit {
            framingEvents += 1
            record(.framing(side, oddity))
        }
        if framing?.isWatching == false || framingEvents == Self.framingLimit { framing = nil }
    }

    /// Records that the client asks for something in HTTP/2, once; what comes before says nothing of what it thinks.
    private func observeRequests() {
        guard requests != nil else { return }
        worker.scratch.withBytes { requests?.observe($0) }
        guard requests?.hasRequest == true else { return }
        requests = nil
        record(.firstRequest(protocol: "h2"))
    }

    /// Counts bytes that came from a side.
    func moved(_ side: Side, _ count: Int) {
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
    /// How many oddities of a connection are recorded.
    private static let framingLimit = 16
}
