internal import Wire

extension ValueFormat<[UInt8]> {
    /// A SHA-256 in hexadecimal.
    static var digest: ValueFormat {
        ValueFormat(
            placeholder: "HEX",
            parse: { (text) throws(ValueError) in
                guard let digest = Hex.decode(text.utf8), digest.count == 32 else {
                    throw ValueError(what: "not a digest", remedy: "write the 64 hexadecimal digits of a SHA-256")
                }
                return digest
            },
            describe: { Hex.encode($0) })
    }
}

extension ValueFormat<UInt64> {
    /// The number of a connection.
    static var connection: ValueFormat {
        ValueFormat(
            placeholder: "N",
            parse: { (text) throws(ValueError) in
                guard let number = UInt64(text), number > 0 else {
                    throw ValueError(what: "not a connection", remedy: "use its number in the transcript")
                }
                return number
            })
    }
}
