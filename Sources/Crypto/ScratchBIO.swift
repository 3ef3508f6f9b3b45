internal import COpenSSL

/// A memory `BIO` for one call that reads or writes text.
///
/// **Ownership:** frees the `BIO`, and with it what was written, which OpenSSL overwrites first.
struct ScratchBIO: ~Copyable {
    private let raw: OpaquePointer

    /// Makes an empty one to write to.
    init() {
        guard let raw = BIO_new(BIO_s_mem()) else { preconditionFailure("no memory for a BIO") }
        self.raw = raw
    }

    /// Makes one that reads `bytes`, which must outlive it.
    init(reading bytes: UnsafeBufferPointer<UInt8>) {
        // An empty array may have no address; OpenSSL wants one even for nothing.
        let length = Int32(clamping: bytes.count)
        guard let raw = bytes.baseAddress.map({ BIO_new_mem_buf($0, length) }) ?? BIO_new(BIO_s_mem()) else {
            preconditionFailure("no memory for a BIO")
        }
        self.raw = raw
    }

    deinit { BIO_free(raw) }

    /// Lends the handle; it is valid only inside `body`.
    borrowing func withHandle<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }

    /// What was written so far.
    borrowing func contents() -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let length = BIO_ctrl(raw, BIO_CTRL_INFO, 0, &start)
        return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : length))
    }
}
