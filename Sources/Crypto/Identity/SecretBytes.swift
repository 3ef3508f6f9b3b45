internal import COpenSSL

/// Bytes that are overwritten when nobody needs them any more.
final class SecretBytes {
    private let storage: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes there are.
    let count: Int

    /// Takes what `fill` writes.
    ///
    /// - Parameters:
    ///   - capacity: How much it may write.
    ///   - fill: Writes and says how much; nil makes this nil.
    init?(capacity: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int?) {
        // One byte more, so that even nothing has an address.
        storage = .allocate(capacity: capacity + 1)
        storage.initialize(repeating: 0)
        guard let count = fill(UnsafeMutableBufferPointer(rebasing: storage.dropLast())) else {
            // With every property set, failing runs deinit.
            self.count = 0
            return nil
        }
        self.count = count
    }

    /// Copies `bytes`; what becomes of the original is the caller's matter.
    init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(capacity: bytes.count + 1)
        storage.initialize(repeating: 0)
        _ = storage.update(fromContentsOf: bytes)
        count = bytes.count
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// Lends the bytes; they always have an address.
    func withBytes<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(UnsafeBufferPointer(start: storage.baseAddress, count: count))
    }
}

/// Overwrites `bytes` in place, if nobody else holds them.
func cleanse(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
}
