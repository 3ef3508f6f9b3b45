/// Bodies of any length that are computed, never stored.
///
/// The octet at offset *i* of a pattern body is `block[i % 65521]`. 65,521 is prime, so no power of two, and with it no
/// buffer, frame or record size, is a multiple of the period: a block that went missing, came twice or out of order
/// changes what follows and is noticed.
///
/// The block comes from Knuth's 64-bit linear congruential generator (MMIX, *The Art of Computer Programming* volume 2,
/// section 3.3.4): `state = state * 6364136223846793005 + 1442695040888963407` modulo 2^64, from state 0; each step
/// yields the state's highest octet. Any language makes the same bytes in five lines.
public enum BodyPattern {
    /// The number of octets after which the pattern repeats.
    public static let period = 65_521

    private static let block: [UInt8] = {
        var state: UInt64 = 0
        return (0..<period).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }()

    /// Fills `buffer` with the octets of a pattern body that start at `offset`.
    public static func fill(into buffer: UnsafeMutableRawBufferPointer, offset: UInt64) {
        block.withUnsafeBytes { block in
            var filled = 0
            var start = Int(offset % UInt64(period))
            while filled < buffer.count {
                let piece = block[start..<min(period, start + buffer.count - filled)]
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: .init(rebasing: piece))
                filled += piece.count
                start = 0
            }
        }
    }
}
