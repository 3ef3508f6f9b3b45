public import Wire

/// How Apple's SSL policy compares a host with a name in a certificate (PS-0.5-1).
///
/// OpenSSL's matcher is not used because it is stricter than what is emulated: it knows no wildcard beside an
/// underscore, in the pattern or in the label that the asterisk stands for.
public enum AppleHostMatch {
    /// Whether a dNSName covers a host.
    ///
    /// Label by label, without regard to case; an asterisk stands for one whole left-most label, with at least two
    /// more behind it that are no public suffix.
    ///
    /// - Parameters:
    ///   - name: The dNSName as it stands in the certificate.
    ///   - host: The host that was asked for; an address is never covered by a dNSName.
    ///   - suffixes: The public suffixes; nil if there is no list, and none is refused.
    /// - Returns: Whether the certificate is for the host.
    public static func dnsName(
        _ name: [UInt8], covers host: HostName, suffixes: (any PublicSuffixes)? = nil
    ) -> Bool {
        guard case .dns(let reference) = host.kind else { return false }
        let wanted = reference.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let presented = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard wanted.count == presented.count else { return false }
        let isWildcard = presented.count > 2 && presented[0].elementsEqual([UInt8(ascii: "*")])
        if isWildcard, let suffixes {
            let behind = reference.utf8.count - wanted[0].count - 1
            guard suffixes.suffixLength(of: reference) < behind else { return false }
        }
        return zip(wanted, presented).dropFirst(isWildcard ? 1 : 0).allSatisfy { wanted, presented in
            presented.map(lowercased).elementsEqual(wanted)
        }
    }

    /// Whether an iPAddress covers a host: the octets are the same.
    ///
    /// - Parameters:
    ///   - address: The octets as they stand in the certificate.
    ///   - host: The host that was asked for.
    /// - Returns: Whether the certificate is for the host.
    public static func address(_ address: [UInt8], covers host: HostName) -> Bool { host.addressBytes == address }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
