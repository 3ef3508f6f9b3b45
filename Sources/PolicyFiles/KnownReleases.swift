internal import Pinning

/// Which releases of a library there are, as far as its way of deciding is known.
///
/// Others are refused: a number that no release has is a slip, and nothing can be said of releases still to come.
struct KnownReleases: Sendable {
    /// The first and the last release of a row without gaps.
    struct Row: Sendable {
        let first: LibraryVersion
        let last: LibraryVersion
        /// The last release as people say it.
        private let lastText: String

        /// Joins two releases; numbers that the last one leaves out may be any.
        init(_ first: LibraryVersion, to last: Int, _ minor: Int? = nil, _ patch: Int? = nil) {
            self.first = first
            self.last = LibraryVersion(last, minor ?? .max, patch ?? .max)
            lastText = [last, minor, patch].compactMap { $0.map(String.init) }.joined(separator: ".")
        }

        /// Such as `3.0 to 3.2.1`, or `2` for all that begin with it.
        var text: String {
            let firstText = "\(first.major).\(first.minor)"
            return firstText.hasPrefix(lastText) ? lastText : "\(firstText) to \(lastText)"
        }
    }

    /// The library's name.
    let library: String
    let rows: [Row]

    static let afNetworking = KnownReleases(
        library: "AFNetworking",
        rows: [
            Row(LibraryVersion(2, 0), to: 2, 7, 0), Row(LibraryVersion(3, 0), to: 3, 2, 1),
            Row(LibraryVersion(4, 0), to: 4, 0, 1),
        ])
    static let alamofire = KnownReleases(
        library: "Alamofire",
        rows: [Row(LibraryVersion(4, 0), to: 4, 9, 1), Row(LibraryVersion(5, 0), to: 5, 12)])
    /// curl has `--pinnedpubkey` since 7.39.
    static let curl = KnownReleases(
        library: "curl", rows: [Row(LibraryVersion(7, 39), to: 7, 88, 1), Row(LibraryVersion(8, 0), to: 8, 20)])
    /// OkHttp has `CertificatePinner` since 2.1.
    static let okHttp = KnownReleases(
        library: "OkHttp",
        rows: [
            Row(LibraryVersion(2, 1), to: 2, 7, 5), Row(LibraryVersion(3, 0), to: 3, 14, 9),
            Row(LibraryVersion(4, 0), to: 4, 12, 0), Row(LibraryVersion(5, 0), to: 5, 4),
        ])
    static let trustKit = KnownReleases(
        library: "TrustKit",
        rows: [
            Row(LibraryVersion(1, 0), to: 1, 7), Row(LibraryVersion(2, 0), to: 2, 0),
            Row(LibraryVersion(3, 0), to: 3, 0, 7),
        ])
    static let urllib3 = KnownReleases(
        library: "urllib3", rows: [Row(LibraryVersion(1, 0), to: 1, 26), Row(LibraryVersion(2, 0), to: 2)])

    /// What is wrong with a release's number; nil if there is such a release.
    func problem(with version: LibraryVersion) -> String? {
        if rows.contains(where: { $0.first <= version && version <= $0.last }) { return nil }
        return "\(library) \(version) is no release that is known; known are "
            + rows.map(\.text).joined(separator: ", ")
    }
}

extension PolicyFile {
    /// Throws if the environment names a release that there is not.
    func expectKnown(_ version: LibraryVersion?, of releases: KnownReleases) throws(PolicyFileError) {
        guard let problem = version.flatMap(releases.problem) else { return }
        throw PolicyFileError(problem, in: name)
    }
}
