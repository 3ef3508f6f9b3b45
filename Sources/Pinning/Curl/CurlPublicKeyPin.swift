internal import Wire

/// The value of curl's `--pinnedpubkey` (PS-7-1).
public struct CurlPublicKeyPin: Sendable, Hashable {
    private enum Value: Hashable {
        /// Digests, each as its Base64 text.
        case digests([String])
        /// A file with a key, and what is in it; nil if it cannot be read.
        case file(name: String, contents: [UInt8]?)
    }

    /// The release that is taken for granted.
    public static let newest = LibraryVersion(8, 20)
    /// Since when lists are split at each semicolon: 7.88 and the sources of 8.17 do not, those of August 2026 do.
    private static let splitsAtSemicolons = LibraryVersion(8, 18)

    /// Larger files are not looked at.
    private static let maximumFileSize = 1 << 20
    private static let digestPrefix = "sha256//"

    private let value: Value

    /// Reads the option's value.
    ///
    /// - Parameters:
    ///   - text: `sha256//` and Base64, several with semicolons between, or else a file's name.
    ///   - version: curl's release, which decides how a list is taken apart.
    ///   - read: Reads the file; nil if it cannot be read, which is a pin that matches nothing.
    public init(
        _ text: String, version: LibraryVersion = Self.newest, read: (_ name: String) -> [UInt8]?
    ) {
        guard text.hasPrefix(Self.digestPrefix) else {
            value = .file(name: text, contents: read(text))
            return
        }
        if version < Self.splitsAtSemicolons {
            // A semicolon without the prefix behind it belongs to the digest, which then is none.
            let list = text.dropFirst(Self.digestPrefix.count)
            value = .digests(
                list.split(separator: ";" + Self.digestPrefix, omittingEmptySubsequences: false).map(String.init))
        } else {
            // What follows the first element without the prefix is lost.
            let elements = text.split(separator: ";", omittingEmptySubsequences: false)
            let digests = elements.prefix { $0.hasPrefix(Self.digestPrefix) }
            value = .digests(digests.map { String($0.dropFirst(Self.digestPrefix.count)) })
        }
    }

    /// The pin that matches a certificate's key, as it was given; nil if none does.
    ///
    /// Digests are compared as text with curl's own Base64, so that only canonical text ever matches.
    func match(_ certificate: CertificateFacts) -> String? {
        let details = certificate.details
        guard !details.spki.isEmpty else { return nil }
        switch value {
        case .digests(let digests):
            let wanted = Base64.encode(details.spkiSHA256)
            return digests.contains(wanted) ? Self.digestPrefix + wanted : nil
        case .file(let name, let contents):
            guard let contents, (details.spki.count...Self.maximumFileSize).contains(contents.count) else { return nil }
            let key = contents.count == details.spki.count ? contents : Self.key(inPEM: contents)
            return key == details.spki ? name : nil
        }
    }

    /// The first public key of a PEM text; it has to begin a line, and other text may stand before it.
    private static func key(inPEM text: [UInt8]) -> [UInt8]? {
        let begin = Array("-----BEGIN PUBLIC KEY-----".utf8)
        let end = Array("\n-----END PUBLIC KEY-----".utf8)
        // The file is a C string: it ends at the first zero.
        let text = text.prefix { $0 != 0 }
        guard let start = text.firstRange(of: begin) else { return nil }
        let isLineStart = start.lowerBound == text.startIndex || text[start.lowerBound - 1] == UInt8(ascii: "\n")
        guard isLineStart, let stop = text[start.upperBound...].firstRange(of: end) else { return nil }
        let body = text[start.upperBound..<stop.lowerBound].filter {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        return Base64.decode(body)
    }
}

extension ArraySlice<UInt8> {
    /// Where the bytes first stand.
    fileprivate func firstRange(of bytes: [UInt8]) -> Range<Int>? {
        guard count >= bytes.count else { return nil }
        for start in startIndex...(endIndex - bytes.count) where self[start...].starts(with: bytes) {
            return start..<start + bytes.count
        }
        return nil
    }
}
