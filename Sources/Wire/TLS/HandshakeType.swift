/// The types of handshake messages: their first octet (RFC 8446 section 4, RFC 5246 section 7.4, and the IANA registry).
public enum HandshakeType {
    /// hello_request (TLS 1.2).
    public static let helloRequest: UInt8 = 0
    /// client_hello.
    public static let clientHello: UInt8 = 1
    /// server_hello, and so a HelloRetryRequest.
    public static let serverHello: UInt8 = 2
    /// new_session_ticket.
    public static let newSessionTicket: UInt8 = 4
    /// end_of_early_data.
    public static let endOfEarlyData: UInt8 = 5
    /// encrypted_extensions.
    public static let encryptedExtensions: UInt8 = 8
    /// certificate.
    public static let certificate: UInt8 = 11
    /// server_key_exchange (TLS 1.2).
    public static let serverKeyExchange: UInt8 = 12
    /// certificate_request.
    public static let certificateRequest: UInt8 = 13
    /// server_hello_done (TLS 1.2).
    public static let serverHelloDone: UInt8 = 14
    /// certificate_verify.
    public static let certificateVerify: UInt8 = 15
    /// client_key_exchange (TLS 1.2).
    public static let clientKeyExchange: UInt8 = 16
    /// finished.
    public static let finished: UInt8 = 20
    /// certificate_status (TLS 1.2).
    public static let certificateStatus: UInt8 = 22
    /// key_update.
    public static let keyUpdate: UInt8 = 24
    /// What stands for the first ClientHello in hashes once another was asked for (RFC 8446 section 4.4.1).
    public static let messageHash: UInt8 = 254
}
