internal import Wire

/// OkHttp's `OkHostnameVerifier` (PS-0.5-2), which TrustKit for Android has a copy of.
///
/// Only alternative names count. A dot at the end of either side is as good as none.
public enum OkHostnameVerifier {
    /// Whether a certificate is for a host.
    ///
    /// - Parameters:
    ///   - certificate: The server's own certificate.
    ///   - host: The host as the URL has it.
    ///   - comparesAddressText: Whether addresses are compared as Java writes them, as before 4.5 on a JVM.
    /// - Returns: Whether one of its names covers the host.
    public static func accepts(
        _ certificate: CertificateFacts, for host: String, comparesAddressText: Bool = false
    ) -> Bool {
        let names = certificate.details.names
        if let address = HostName(host), address.isAddress {
            return names.contains { name in
                guard case .address(let octets) = name else { return false }
                if comparesAddressText, octets.count == 16 { return javaText(octets) == host.lowercased() }
                return HostName(addressBytes: octets) == address
            }
        }
        return names.contains { name in
            guard case .dns(let pattern) = name else { return false }
            return covers(pattern, host)
        }
    }

    /// An IPv6 address as Java writes it: no group is left out, though a URL's address leaves out zeros.
    private static func javaText(_ octets: [UInt8]) -> String {
        stride(from: 0, to: octets.count, by: 2)
            .map { String(UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// Whether a dNSName covers a name: its asterisk stands for one whole left-most label, above anything.
    private static func covers(_ pattern: String, _ host: String) -> Bool {
        guard let host = absolute(host), let pattern = absolute(pattern) else { return false }
        guard pattern.contains("*") else { return pattern == host }
        guard pattern.hasPrefix("*."), pattern != "*.", !pattern.dropFirst().contains("*") else { return false }
        let suffix = pattern.dropFirst()
        guard host.utf8.count >= pattern.utf8.count, host.hasSuffix(suffix) else { return false }
        return !host.dropLast(suffix.count).contains(".")
    }

    /// The name in lower case with a dot at its end; nil for one that no name can be equal to.
    private static func absolute(_ name: String) -> String? {
        guard !name.isEmpty, !name.hasPrefix("."), !name.hasSuffix("..") else { return nil }
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return name.lowercased() + (name.hasSuffix(".") ? "" : ".")
    }
}
