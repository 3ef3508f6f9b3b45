internal import COpenSSL

/// Parameters for one of OpenSSL's algorithms, and the memory that they point to.
///
/// **Ownership:** owns that memory, which may hold secrets: it is wiped.
struct ParameterList: ~Copyable {
    private var parameters: [OSSL_PARAM] = []
    private var memory: [UnsafeMutableRawBufferPointer] = []

    /// Starts an empty list.
    init() {}

    deinit {
        for piece in memory {
            OPENSSL_cleanse(piece.baseAddress, piece.count)
            piece.deallocate()
        }
    }

    /// Adds octets.
    mutating func add(_ key: StaticString, octets: [UInt8]) {
        let copy = keep(octets, key: key)
        parameters.append(OSSL_PARAM_construct_octet_string(copy.key, copy.value, octets.count))
    }

    /// Adds a text.
    mutating func add(_ key: StaticString, text: StaticString) {
        let octets = text.withUTF8Buffer { [UInt8]($0) }
        // The length leaves the zero behind it out.
        let copy = keep(octets + [0], key: key)
        let characters = copy.value.bindMemory(to: CChar.self, capacity: octets.count + 1)
        parameters.append(OSSL_PARAM_construct_utf8_string(copy.key, characters, octets.count))
    }

    /// Adds a number.
    mutating func add(_ key: StaticString, number: CInt) {
        let copy = keep(withUnsafeBytes(of: number) { [UInt8]($0) }, key: key)
        let value = copy.value.bindMemory(to: CInt.self, capacity: 1)
        parameters.append(OSSL_PARAM_construct_int(copy.key, value))
    }

    /// Lends the list; it is valid only inside `body`.
    borrowing func withPointer<R>(_ body: (UnsafePointer<OSSL_PARAM>) -> R) -> R {
        let ended = parameters + [OSSL_PARAM_construct_end()]
        return ended.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("a list has an end") }
            return body(start)
        }
    }

    /// Copies a key and its value to where they stay.
    private mutating func keep(
        _ octets: [UInt8], key: StaticString
    ) -> (key: UnsafePointer<CChar>, value: UnsafeMutableRawPointer) {
        let name = allocate(key.withUTF8Buffer { [UInt8]($0) } + [0])
        let length = key.utf8CodeUnitCount + 1
        return (UnsafePointer(name.bindMemory(to: CChar.self, capacity: length)), allocate(octets))
    }

    private mutating func allocate(_ octets: [UInt8]) -> UnsafeMutableRawPointer {
        let piece = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(octets.count, 1), alignment: MemoryLayout<Int>.alignment)
        piece.copyBytes(from: octets)
        memory.append(piece)
        guard let start = piece.baseAddress else { preconditionFailure("an allocation has an address") }
        return start
    }
}
