internal import Glibc
package import Reactor
internal import Wire

extension Peer {
    /// Connects to a listener on loopback.
    ///
    /// - Parameters:
    ///   - loop: Where the peer lives.
    ///   - address: The listener's.
    ///   - receiveBuffer: The size of the kernel's buffer, if it is to be small.
    ///   - first: What is sent at once.
    /// - Returns: The connected peer.
    /// - Throws: `Unfulfilled` if nobody listens there.
    package static func connect(
        on loop: EventLoop, to address: SocketAddress, receiveBuffer: Int32? = nil, sending first: [UInt8] = []
    ) async throws -> Peer {
        try await loop.perform {
            .on(loop, socket: try connectedSocket(to: address, receiveBuffer: receiveBuffer, sending: first))
        }
    }
}

/// Connects at once: a listener on loopback answers without anybody's help; `onceOpen` comes right before.
package func connectedSocket(
    to address: SocketAddress, receiveBuffer: Int32? = nil, sending first: [UInt8] = [], onceOpen: () -> Void = {}
) throws -> Socket {
    let isIPv4 = address.host.addressBytes?.count == 4
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(flags), 0)
    guard descriptor >= 0 else { throw Unfulfilled("socket: errno \(errno)") }
    let connected = Socket(owning: descriptor)
    onceOpen()
    if var size = receiveBuffer {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    let status = isIPv4 ? connectIPv4(descriptor, address) : connectIPv6(descriptor, address)
    guard status == 0 else { throw Unfulfilled("connect to \(address): errno \(errno)") }
    guard write(descriptor, first, first.count) == first.count else {
        throw Unfulfilled("the first bytes were refused")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return connected
}

private func connectIPv4(_ descriptor: Int32, _ address: SocketAddress) -> Int32 {
    var storage = sockaddr_in()
    storage.sin_family = sa_family_t(AF_INET)
    storage.sin_port = address.port.bigEndian
    withUnsafeMutableBytes(of: &storage.sin_addr) { $0.copyBytes(from: address.host.addressBytes ?? []) }
    return connect(descriptor, storage)
}

private func connectIPv6(_ descriptor: Int32, _ address: SocketAddress) -> Int32 {
    var storage = sockaddr_in6()
    storage.sin6_family = sa_family_t(AF_INET6)
    storage.sin6_port = address.port.bigEndian
    withUnsafeMutableBytes(of: &storage.sin6_addr) { $0.copyBytes(from: address.host.addressBytes ?? []) }
    return connect(descriptor, storage)
}

private func connect<Storage>(_ descriptor: Int32, _ storage: Storage) -> Int32 {
    withUnsafePointer(to: storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Storage>.size))
        }
    }
}

/// A port on loopback whose callers a test takes one after the other.
package final class PeerListener: Sendable {
    private struct Queue: Sendable {
        var arrived: [Peer] = []
        var total = 0
    }

    private let queue = Watched(Queue())
    private let listener: LoopBound<Listener>
    /// Where it listens.
    package let address: SocketAddress

    /// Listens on the loop.
    package init(on loop: EventLoop, at address: SocketAddress = .anyLoopbackPort) async throws {
        let queue = queue
        listener = try await loop.perform {
            let listener = try Listener(loop: loop, address: address, reusePort: false) { socket, _ in
                let peer = Peer.on(loop, socket: socket)
                queue.update {
                    $0.arrived.append(peer)
                    $0.total += 1
                }
            }
            return LoopBound(listener, loop: loop)
        }
        let listener = listener
        self.address = try await loop.perform { listener.value.localAddress }
    }

    /// How many have called so far.
    package var callers: Int { queue.current.total }

    /// The next caller.
    package func accept() async throws -> Peer {
        try await queue.wait("a caller") { !$0.arrived.isEmpty }
        return queue.update { $0.arrived.removeFirst() }
    }

    /// Stops listening: later callers are refused.
    package func close() async throws {
        let listener = listener
        try await listener.loop.perform { listener.value.close() }
    }
}
