internal import CPublicSuffix
public import Pinning

/// The public suffix list (publicsuffix.org) that the system's libpsl has built in.
///
/// A top-level domain that is not on the list is no suffix: libraries of pins want known ones, though the list's own
/// algorithm takes every last label for one.
///
/// **Thread:** usable from any thread.
public struct PublicSuffixList: PublicSuffixes {
    /// No name is longer in octets (RFC 1035, 2.3.4, and a dot at the end).
    private static let longestName = 254

    /// Opens the list.
    public init() {}

    /// How long the public suffix at the end of a host is, by the list.
    ///
    /// Case does not matter. International names are looked up as they are spelled, in Unicode or in ASCII.
    ///
    /// - Parameter host: The host.
    /// - Returns: The suffix's octets; 0 if the host has none.
    public func suffixLength(of host: String) -> Int {
        let length = host.utf8.count
        // The built-in list is part of the library and is never freed; a libpsl may be built without one.
        guard length <= Self.longestName, !host.utf8.contains(0), let list = psl_builtin() else { return 0 }
        let dot = UInt8(ascii: ".")
        let end = host.utf8.last == dot ? 1 : 0
        let labels = host.utf8.dropLast(end).split(separator: dot, omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { return 0 }
        // In lower case a name may have other octets, but no other dots.
        var name = Array(host.lowercased().utf8.dropLast(end))[...]
        var rest = length
        // The longest suffix counts, so the whole name is asked for first.
        for label in labels {
            let type = PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE
            if psl_is_public_suffix2(list, String(decoding: name, as: UTF8.self), type) == 1 { return rest }
            rest -= label.count + 1
            name = name.drop { $0 != dot }.dropFirst()
        }
        return 0
    }
}
