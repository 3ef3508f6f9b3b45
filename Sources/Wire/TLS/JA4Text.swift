/// The parts that JA4 and JA4S have in common.
enum JA4Text {
    /// A version in two characters.
    static func version(_ value: UInt16?) -> String {
        switch value {
        case 0x0304: "13"
        case 0x0303: "12"
        case 0x0302: "11"
        case 0x0301: "10"
        case 0x0300: "s3"
        case 0x0002: "s2"
        case 0xfeff: "d1"
        case 0xfefd: "d2"
        case 0xfefc: "d3"
        default: "00"
        }
    }

    /// The first and the last character of an application protocol; two zeros without one.
    static func applicationProtocol(_ name: [UInt8]?) -> String {
        guard let name, let first = name.first, let last = name.last else { return "00" }
        let readable = [first, last].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        let characters = readable ? [first, last] : [Hex.digit(first >> 4), Hex.digit(last & 15)]
        return String(decoding: characters, as: UTF8.self)
    }

    /// A number in two digits, 99 at most.
    static func count(_ count: Int) -> String {
        let shown = min(count, 99)
        return shown < 10 ? "0\(shown)" : "\(shown)"
    }
}
