internal import COpenSSL

/// The OpenSSL that the program runs with.
public enum OpenSSLVersion {
    /// Its own words, such as "OpenSSL 3.0.22 1 Jan 2026".
    public static var text: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
