import Testing
import Wire

/// The pattern is what other programs check downloads against: its bytes must never change.
@Suite struct AnswerPatternTests {
    private func pattern(_ count: Int, at offset: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { BodyPattern.fill(into: $0, offset: offset) }
        return bytes
    }

    @Test func startsAsTheGeneratorPrescribes() {
        // Computed apart from this code, from the generator in the documentation. The first is the top octet of
        // 0x14057B7EF767814F, the increment itself.
        #expect(
            pattern(16, at: 0) == [
                0x14, 0x1A, 0x9A, 0x66, 0x62, 0x8F, 0x14, 0x5B, 0x7B, 0x72, 0xA2, 0x5D, 0x0C, 0x18, 0xE9, 0x32,
            ])
    }

    @Test func repeatsAfter65521Octets() {
        // The last octet of the block is 30, then it starts again.
        #expect(pattern(4, at: 65_520) == [30, 0x14, 0x1A, 0x9A])
        #expect(pattern(3, at: 65_521 * 1_000_000_007 + 1) == [0x1A, 0x9A, 0x66])
    }

    @Test func aLongPieceEqualsItsParts() {
        let whole = pattern(200_000, at: 12_345)
        let parts = pattern(65_521, at: 12_345) + pattern(1, at: 77_866) + pattern(134_478, at: 77_867)
        #expect(whole == parts)
    }

    @Test func noBlockCanStandForItsNeighbour() {
        #expect(pattern(4096, at: 0) != pattern(4096, at: 4096))
        #expect(pattern(65_536, at: 0) != pattern(65_536, at: 65_536))
    }

    @Test func reachesTheEndOfTheNumbers() {
        // 2^16 is 15 modulo 65,521, so 2^64 - 1 is 15^4 - 1 = 50,624.
        #expect(pattern(1, at: .max) == pattern(1, at: 50_624))
        #expect(pattern(0, at: .max).isEmpty)
    }
}
