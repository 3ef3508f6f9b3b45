/// Puts a ClientHello together from the bytes of a TCP stream, however records and segments cut it.
///
/// The assembler keeps nothing but the message: whoever feeds it keeps the bytes themselves for the TLS library.
/// A message within the limit takes at most six times its size on the wire, since every record carries at least one of
/// its bytes.
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
        /// The message is longer than the limit.
        case tooLarge
    }

    private let limit: Int
    private var recordHeader: [UInt8] = []
    private var recordBytesLeft = 0
    private var message: [UInt8] = []
    private var outcome: Progress?

    /// Starts with nothing received.
    ///
    /// - Parameter limit: How long the message may be, its header included.
    public init(limit: Int = 65536) {
        self.limit = limit
    }

    /// Takes the next bytes of the stream, in any portion.
    ///
    /// - Parameter bytes: What arrived since the last call; bytes behind the hello are ignored.
    /// - Returns: How far the hello has come; once that is anything but `incomplete`, it stays so.
    public mutating func receive(_ bytes: [UInt8]) -> Progress {
        var input = bytes[...]
        while outcome == nil, !input.isEmpty {
            if recordBytesLeft > 0 {
                takeFragment(&input)
            } else {
                takeRecordHeader(&input)
            }
        }
        return outcome ?? .incomplete
    }

    /// Takes one octet of a record's header (RFC 8446 section 5.1).
    private mutating func takeRecordHeader(_ input: inout ArraySlice<UInt8>) {
        recordHeader.append(input.removeFirst())
        let isFirstRecord = message.isEmpty
        // A TLS stream begins with a handshake record of major version 3; judge each octet as soon as it is there.
        guard recordHeader[0] == Self.handshakeRecord, recordHeader.count < 2 || recordHeader[1] == 3 else {
            outcome =
                isFirstRecord
                ? .notTLS(firstBytes: [UInt8]((recordHeader + input).prefix(16)))
                : .malformed(.malformed(field: "record header"))
            return
        }
        guard recordHeader.count == 5 else { return }
        recordBytesLeft = Int(recordHeader[3]) << 8 | Int(recordHeader[4])
        recordHeader.removeAll(keepingCapacity: true)
        guard (1...Self.maximumFragment).contains(recordBytesLeft) else {
            outcome = .malformed(.malformed(field: "record length"))
            return
        }
    }

    /// Takes as much of the current record as is there.
    private mutating func takeFragment(_ input: inout ArraySlice<UInt8>) {
        let fragment = input.prefix(recordBytesLeft)
        input = input.dropFirst(fragment.count)
        recordBytesLeft -= fragment.count
        message.append(contentsOf: fragment)
        guard message[0] == Self.clientHello else {
            outcome = .malformed(.malformed(field: "handshake message type"))
            return
        }
        guard message.count >= 4 else { return }
        let length = 4 + (Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3]))
        guard length <= limit else {
            outcome = .tooLarge
            return
        }
        guard message.count >= length else { return }
        message.removeLast(message.count - length)
        do throws(WireError) {
            outcome = .hello(try ClientHello(message: message[4...]), message: message)
        } catch {
            outcome = .malformed(error)
        }
    }

    /// The record type of handshake messages.
    private static let handshakeRecord: UInt8 = 22
    /// The handshake message type of a ClientHello.
    private static let clientHello: UInt8 = 1
    /// The most that a plaintext record may carry.
    private static let maximumFragment = 1 << 14
}
