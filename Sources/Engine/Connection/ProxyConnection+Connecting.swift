internal import Glibc
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// From a name to a TCP connection.
extension ProxyConnection {
    func connect(_ endpoint: Endpoint) {
        let began = worker.recorder.elapsed
        pendingConnect = PendingConnect(
            endpoint, worker: worker,
            completion: { [unowned self] result in
                pendingConnect = nil
                switch result {
                case .success(let stream):
                    let channel = Channel(stream, chunk: worker.configuration.relayBuffer)
                    origin = channel
                    watch(channel, .origin)
                    submit(
                        .connected(
                            address: stream.peerAddress.text,
                            nanoseconds: worker.recorder.elapsed &- began, local: stream.localAddress.text,
                            refusesHTTP2: worker.shared.refusesHTTP2(endpoint)))
                case .failure(let failure):
                    submit(.connectFailed(failure.reason))
                }
            })
        pendingConnect?.start()
    }

    /// Gives the connection to the origin up and makes another one.
    func reconnect(_ endpoint: Endpoint) {
        finishTap(.origin)
        reads.remove(.origin)
        full.remove(.origin)
        let former = (origin, originTap)
        former.0?.close()
        // It may be in the middle of a call, so it lives until the loop's next turn.
        worker.loop.later { withExtendedLifetime(former) {} }
        (origin, originTap) = (nil, nil)
        connect(endpoint)
    }
}

/// Resolving a name and trying its addresses, one after the other, until one answers.
///
/// **Thread:** confined to its worker's loop.
final class PendingConnect {
    /// Why it came to nothing.
    struct Failed: Error {
        let reason: ConnectFailure
    }

    private let endpoint: Endpoint
    private let worker: Worker
    private let completion: (Result<SocketStream, Failed>) -> Void
    private var resolution: Resolution?
    private var attempt: ConnectAttempt?
    private var addresses: ArraySlice<SocketAddress> = []
    /// How long each address gets.
    private var share = Duration.zero

    init(_ endpoint: Endpoint, worker: Worker, completion: @escaping (Result<SocketStream, Failed>) -> Void) {
        self.endpoint = endpoint
        self.worker = worker
        self.completion = completion
    }

    func start() {
        if let address = worker.configuration.overrides.address(for: endpoint) { return tryAll([address]) }
        let limit = worker.configuration.limits.connect
        resolution = worker.resolver.resolve(endpoint.host, port: endpoint.port, timeout: limit) { [unowned self] in
            switch $0 {
            case .success(let found): tryAll(found)
            case .failure(let error): completion(.failure(Failed(reason: .notResolved(error.description))))
            }
        }
    }

    func cancel() {
        resolution?.cancel()
        attempt?.cancel()
    }

    private func tryAll(_ found: [SocketAddress]) {
        // No spelling of a name or address may lead the proxy to itself.
        guard !found.contains(where: worker.shared.listens) else {
            return completion(.failure(Failed(reason: .ownListener)))
        }
        addresses = found[...]
        share = worker.configuration.limits.connect / max(found.count, 1)
        tryNext(.notResolved("no address"))
    }

    private func tryNext(_ lastReason: ConnectFailure) {
        guard let address = addresses.popFirst() else {
            return completion(.failure(Failed(reason: lastReason)))
        }
        attempt = SocketStream.connect(loop: worker.loop, to: address, timeout: share) { [unowned self] in
            switch $0 {
            case .success(let stream): completion(.success(stream))
            case .failure(let error): tryNext(ConnectFailure(error))
            }
        }
    }
}

extension ConnectFailure {
    /// Why an address was not reached.
    fileprivate init(_ error: ReactorError) {
        switch error.errno {
        case ETIMEDOUT: self = .timedOut
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .exhausted(error.description)
        default: self = .failed(error.description)
        }
    }
}
