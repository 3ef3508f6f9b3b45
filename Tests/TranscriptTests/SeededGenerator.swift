/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// So many random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// A text that a hostile peer might send: random bytes read as UTF-8, or scalars from awkward ranges.
    mutating func text() -> String {
        let length = Int.random(in: 0...40, using: &self)
        if Bool.random(using: &self) { return String(decoding: bytes(length), as: UTF8.self) }
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x7F...0x9F, 0x300...0x36F, 0x2000...0x206F,
            0xE000...0xFFFF, 0x1F300...0x1FAFF, 0x10FF00...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<length {
            let range = ranges[Int.random(in: ranges.indices, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}
