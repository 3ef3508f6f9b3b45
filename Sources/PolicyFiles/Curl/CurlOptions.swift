internal import Pinning

/// What of curl's options decides about servers.
struct CurlOptions: Sendable {
    /// `--pinnedpubkey`; nil if it is not given.
    var pin: String?
    /// What is in the file that it may name; nil if that cannot be read.
    var pinFile: [UInt8]?
    /// `--insecure`.
    var isInsecure = false
    /// The certificates of `--cacert`; nil if it is not given.
    var authorities: [CertificateFacts]?
    /// `--location`.
    var followsRedirects = false
    /// `--max-redirs`.
    var maximumRedirects = 50

    /// The first option that `=` joins to its parameter; nil if none is.
    var joined: CurlJoinedOption?

    /// Since when curl splits long options at `=` (M: from memory, not looked up in its source).
    static let joinedSince = LibraryVersion(8, 16)

    /// The policy of a release.
    func policy(version: LibraryVersion) -> CurlPolicy {
        CurlPolicy(
            pin: pin.map { CurlPublicKeyPin($0, version: version) { _ in pinFile } }, isInsecure: isInsecure,
            authorities: authorities)
    }

    /// What becomes of redirects.
    var redirects: RedirectConduct {
        followsRedirects ? .curl(limit: maximumRedirects) : .none
    }
}
