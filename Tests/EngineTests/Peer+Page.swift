import TestSupport
import Wire

extension Peer {
    /// Asks for a page of the proxy's own, and returns its text.
    func fetchPage(_ alpn: String, fault: String = "origin") async throws -> String {
        if alpn == "h2" {
            try await send(HTTP2Client.preface + HTTP2Client.headers(1).bytes)
            // DATA on stream 1 with END_STREAM ends the answer.
            let view = try await wait("the page") { view in
                HTTP2Frame.parse(view.received)?.contains { $0.kind == .data && $0.flags & 1 == 1 } == true
            }
            let frames = HTTP2Frame.parse(view.received) ?? []
            let head = frames.first { $0.kind == .headers }
            // `:status` is a literal with the indexed name 8; "502" is 6c 02 in Huffman's code (RFC 7541 appendix B).
            guard let payload = head?.payload, payload.starts(with: [0x48, 0x82, 0x6C, 0x02]) else {
                throw Unfulfilled("the status is not 502: \(String(describing: head?.payload))")
            }
            let body = frames.filter { $0.kind == .data }.flatMap(\.payload)
            return String(decoding: body, as: UTF8.self)
        }
        try await send("GET / HTTP/1.1\r\nHost: \(testHost)\r\n\r\n")
        let head = try await receive(through: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 502 "), head.contains("\r\nPinproof-Fault: \(fault)") else {
            throw Unfulfilled(head)
        }
        guard let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) }) else {
            throw Unfulfilled(head)
        }
        return String(decoding: try await receive(length), as: UTF8.self)
    }
}
