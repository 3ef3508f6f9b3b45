internal import TestSupport

extension [UInt8] {
    /// The bytes in pieces, cut in a way that only the bytes decide, so that an input alone repeats a failure.
    var pieces: [[UInt8]] {
        var generator = generator
        return generator.pieces(self)
    }

    /// Random numbers that only the bytes decide.
    var generator: SeededGenerator {
        // FNV-1a.
        SeededGenerator(seed: reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }
}
