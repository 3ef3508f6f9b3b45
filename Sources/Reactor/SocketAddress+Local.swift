internal import Glibc

extension SocketAddress {
    /// Whether the address is one of this machine's own at the moment, so that a connection to it stays here.
    package var isLocal: Bool {
        if isLoopback || isUnspecified { return true }
        // Only an address of this machine can be bound to; port 0 leaves the rest to the kernel.
        guard let socket = try? Socket.open(for: self, "probe \(self)") else { return false }
        let descriptor = socket.descriptor
        return withPort(0).withStorage { bind(descriptor, $0, $1) } == 0
    }
}
