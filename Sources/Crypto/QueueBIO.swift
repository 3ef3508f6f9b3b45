internal import COpenSSL
internal import COpenSSLShims
internal import Wire

/// The transport of a TLS session: OpenSSL reads what was received from one queue and writes what is to be sent to
/// another, with one copy each and nothing in between.
///
/// The end of the stream is never told to OpenSSL: an empty queue means "later". Whoever owns the socket knows how the
/// stream ended, and says so better than a TLS error could.
///
/// **Ownership:** the `BIO` that `makeBIO()` returns refers to this object without holding it, so this object must
/// outlive it; both belong to one session. **Thread:** confined to the session's thread.
final class QueueBIO {
    let inbound = ByteQueue()
    let outbound = ByteQueue()
    var onWire: ((_ sent: Bool, _ bytes: UnsafeRawBufferPointer) -> Void)?

    /// Makes the `BIO`; the caller owns it.
    func makeBIO() -> OpaquePointer {
        guard let bio = BIO_new(queueMethod.raw) else { preconditionFailure("out of memory") }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Moves up to `room` received bytes to `target`; zero if there are none.
    fileprivate func receive(into target: UnsafeMutableRawPointer, room: Int) -> Int {
        let amount = min(inbound.count, room)
        guard amount > 0 else { return 0 }
        inbound.withBytes { bytes in
            if let source = bytes.baseAddress { target.copyMemory(from: source, byteCount: amount) }
        }
        onWire?(false, UnsafeRawBufferPointer(start: target, count: amount))
        inbound.consume(amount)
        return amount
    }

    /// Queues bytes to be sent.
    fileprivate func send(_ bytes: UnsafeRawBufferPointer) {
        onWire?(true, bytes)
        outbound.append(bytes)
    }
}

// Sendable: a BIO_METHOD is a table of functions, not written to after it was made.
/// OpenSSL's table of functions for a `QueueBIO`, made once for the process and never freed.
private struct QueueMethod: @unchecked Sendable {
    let raw: OpaquePointer

    init() {
        let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(type, "byte queues") else { preconditionFailure("out of memory") }
        BIO_meth_set_read_ex(method, readQueue)
        BIO_meth_set_write_ex(method, writeQueue)
        BIO_meth_set_ctrl(method, controlQueue)
        raw = method
    }
}

private let queueMethod = QueueMethod()

private func readQueue(
    _ bio: OpaquePointer?, _ target: UnsafeMutablePointer<CChar>?, _ room: Int, _ read: UnsafeMutablePointer<Int>?
) -> CInt {
    guard let bio, let target, let read, let context = BIO_get_data(bio) else { return 0 }
    copenssl_BIO_clear_retry_flags(bio)
    read.pointee = Unmanaged<QueueBIO>.fromOpaque(context).takeUnretainedValue().receive(into: target, room: room)
    guard read.pointee == 0 else { return 1 }
    copenssl_BIO_set_retry_read(bio)
    return 0
}

private func writeQueue(
    _ bio: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ count: Int, _ written: UnsafeMutablePointer<Int>?
) -> CInt {
    guard let bio, let source, let written, let context = BIO_get_data(bio) else { return 0 }
    copenssl_BIO_clear_retry_flags(bio)
    let transport = Unmanaged<QueueBIO>.fromOpaque(context).takeUnretainedValue()
    transport.send(UnsafeRawBufferPointer(start: source, count: count))
    written.pointee = count
    return 1
}

/// Answers the one request that libssl relies on: a flush always succeeds, for there is nothing to flush.
private func controlQueue(
    _ bio: OpaquePointer?, _ command: CInt, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
