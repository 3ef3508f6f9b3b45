internal import COpenSSL
internal import COpenSSLShims

/// A message of the TLS protocol itself, in the clear.
public struct TLSMessage: Equatable, Sendable {
    /// The content types that are observed (RFC 8446 section 5.1).
    public enum Content: UInt8, Sendable {
        /// One change_cipher_spec byte.
        case changeCipherSpec = 20
        /// Two bytes: level and description.
        case alert = 21
        /// A whole handshake message with its header of four bytes.
        case handshake = 22
    }

    /// Whether this end sent it.
    public let sent: Bool
    /// What it is.
    public let content: Content
    /// The message.
    public let bytes: [UInt8]
}

extension TLSSession {
    /// Has OpenSSL report messages as long as someone wants them.
    func observeMessages() {
        SSL_set_msg_callback(ssl, onMessage == nil ? nil : reportMessage)
    }
}

/// OpenSSL's report of something sent or received.
///
/// It comes for each record's header too, and for the inner type of TLS 1.3's records; those are dropped first.
private func reportMessage(
    _ sent: CInt, _ version: CInt, _ contentType: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ ssl: OpaquePointer?,
    _ argument: UnsafeMutableRawPointer?
) {
    guard let rawType = UInt8(exactly: contentType), let content = TLSMessage.Content(rawValue: rawType),
        let session = TLSSession.of(ssl), let observer = session.onMessage
    else { return }
    let message = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    observer(TLSMessage(sent: sent != 0, content: content, bytes: message))
}
