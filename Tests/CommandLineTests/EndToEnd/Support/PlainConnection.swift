import Foundation
import Glibc
import Testing

/// A plain TCP connection of the test's own, for what no client would send.
final class PlainConnection: Sendable {
    private let descriptor: Int32

    struct Failed: Error {
        let step: String
        let errno: Int32
    }

    /// Connects to a port of 127.0.0.1; whatever takes longer than a minute afterwards fails.
    init(to port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failed(step: "socket", errno: errno) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in(loopbackPort: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let number = errno
            close(descriptor)
            throw Failed(step: "connect", errno: number)
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false if the peer would not take all of them.
    func send(_ bytes: [UInt8]) async -> Bool {
        await blocking { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What the peer sends, up to and with `mark` or up to its end.
    func receive(until mark: String? = nil) async throws -> String {
        let result: Result<[UInt8], Failed> = await blocking { descriptor in
            var received: [UInt8] = []
            var byte: UInt8 = 0
            while mark.map({ !received.suffix($0.utf8.count).elementsEqual($0.utf8) }) ?? true {
                let count = recv(descriptor, &byte, 1, 0)
                // A reset is an end too.
                if count == 0 || count < 0 && errno == ECONNRESET { break }
                guard count > 0 else { return .failure(Failed(step: "receive", errno: errno)) }
                received.append(byte)
            }
            return .success(received)
        }
        return String(decoding: try result.get(), as: UTF8.self)
    }

    /// Runs what blocks where it does not keep other tests from running.
    private func blocking<Value: Sendable>(_ body: @escaping @Sendable (Int32) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in continuation.resume(returning: body(descriptor)) }
        }
    }

}

/// A port of 127.0.0.1 at which nobody listens, and which nobody else gets as long as the test holds it.
final class UnservedPort {
    let number: Int
    private let descriptor: Int32

    /// Takes one; a server that sets SO_REUSEADDR may begin to serve it, if that is wanted.
    init(mayBeTakenOver: Bool = false) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isShared: Int32 = mayBeTakenOver ? 1 : 0
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in(loopbackPort: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        try #require(result == 0)
    }

    deinit { close(descriptor) }
}

extension sockaddr_in {
    /// 127.0.0.1 with a port.
    fileprivate init(loopbackPort port: Int) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }
}
