/// What an alert from a client can be about, by its number (RFC 8446 section 6.2, RFC 5246 section 7.2.2).
enum AlertMeaning: Equatable {
    /// The end, or a user's doing, and nothing else: close_notify, and user_canceled, which some stacks send before it.
    case farewell
    /// The certificate that was shown.
    case certificate
    /// Protocols, algorithms or names.
    case parameters
    /// Anything else.
    case other

    /// The level is not looked at: in TLS 1.3 it means nothing (RFC 8446 section 6).
    init(_ code: UInt8) {
        switch code {
        case 0, 90: self = .farewell
        // bad, unsupported, revoked, expired, unknown; unknown_ca, access_denied; decrypt_error, which is what a signature
        // that does not verify gives; bad_certificate_status_response.
        case 42...46, 48, 49, 51, 113: self = .certificate
        // handshake_failure, protocol_version, insufficient_security, internal_error, missing_extension,
        // unrecognized_name, no_application_protocol.
        case 40, 70, 71, 80, 109, 112, 120: self = .parameters
        default: self = .other
        }
    }
}
