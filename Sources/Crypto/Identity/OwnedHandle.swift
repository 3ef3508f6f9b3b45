internal import COpenSSL

/// The one owner of an OpenSSL object that lives for a few calls and has no Swift type of its own.
///
/// **Ownership:** frees the object with the function that it was made with.
struct OwnedHandle: ~Copyable {
    private let raw: OpaquePointer
    private let release: (OpaquePointer?) -> Void

    /// Takes over one reference to `raw`.
    ///
    /// - Parameters:
    ///   - raw: The object.
    ///   - release: The C function that frees it.
    init(_ raw: OpaquePointer, _ release: @escaping (OpaquePointer?) -> Void) {
        self.raw = raw
        self.release = release
    }

    deinit { release(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R { try body(raw) }
}

extension OwnedHandle {
    /// Takes over a stack and its elements.
    ///
    /// - Parameters:
    ///   - stack: The stack, of whatever type.
    ///   - release: Frees one element.
    init(stack: OpaquePointer, freeingEach release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void) {
        self.init(stack) { OPENSSL_sk_pop_free($0, release) }
    }
}
