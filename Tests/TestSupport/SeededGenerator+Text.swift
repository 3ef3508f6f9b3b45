extension SeededGenerator {
    /// A text that a hostile peer might send: random bytes read as UTF-8, or scalars from awkward ranges.
    public mutating func text() -> String {
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
