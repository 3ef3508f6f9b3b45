internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// What sockets report, and what the machine asks of them.
extension ProxyConnection {
    func readable(_ side: Side) {
        guard let channel = channel(side) else { return }
        switch side == .client ? clientReading : originReading {
        case .plain: readPlain(channel, side)
        case .handshake: advanceHandshake(side)
        case .page: advancePage()
        case .relay: pump(side)
        case .discard:
            if case .ended(let end) = channel.discard() { ended(side, end) }
        }
    }

    func writable(_ side: Side) {
        flush(side)
        if side == .client, clientReading == .page { advancePage() }
    }

    /// Sends what waits for a side, and tells the machine when that changes what may be read.
    func flush(_ side: Side) {
        guard let channel = channel(side) else { return }
        switch channel.flush() {
        case .done(let endings):
            if full.remove(side) != nil { submit(.drained(side)) }
            watchReads(side)
            for _ in 0..<endings { submit(.finished(side)) }
            if channel.isEnding { flushLater(side) }
        case .full:
            if full.insert(side).inserted { submit(.full(side)) }
            watchReads(side)
        case .ended(let end):
            full.remove(side)
            // What the peer said before it went comes first: it may say why.
            if isRelaying(side) { pump(side) }
            ended(side, end)
        }
    }

    /// Reports how a peer ended; after anything but a close_notify its socket has nothing more to say.
    func ended(_ side: Side, _ end: End) {
        if end != .closeNotify { channel(side)?.stream.wantsReadable = false }
        if side == .origin, holdBack(end) { return }
        if side == .origin, let failure = refusal(end) {
            return submit(.originRefused(end, failure, isAnswerable: identity.unanswered != nil))
        }
        submit(.ended(side, end))
        if side == .client { releaseEnds() }
    }

    func read(_ side: Side, _ wanted: Bool) {
        guard channel(side) != nil else { return }
        if wanted { reads.insert(side) } else { reads.remove(side) }
        watchReads(side)
        // What was read from the socket already will not make it readable again.
        if wanted, isRelaying(side) { pumpLater(side) }
    }

    /// Reads on for a side's end alone.
    func discard(_ side: Side) {
        if side == .client { clientReading = .discard } else { originReading = .discard }
        read(side, true)
    }

    /// Whether a side's bytes go to the other side.
    func isRelaying(_ side: Side) -> Bool {
        (side == .client ? clientReading : originReading) == .relay
    }

    /// Has the loop tell when a side has something to read, if that is wanted and makes sense.
    private func watchReads(_ side: Side) {
        guard let channel = channel(side) else { return }
        channel.stream.wantsReadable = reads.contains(side) && !channel.hasEnded && !channel.isClogged
    }

    func reply(_ bytes: [UInt8]) {
        client.write(raw: bytes)
        flush(.client)
    }

    func finish(_ side: Side, _ how: End) {
        guard let channel = channel(side) else {
            // There is no connection, and none is wanted any more.
            pendingConnect?.cancel()
            return submit(.finished(side))
        }
        finishTap(side)
        if side == .origin {
            identity.isLoading = false
            issuers.fetch?.cancel()
        }
        channel.finish(how)
        flush(side)
    }

    private func readPlain(_ channel: Channel, _ side: Side) {
        switch channel.read(into: worker.scratch, upTo: Self.plainChunk) {
        case .bytes:
            let bytes = worker.scratch.takeAll()
            submit(side == .client ? .bytes(bytes) : .originSpoke(bytes))
        case .nothing: break
        case .ended(let end): ended(side, end)
        case .failed: break  // only a TLS session fails, and there is none yet
        }
    }

    /// A reset that waits for the kernel to have sent everything is tried again shortly: no event tells when it has.
    private func flushLater(_ side: Side) {
        resetTimer = worker.loop.timer(after: .milliseconds(20)) { [unowned self] in flush(side) }
    }

    private static let plainChunk = 16 * 1024
}
