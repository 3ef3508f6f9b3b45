/// A format in which somebody may have compressed a transcript, by the octets with which such files begin.
enum CompressedFormat: String {
    /// RFC 1952 section 2.3.1.
    case gzip
    /// RFC 8878 section 3.1.1.
    case zstd
    /// The .xz file format, section 2.1.1.1.
    case xz
    /// Of bzip2, "BZh".
    case bzip2

    /// The format of what begins with these octets; nil if it is none of them.
    init?(of octets: [UInt8]) {
        switch octets {
        case _ where octets.starts(with: [0x1F, 0x8B]): self = .gzip
        case _ where octets.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstd
        case _ where octets.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]): self = .xz
        case _ where octets.starts(with: [0x42, 0x5A, 0x68]): self = .bzip2
        default: return nil
        }
    }
}
