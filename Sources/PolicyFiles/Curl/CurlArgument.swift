internal import Wire

/// One option of curl as it was given.
struct CurlArgument {
    /// Its long name, without dashes and without `no-`.
    var name: String
    /// Whether it was given as `--no-name`.
    var isNegated = false
    /// What it was told; nil for nothing.
    var value: String?
    /// The line.
    var line: Int
}

/// Which options curl has that matter here, and which take a value.
enum CurlOptionTable {
    /// Options that are read; each with a value or without.
    static let readWithValue: Set<String> = ["pinnedpubkey", "cacert", "max-redirs", "proxy-pinnedpubkey"]
    static let readFlags: Set<String> = ["follow", "insecure", "location", "location-trusted"]

    /// Options that change whom curl trusts, or to whom it talks, and are not emulated.
    static let trustWithValue: Set<String> = [
        "capath", "cert", "cert-type", "ciphers", "config", "connect-to", "crlfile", "curves", "ech", "engine", "key",
        "key-type", "pass", "proxy-cacert", "proxy-capath", "proxy-cert", "proxy-ciphers", "proxy-crlfile", "proxy-key",
        "resolve", "sigalgs", "signature-algorithms", "ssl-sessions", "tls-max", "tls13-ciphers", "tlsauthtype",
        "tlspassword", "tlsuser",
    ]
    static let trustFlags: Set<String> = [
        "ca-native", "cert-status", "doh-cert-status", "doh-insecure", "false-start", "http3", "http3-only", "next",
        "proxy-ca-native", "proxy-insecure", "sessionid", "ssl", "ssl-allow-beast", "ssl-auto-client-cert",
        "ssl-no-revoke", "ssl-reqd", "ssl-revoke-best-effort", "sslv2", "sslv3", "tlsv1", "tlsv1.0", "tlsv1.1",
        "tlsv1.2", "tlsv1.3", "tls-earlydata",
    ]

    /// Other options that take a value, so that a command line's next word is known to be one.
    private static let othersWithValue: Set<String> = [
        "abstract-unix-socket", "alt-svc", "aws-sigv4", "connect-timeout", "continue-at", "cookie", "cookie-jar",
        "create-file-mode", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "delegation",
        "dns-interface", "dns-ipv4-addr", "dns-ipv6-addr", "dns-servers", "doh-url", "dump-header", "egd-file",
        "etag-compare", "etag-save", "expect100-timeout", "form", "form-string", "ftp-account",
        "ftp-alternative-to-user", "ftp-method", "ftp-port", "ftp-ssl-ccc-mode", "happy-eyeballs-timeout-ms",
        "haproxy-clientip", "header", "hostpubmd5", "hostpubsha256", "hsts", "interface", "ip-tos", "ipfs-gateway",
        "json", "keepalive-cnt", "keepalive-time", "knownhosts", "krb", "libcurl", "limit-rate", "local-port",
        "login-options",
        "mail-auth", "mail-from", "mail-rcpt", "max-filesize", "max-time", "netrc-file", "noproxy", "oauth2-bearer",
        "output", "output-dir", "parallel-max", "parallel-max-host", "preproxy", "proto", "proto-default",
        "proto-redir", "proxy",
        "proxy-cert-type", "proxy-header", "proxy-key-type", "proxy-pass", "proxy-service-name", "proxy-tls13-ciphers",
        "proxy-tlsauthtype", "proxy-tlspassword", "proxy-tlsuser", "proxy-user", "proxy1.0", "pubkey", "quote",
        "random-file", "range", "rate", "referer", "request", "request-target", "retry", "retry-delay",
        "retry-max-time", "sasl-authzid", "service-name", "socks4", "socks4a", "socks5", "socks5-gssapi-service",
        "socks5-hostname", "speed-limit", "speed-time", "stderr", "telnet-option", "tftp-blksize", "time-cond",
        "trace", "trace-ascii", "trace-config", "unix-socket", "upload-file", "upload-flags", "url", "url-query",
        "user", "user-agent",
        "variable", "vlan-priority", "write-out",
    ]

    /// Other options without a value that people write; only for telling that a file is curl's.
    private static let otherFlags: Set<String> = [
        "compressed", "fail", "head", "include", "show-error", "silent", "verbose",
    ]

    /// Options that matter, by their letters.
    private static let letters: [Character: String] = [
        "k": "insecure", "L": "location", "E": "cert", "K": "config", "1": "tlsv1", "2": "sslv2", "3": "sslv3",
        ":": "next",
    ]
    private static let lettersWithValue = "AbcCdDeEFHKmoPQrtTuUwxXyYz"
    private static let lettersAlone = "#012346:aBfgGhiIjJklLMnNOpqRsSvVZ"

    /// Whether an option takes a value.
    static func takesValue(_ name: String) -> Bool {
        readWithValue.contains(name) || trustWithValue.contains(name) || othersWithValue.contains(name)
    }

    /// Whether curl has an option of that name that is known here.
    static func isKnown(_ name: String) -> Bool {
        takesValue(name) || readFlags.contains(name) || trustFlags.contains(name) || otherFlags.contains(name)
    }

    /// Whether an option is read, or may change whom curl trusts.
    static func counts(_ name: String) -> Bool {
        readWithValue.contains(name) || readFlags.contains(name) || trustWithValue.contains(name)
            || trustFlags.contains(name)
    }

    /// The long name of a letter, or the letter itself, and whether it takes a value; nil if curl does not know it.
    static func letter(_ letter: Character) -> (name: String, takesValue: Bool)? {
        let takesValue = lettersWithValue.contains(letter)
        guard takesValue || lettersAlone.contains(letter) else { return nil }
        return (letters[letter] ?? String(letter), takesValue)
    }
}

/// What somebody may have meant.
extension CurlOptionTable {
    private static let counting = readWithValue.union(readFlags).sorted()

    /// The option that counts and that somebody may have meant; nil if none is near.
    static func meant(by name: String) -> String? { name.count > 1 ? nearest(name, among: counting) : nil }

    /// The option that counts and that somebody may have meant with a single dash; nil if none is near.
    static func meant(byLetters letters: Substring) -> String? {
        let name = String(letters.prefix { $0 != "=" })
        // Letters and a value joined to them are seldom long and alike from the first letter on.
        guard name.count > 4 else { return nil }
        return nearest(name, among: counting.filter { $0.first == name.first })
    }

    /// The option that counts and that somebody may have meant with a dash that is no hyphen; nil if none is near.
    static func meant(byTypographic word: String) -> String? {
        let dashes: Set<Character> = ["\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}"]
        guard let first = word.first, dashes.contains(first) else { return nil }
        let name = word.drop { dashes.contains($0) || $0 == "-" }.prefix { $0 != "=" }
        return name == "k" ? "insecure" : meant(by: String(name))
    }

    private static func nearest(_ name: String, among names: [String]) -> String? {
        names.first { $0.hasPrefix(name) } ?? NearestName.of(name, among: names)
    }
}
