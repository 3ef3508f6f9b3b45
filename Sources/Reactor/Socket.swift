internal import CLibevent
internal import Glibc

/// The owner of one TCP socket, which never blocks and is not inherited by child processes.
///
/// **Ownership:** the descriptor is closed with this value, once. **Thread:** any, one after the other.
public struct Socket: ~Copyable, Sendable {
    /// The file descriptor.
    package let descriptor: Int32

    /// Takes over a descriptor that is non-blocking and close-on-exec.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Gives the descriptor away, so that it can cross threads; whoever gets it owns it.
    package consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Opens a socket that can reach or be `address`.
    ///
    /// It sends small writes at once; on Linux the sockets that a listener accepts inherit this.
    ///
    /// - Parameters:
    ///   - address: What decides the family.
    ///   - operation: What an error is to name.
    /// - Returns: The socket, neither bound nor connected.
    /// - Throws: `ReactorError`, for example with `EMFILE`.
    static func open(
        for address: SocketAddress, _ operation: @autoclosure () -> String
    ) throws(ReactorError) -> Socket {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(address.domain, Int32(type), 0)
        guard descriptor >= 0 else { throw .last(operation()) }
        let opened = Socket(owning: descriptor)
        try opened.set(TCP_NODELAY, at: Int32(IPPROTO_TCP), to: Int32(1), operation())
        return opened
    }

    /// Sets one socket option.
    borrowing func set<Value: BitwiseCopyable>(
        _ option: Int32, at level: Int32, to value: Value, _ operation: @autoclosure () -> String
    ) throws(ReactorError) {
        let status = withUnsafePointer(to: value) {
            setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size))
        }
        guard status == 0 else { throw .last(operation()) }
    }

    /// Takes the error that the kernel keeps for the socket, 0 if there is none.
    borrowing func takeError() -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }

    /// The address of this end; nil if the kernel no longer knows it.
    borrowing func localAddress() -> SocketAddress? {
        let descriptor = descriptor
        return SocketAddress.filled { getsockname(descriptor, $0, $1) }.address
    }

    /// The address of the other end; nil if the kernel no longer knows it.
    borrowing func peerAddress() -> SocketAddress? {
        let descriptor = descriptor
        return SocketAddress.filled { getpeername(descriptor, $0, $1) }.address
    }
}

/// Repeats a system call that a signal interrupted.
///
/// - Returns: The call's value, and `errno` if it is negative (else 0).
@inline(__always)
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
    while true {
        let value = call()
        if value >= 0 { return (value, 0) }
        let error = errno
        if error != EINTR { return (value, error) }
    }
}
