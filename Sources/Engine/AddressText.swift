internal import Reactor

extension SocketAddress? {
    /// The address, or `unknown` where the peer was gone before it could be asked for.
    var text: String { self?.description ?? "unknown" }
}
