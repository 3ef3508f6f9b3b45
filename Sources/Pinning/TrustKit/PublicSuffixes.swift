/// The list of public suffixes (publicsuffix.org) that a library carries, as a function.
public protocol PublicSuffixes: Sendable {
    /// How long the public suffix at the end of a host is.
    ///
    /// It is told the host as it is spelled. A trailing dot belongs to the suffix (`com.` is 4); rules of the private
    /// section count as those of the registries do (`s3.amazonaws.com`).
    ///
    /// - Parameter host: The host.
    /// - Returns: The suffix's octets in UTF-8, without the dot before it; 0 if the host has none that is known, as
    ///   addresses and `localhost` have none, or is too short to have anything before it.
    func suffixLength(of host: String) -> Int
}
