import Crypto
import Engine
import Reactor
import TestSupport
import Transcript
import Wire

/// What a channel under test has said so far.
struct ChannelView: Sendable, CustomStringConvertible {
    var received: [UInt8] = []
    var ends: [End] = []
    var failure: TLSFailure?
    var isSecured = false
    /// How many endings were reported as done.
    var endings = 0
    /// Whether the last flush left something unsent.
    var isFull = false

    var description: String {
        "\(received.count) bytes, ends \(ends), failure \(failure.map { "\($0)" } ?? "none"), secured \(isSecured), "
            + "endings \(endings), full \(isFull)"
    }
}

/// Drives a channel as its owners do: whenever the socket is ready, as far as it goes.
final class ChannelDriver: Sendable {
    private final class State {
        enum Mode { case reading, handshake, discarding }

        let channel: Channel
        let view: Watched<ChannelView>
        var mode = Mode.reading

        init(_ channel: Channel, _ view: Watched<ChannelView>) {
            self.channel = channel
            self.view = view
            channel.stream.onReadable = { [unowned self] in advance() }
            channel.stream.onWritable = { [unowned self] in flush() }
            channel.stream.wantsReadable = true
        }

        deinit { channel.close() }

        func advance() {
            switch mode {
            case .handshake:
                switch channel.handshake() {
                case .waiting: break
                case .complete:
                    mode = .reading
                    view.update { $0.isSecured = true }
                    advance()
                case .ended(let end): note(end)
                case .failed(let failure): view.update { $0.failure = failure }
                }
            case .reading: read()
            case .discarding:
                if case .ended(let end) = channel.discard() { note(end) }
            }
        }

        private func read() {
            let bytes = ByteQueue()
            while true {
                let reading = channel.read(into: bytes, upTo: 65_536)
                let new = bytes.takeAll()
                if !new.isEmpty { view.update { $0.received += new } }
                switch reading {
                case .bytes: continue
                case .nothing: return flush()
                case .ended(let end):
                    note(end)
                    guard end == .closeNotify else { return }
                case .failed(let failure): return view.update { $0.failure = failure }
                }
            }
        }

        func flush() {
            switch channel.flush() {
            case .done(let endings):
                view.update {
                    $0.endings += endings
                    $0.isFull = false
                }
            case .full: view.update { $0.isFull = true }
            case .ended(let end):
                // What the peer said before it went is still to be read.
                if mode == .reading { read() }
                note(end)
            }
        }

        private func note(_ end: End) {
            if end != .closeNotify { channel.stream.wantsReadable = false }
            view.update { if $0.ends.last != end { $0.ends.append(end) } }
        }
    }

    private let state: LoopBound<State>
    private let view: Watched<ChannelView>

    private init(_ state: LoopBound<State>, _ view: Watched<ChannelView>) {
        self.state = state
        self.view = view
    }

    /// A channel, and the peer that it is connected to.
    static func pair(on loop: EventLoop, peerBuffer: Int32? = nil) async throws -> (ChannelDriver, Peer) {
        let arrived = Watched<ChannelDriver?>(nil)
        let listener = try await loop.perform {
            let listener = try Listener(loop: loop, address: .anyLoopbackPort, reusePort: false) { socket, _ in
                let view = Watched(ChannelView())
                let state = State(Channel(SocketStream(loop: loop, socket: socket)), view)
                let driver = ChannelDriver(LoopBound(state, loop: loop), view)
                arrived.update { $0 = driver }
            }
            return LoopBound(listener, loop: loop)
        }
        let address = try await loop.perform { listener.value.localAddress }
        let peer = try await Peer.connect(on: loop, to: address, receiveBuffer: peerBuffer)
        return (try await arrived.first("the channel") { $0 }, peer)
    }

    var seen: ChannelView { view.current }

    @discardableResult
    func wait(_ what: String, until condition: @escaping @Sendable (ChannelView) -> Bool) async throws -> ChannelView {
        try await view.first(what) { condition($0) ? $0 : nil }
    }

    func received(_ text: String) async throws {
        try await wait("\(text)") { String(decoding: $0.received, as: UTF8.self) == text }
    }

    /// Does something with the channel.
    @discardableResult
    func perform<Value: Sendable>(_ body: @escaping @Sendable (Channel) throws -> Value) async throws -> Value {
        let state = state
        return try await state.loop.perform { try body(state.value.channel) }
    }

    /// Writes and flushes.
    func send(_ bytes: [UInt8]) async throws {
        let state = state
        try await state.loop.perform {
            let plain = ByteQueue()
            plain.append(bytes)
            let failure = state.value.channel.write(from: plain)
            if let failure { state.value.view.update { $0.failure = failure } }
            state.value.flush()
        }
    }

    /// Asks for endings and flushes.
    func finish(_ endings: End...) async throws {
        let state = state
        try await state.loop.perform {
            for end in endings { state.value.channel.finish(end) }
            state.value.flush()
        }
    }

    func flush() async throws {
        let state = state
        try await state.loop.perform { state.value.flush() }
    }

    func setReading(_ isOn: Bool) async throws { try await perform { $0.stream.wantsReadable = isOn } }

    func discard() async throws {
        let state = state
        try await state.loop.perform {
            state.value.mode = .discarding
            state.value.advance()
        }
    }

    /// Takes the accepting side of a handshake; what was read before belongs to it.
    func accept(_ context: TLSContext, identity: TLSIdentity) async throws {
        let state = state
        try await state.loop.perform {
            let early = state.value.view.update { view in
                defer { view.received = [] }
                return view.received
            }
            state.value.channel.secure(
                try .accepting(context, identity: identity, alpn: nil), received: early)
            state.value.mode = .handshake
            state.value.advance()
        }
    }

    /// Takes the connecting side of a handshake.
    func connect(_ context: TLSContext, to host: HostName) async throws {
        let state = state
        try await state.loop.perform {
            state.value.channel.secure(
                try .connecting(context, to: host, verify: .trustAndName, alpn: []))
            state.value.mode = .handshake
            state.value.advance()
        }
    }
}
