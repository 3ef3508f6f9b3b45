internal import COpenSSL
internal import Wire

/// A line of a key log (the SSLKEYLOGFILE format, RFC 9850), taken apart.
private struct KeyLogLine {
    let label: String
    let clientRandom: [UInt8]
    let secret: [UInt8]

    /// Reads "LABEL random secret", the latter two in hexadecimal; nil if it is something else.
    init?(_ line: String) {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let random = Hex.decode(parts[1].utf8), let secret = Hex.decode(parts[2].utf8) else {
            return nil
        }
        (label, clientRandom, self.secret) = (String(parts[0]), random, secret)
    }
}

/// OpenSSL's report of a secret of a session, which it makes for every session of a context: most have no listener.
func reportSecret(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let session = TLSSession.of(ssl), let onSecret = session.onSecret, let line,
        let parts = KeyLogLine(String(cString: line))
    else { return }
    onSecret(parts.label, parts.clientRandom, parts.secret)
}
