/// SplitMix64: a small generator whose whole state is the seed, so that a failing case can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Random octets, fewer than `count` of them.
    mutating func noise(below count: Int) -> [UInt8] {
        (0..<Int.random(in: 0..<count, using: &self)).map { _ in .random(in: .min ... .max, using: &self) }
    }

    /// A copy of `bytes` with a few octets changed, removed, inserted or repeated.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard let index = result.indices.randomElement(using: &self) else { break }
            switch Int.random(in: 0..<6, using: &self) {
            case 0: result[index] = .random(in: .min ... .max, using: &self)
            case 1: result[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: result.remove(at: index)
            case 3: result.insert(.random(in: .min ... .max, using: &self), at: index)
            case 4: result.removeSubrange(index...)
            default: result.insert(contentsOf: result[index...].prefix(16), at: index)
            }
        }
        return result
    }

    /// `bytes` cut into pieces of random size.
    mutating func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append([UInt8](rest.prefix(.random(in: 1...24, using: &self))))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        return pieces
    }
}
