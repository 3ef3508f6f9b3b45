/// The release of a pinning library that is emulated, such as 2.6.3: libraries decide differently from band to band.
public struct LibraryVersion: Sendable, Hashable {
    /// The first number.
    public let major: Int
    /// The second number.
    public let minor: Int
    /// The third number; 0 where a release has none.
    public let patch: Int

    /// Names a release.
    public init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads a release as people write it: one to three decimal numbers with points between; missing ones are 0.
    ///
    /// - Parameter text: Such as `2.6.3`, `2.6` or `4`. Pre-releases, signs, spaces and leading `v`s are refused.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var numbers = [0, 0, 0]
        for (index, part) in parts.enumerated() {
            let isDecimal = part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard isDecimal, (1...6).contains(part.count), let number = Int(Substring(part)) else { return nil }
            numbers[index] = number
        }
        self.init(numbers[0], numbers[1], numbers[2])
    }
}

extension LibraryVersion: Comparable {
    /// Whether one release came before another, by its numbers.
    public static func < (left: LibraryVersion, right: LibraryVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}

extension LibraryVersion: CustomStringConvertible {
    /// The release with all of its three numbers.
    public var description: String { "\(major).\(minor).\(patch)" }
}
