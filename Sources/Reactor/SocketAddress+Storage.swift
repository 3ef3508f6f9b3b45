internal import Glibc

/// To and from the kernel's form.
extension SocketAddress {
    /// The address family, as socket(2) wants it.
    var domain: Int32 {
        switch family {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        }
    }

    /// Lends the address as bind(2) and connect(2) want it; the pointer is valid only inside `body`.
    func withStorage<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        switch family {
        case .ipv4(let number):
            var storage = sockaddr_in()
            storage.sin_family = sa_family_t(AF_INET)
            storage.sin_port = port.bigEndian
            storage.sin_addr.s_addr = number.bigEndian
            return Self.lend(storage, body)
        case .ipv6(let high, let low, let scope):
            var storage = sockaddr_in6()
            storage.sin6_family = sa_family_t(AF_INET6)
            storage.sin6_port = port.bigEndian
            storage.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &storage.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return Self.lend(storage, body)
        }
    }

    /// Reads what the kernel or a resolver filled in; nil for anything but IPv4 and IPv6.
    init?(_ raw: UnsafePointer<sockaddr>, length: socklen_t, port override: UInt16? = nil) {
        let bytes = UnsafeRawBufferPointer(start: raw, count: Int(length))
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            let storage = bytes.loadUnaligned(as: sockaddr_in.self)
            let number = UInt32(bigEndian: storage.sin_addr.s_addr)
            self.init(.ipv4(number), port: override ?? UInt16(bigEndian: storage.sin_port))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            let storage = bytes.loadUnaligned(as: sockaddr_in6.self)
            let (high, low) = withUnsafeBytes(of: storage.sin6_addr) { octets in
                (octets.loadUnaligned(as: UInt64.self), octets.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            let family = Family.ipv6(
                high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), scope: storage.sin6_scope_id)
            self.init(family, port: override ?? UInt16(bigEndian: storage.sin6_port))
        default:
            return nil
        }
    }

    /// Calls a function that fills an address in (accept4, getsockname, getpeername) and reads the address.
    ///
    /// - Returns: The call's value, and the address if the value is not negative.
    static func filled(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (value: Int32, address: SocketAddress?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                let value = call(raw, &length)
                guard value >= 0 else { return (value, nil) }
                return (value, SocketAddress(raw, length: length))
            }
        }
    }

    private static func lend<Storage, R>(_ storage: Storage, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                body(raw, socklen_t(MemoryLayout<Storage>.size))
            }
        }
    }
}
