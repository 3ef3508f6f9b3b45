internal import Wire

/// How curl compares a host with a certificate when it is built with OpenSSL.
enum CurlHostMatch {
    /// Whether a certificate is for a host.
    ///
    /// Alternative names count if there is any DNS name or address among them, of whichever kind the host is; else the
    /// last common name does.
    static func isCertificate(_ certificate: Certificate, for host: HostName) -> Bool {
        var isNamed = false
        for name in certificate.alternativeNames {
            switch name {
            case .dns(let pattern):
                isNamed = true
                if !host.isAddress, dnsName(pattern, covers: host) { return true }
            case .address(let octets):
                isNamed = true
                if octets == host.addressBytes { return true }
            case .email, .uri: continue
            }
        }
        return !isNamed && certificate.commonName.map { dnsName($0, covers: host) } ?? false
    }

    /// Whether a name covers a host, without regard to case and to a dot at the end.
    ///
    /// An asterisk is one whole left-most label of a host that is no address, and has two dots behind it or means
    /// itself.
    private static func dnsName(_ name: String, covers host: HostName) -> Bool {
        let dot = UInt8(ascii: ".")
        var pattern = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if pattern.last == dot { pattern.removeLast() }
        // A host is in lower case and without the dot already.
        let wanted = Array(host.text.utf8)
        guard pattern.starts(with: Array("*.".utf8)) else { return pattern == wanted }
        guard !host.isAddress else { return false }
        let behind = pattern.dropFirst(1)
        guard behind.dropFirst().contains(dot) else { return pattern == wanted }
        return wanted.firstIndex(of: dot).map { wanted[$0...].elementsEqual(behind) } ?? false
    }
}
