import Foundation
import Testing

/// A DNS server on loopback that knows a few names, and notes what it is asked.
///
/// Its messages are written by hand from RFC 1035, section 4.
final class TestNameServer: Sendable {
    enum RecordType: UInt16 {
        case a = 1
        case aaaa = 28
    }

    let port: UInt16
    /// The questions so far, in lower case: "name TYPE".
    let questions = Shared<[String]>([])

    private let descriptor: Int32
    private let records: [String: [UInt8]]
    private let answers: Bool
    private let ended = DispatchSemaphore(value: 0)

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - records: Four or sixteen octets for each name; every other name does not exist.
    ///   - answers: Whether it answers at all.
    /// - Throws: If there is no port to be had.
    init(records: [String: [UInt8]] = [:], answers: Bool = true) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        (self.descriptor, self.records, self.answers) = (descriptor, records, answers)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                try #require(bind(descriptor, raw, length) == 0)
                try #require(getsockname(descriptor, raw, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    /// Ends the server's thread.
    func stop() {
        // An empty datagram; on Linux shutdown(2) also wakes recvfrom(2), but only for a connected socket.
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = sendto(descriptor, nil, 0, 0, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        ended.wait()
        close(descriptor)
    }

    private func serve() {
        var packet = [UInt8](repeating: 0, count: 1_500)
        while true {
            var peer = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutablePointer(to: &peer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    let count = recvfrom(descriptor, &packet, packet.count, 0, raw, &length)
                    guard count > 12 else { return length = 0 }
                    guard let reply = reply(to: Array(packet.prefix(count))) else { return }
                    _ = sendto(descriptor, reply, reply.count, 0, raw, length)
                }
            }
            if length == 0 { break }
        }
        ended.signal()
    }

    private func reply(to query: [UInt8]) -> [UInt8]? {
        var labels: [String] = []
        var index = 12
        while query[index] != 0 {
            let end = index + 1 + Int(query[index])
            labels.append(String(decoding: query[index + 1..<end], as: UTF8.self).lowercased())
            index = end
        }
        let name = labels.joined(separator: ".")
        let type = RecordType(rawValue: UInt16(query[index + 1]) << 8 | UInt16(query[index + 2]))
        questions.update { $0.append("\(name) \(type.map { "\($0)".uppercased() } ?? "?")") }
        guard answers else { return nil }

        let record = records[name]
        let fits = record.map { $0.count == (type == .a ? 4 : 16) } ?? false
        let code: UInt8 = record == nil ? 3 : 0
        // The identifier; a recursive answer; one question, none or one answer.
        var reply = Array(query[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, fits ? 1 : 0, 0, 0, 0, 0]
        reply += query[12..<index + 5]
        if let record, fits {
            // The question's name again; its type; class IN; 60 seconds.
            reply += [0xc0, 12] + query[index + 1..<index + 3] + [0, 1, 0, 0, 0, 60, 0, UInt8(record.count)] + record
        }
        return reply
    }
}
