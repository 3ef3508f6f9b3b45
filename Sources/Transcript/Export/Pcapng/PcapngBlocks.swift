import Wire

/// The blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian, as far as Pinproof writes them.
///
/// Every block is its type, its length, a body padded to 32 bits, and its length once more (section 3.1).
extension [UInt8] {
    /// Appends a Section Header Block (section 4.1); the length of the section is left open.
    mutating func appendSectionHeader(application: String) {
        appendBlock(type: 0x0A0D_0D0A) { body in
            body.append(littleEndian: UInt32(0x1A2B_3C4D))  // the octet order
            body.append(littleEndian: UInt16(1))  // version 1.0
            body.append(littleEndian: UInt16(0))
            body.append(littleEndian: UInt64.max)
            body.appendOption(code: 4, Array(application.utf8))  // shb_userappl
            body.appendEndOfOptions()
        }
    }

    /// Appends an Interface Description Block (section 4.2) for packets that begin with their IP header.
    ///
    /// Stamps are in microseconds, as those of events are.
    mutating func appendInterface(name: String, snapLength: UInt32) {
        appendBlock(type: 1) { body in
            body.append(littleEndian: UInt16(101))  // LINKTYPE_RAW
            body.append(littleEndian: UInt16(0))
            body.append(littleEndian: snapLength)
            body.appendOption(code: 2, Array(name.utf8))  // if_name
            body.appendOption(code: 9, [6])  // if_tsresol: 10^-6 s
            body.appendEndOfOptions()
        }
    }

    /// Appends a Decryption Secrets Block (section 4.7) with lines of a key log.
    mutating func appendDecryptionSecrets(_ keyLog: [UInt8]) {
        appendBlock(type: 0x0000_000A) { body in
            body.append(littleEndian: UInt32(0x544C_534B))  // a TLS key log
            body.append(littleEndian: UInt32(truncatingIfNeeded: keyLog.count))
            body.append(contentsOf: keyLog)
            body.pad()
        }
    }

    /// Appends an Enhanced Packet Block (section 4.3) of the first interface.
    ///
    /// - Parameters:
    ///   - segment: What the packet carries; it is captured whole.
    ///   - time: Its stamp, in microseconds since 1970; earlier times become that one.
    ///   - comment: What to say of it; nil for nothing.
    mutating func append(_ segment: TCPSegment, at time: Int64, comment: String?) {
        appendBlock(type: 6) { body in
            let stamp = UInt64(Swift.max(0, time))
            body.append(littleEndian: UInt32(0))
            body.append(littleEndian: UInt32(truncatingIfNeeded: stamp >> 32))
            body.append(littleEndian: UInt32(truncatingIfNeeded: stamp))
            let lengths = body.count
            body.append(littleEndian: UInt64(0))
            segment.appendPacket(to: &body)
            let length = UInt32(truncatingIfNeeded: body.count - lengths - 8)
            body.set(littleEndian: length, at: lengths)  // what is here
            body.set(littleEndian: length, at: lengths + 4)  // what there was
            body.pad()
            if let comment {
                body.appendOption(code: 1, Array(comment.utf8))  // opt_comment
                body.appendEndOfOptions()
            }
        }
    }

    /// Appends a block whose body, padded already, is appended by `write`.
    private mutating func appendBlock(type: UInt32, _ write: (inout [UInt8]) -> Void) {
        append(littleEndian: type)
        let lengthPlace = count
        append(littleEndian: UInt32(0))
        let start = count
        write(&self)
        let length = UInt32(truncatingIfNeeded: count - start + 12)
        set(littleEndian: length, at: lengthPlace)
        append(littleEndian: length)
    }

    /// Appends an option (section 3.5), cut if it is longer than the format allows.
    private mutating func appendOption(code: UInt16, _ value: [UInt8]) {
        let value = value.prefix(Int(UInt16.max))
        append(littleEndian: code)
        append(littleEndian: UInt16(value.count))
        append(contentsOf: value)
        pad()
    }

    private mutating func appendEndOfOptions() { append(littleEndian: UInt32(0)) }

    /// Appends zeros up to 32 bits; all that stands before is in whole blocks, which are too.
    private mutating func pad() {
        append(contentsOf: repeatElement(0, count: (4 - count % 4) % 4))
    }

    private mutating func set(littleEndian number: UInt32, at place: Int) {
        for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    private mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
