/// Puts a ClientHello together from the bytes of a TCP stream, however records and segments cut it.
///
/// It keeps the bytes as they came, and only once: a peer that stalls costs no more than what it has sent. The TLS library
/// wants the same bytes afterwards.
public struct ClientHelloAssembler: Sendable {
    /// How far the hello has come.
    public enum Progress: Sendable, Equatable {
        /// More bytes are needed.
        case incomplete
        /// The hello is complete; `message` is the handshake message with its header (RFC 8446 section 4).
        case hello(ClientHello, message: [UInt8])
        /// The peer does not speak TLS; at most the first 16 bytes of what it sent.
        case notTLS(firstBytes: [UInt8])
        /// The peer speaks TLS, but not a hello.
        case malformed(WireError)
        /// The hello takes more bytes than the limit.
        case tooLarge
    }

    /// Everything that came until the hello was complete, and what came with its end.
    public private(set) var received: [UInt8] = []

    private let limit: Int
    /// Where the first record begins that has not come as a whole.
    private var recordStart = 0
    /// How many bytes of the message the records before it carry.
    private var carried = 0
    /// The first bytes of the message, of which four tell its type and length.
    private var header: [UInt8] = []
    private var outcome: Progress?

    /// Starts with nothing received.
    ///
    /// - Parameter limit: How many bytes the hello may take, the headers of its records included.
    public init(limit: Int = 65536) {
        self.limit = limit
    }

    /// Takes the next bytes of the stream, in any portion.
    ///
    /// - Parameter bytes: What arrived since the last call; bytes behind the hello are kept and not looked at.
    /// - Returns: How far the hello has come; once that is anything but `incomplete`, it stays so.
    public mutating func receive(_ bytes: [UInt8]) -> Progress {
        keep(bytes)
        if outcome == nil { outcome = walk() }
        if outcome == nil, received.count > limit { outcome = .tooLarge }
        return outcome ?? .incomplete
    }

    /// Keeps bytes in little more memory than they need: an array left to itself would take up to twice as much.
    private mutating func keep(_ bytes: [UInt8]) {
        let needed = received.count + bytes.count
        if needed > received.capacity { received.reserveCapacity((needed / Self.step + 1) * Self.step) }
        received += bytes
    }

    /// How much more memory is taken at once; by octets it would be copied as often.
    private static let step = 4096

    /// How much of the stream is looked at: the limit decides wherever the stream was cut.
    private var end: Int { min(received.count, limit) }

    /// Goes on from the record that was not whole; nil if more bytes are needed.
    private mutating func walk() -> Progress? {
        while recordStart < end {
            if let fault = faultInRecordHeader() { return fault }
            guard let fragment = fragment(at: recordStart) else { return nil }
            let here = received[fragment]
            header = Array((header.prefix(carried) + here).prefix(Self.headerLength))
            if let first = header.first, first != HandshakeType.clientHello {
                return .malformed(.malformed(field: "handshake message type"))
            }
            if header.count == Self.headerLength {
                let length = Self.headerLength + (Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3]))
                guard length <= limit else { return .tooLarge }
                if carried + here.count >= length { return decode(length) }
            }
            guard here.count == recordLength(at: recordStart) else { return nil }
            carried += here.count
            recordStart = fragment.upperBound
        }
        return nil
    }

    /// What is wrong with as much of the header of the record at `recordStart` as has come (RFC 8446 section 5.1).
    private func faultInRecordHeader() -> Progress? {
        // A TLS stream begins with a handshake record of major version 3; each octet is judged as soon as it is there.
        let isHandshake = received[recordStart] == Self.handshakeRecord
        let isVersion3 = recordStart + 1 >= end || received[recordStart + 1] == 3
        guard isHandshake, isVersion3 else {
            return recordStart == 0
                ? .notTLS(firstBytes: Array(received.prefix(16))) : .malformed(.malformed(field: "record header"))
        }
        guard let length = recordLength(at: recordStart) else { return nil }
        return (1...Self.maximumFragment).contains(length) ? nil : .malformed(.malformed(field: "record length"))
    }

    /// Where as much of a record's fragment lies as has come; nil if its header is not complete.
    private func fragment(at start: Int) -> Range<Int>? {
        guard let length = recordLength(at: start) else { return nil }
        let first = start + Self.recordHeaderLength
        return first..<min(first + length, end)
    }

    private func recordLength(at start: Int) -> Int? {
        guard start + Self.recordHeaderLength <= end else { return nil }
        return Int(received[start + 3]) << 8 | Int(received[start + 4])
    }

    /// Takes the message out of its records and reads it.
    private func decode(_ length: Int) -> Progress {
        var message: [UInt8] = []
        message.reserveCapacity(length)
        var start = 0
        while message.count < length, let fragment = fragment(at: start) {
            message += received[fragment].prefix(length - message.count)
            start = fragment.upperBound
        }
        do throws(WireError) {
            return .hello(try ClientHello(message: message[Self.headerLength...]), message: message)
        } catch {
            return .malformed(error)
        }
    }

    /// The record type of handshake messages.
    private static let handshakeRecord: UInt8 = 22
    /// The most that a plaintext record may carry.
    private static let maximumFragment = 1 << 14
    private static let recordHeaderLength = 5
    private static let headerLength = 4
}
