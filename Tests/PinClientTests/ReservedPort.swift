import Glibc
import Reactor

/// A port on 127.0.0.1 that refuses connections, and that nobody else gets.
final class ReservedPort {
    private let descriptor: CInt

    /// Reserves a port.
    ///
    /// - Parameter port: Which one; 0 for any. Nil if somebody has it.
    init?(_ port: UInt16) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { return nil }
    }

    deinit { close(descriptor) }

    /// Where connections are refused.
    var address: SocketAddress? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return SocketAddress(address: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
    }
}
