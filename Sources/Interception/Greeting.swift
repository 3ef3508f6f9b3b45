internal import Transcript
internal import Wire

/// Waits for the first bytes of a connection and decides what the client speaks.
///
/// It keeps the bytes: those after the blank line of a CONNECT request already belong to what follows.
struct Greeting {
    /// What the first bytes turned out to be.
    enum Outcome {
        /// More bytes are needed.
        case incomplete
        /// `CONNECT host:port`; `rest` are the bytes after the blank line.
        case connect(Endpoint, target: String, rest: [UInt8])
        /// Something that this port does not serve: the answer for the client, if it can read one.
        case unserved(method: String?, target: String?, Endpoint?, Failure, ProxyReply?)
    }

    private let credentials: ProxyCredentials?
    private let limit: Int
    private var received: [UInt8] = []

    init(credentials: ProxyCredentials?, limit: Int) {
        self.credentials = credentials
        self.limit = limit
    }

    /// Takes what came and says what it is so far.
    mutating func receive(_ bytes: [UInt8]) -> Outcome {
        received += bytes
        guard let first = received.first else { return .incomplete }
        if first == Self.tlsHandshakeRecord {
            return unreadable(
                .tlsWithoutConnect, "TLS was spoken to the proxy's port without CONNECT",
                hint: "set this address as the client's HTTPS proxy with an http:// URL")
        }
        if Self.socksVersions.contains(first) {
            return unreadable(
                .greetingMalformed, "the client speaks SOCKS, which this proxy does not",
                hint: "set this address as the client's HTTP or HTTPS proxy, not as its SOCKS proxy")
        }
        switch HTTPRequestHead.parse(received, limit: limit) {
        case .incomplete:
            return .incomplete
        case .malformed(let reason):
            return refuse(.greetingMalformed, status: 400, detail: "not an HTTP request: \(reason)")
        case .tooLarge:
            return refuse(
                .greetingTooLarge, status: 431, detail: "the request head is larger than \(limit) octets")
        case .complete(let head, let length):
            return classify(head, rest: Array(received[length...]))
        }
    }

    /// Whether anything came at all.
    var isSilent: Bool { received.isEmpty }

    private func classify(_ head: HTTPRequestHead, rest: [UInt8]) -> Outcome {
        // Methods are case-sensitive (RFC 9110 section 9.1): `connect` is another method.
        guard head.method == "CONNECT" else { return classifyOther(head) }
        guard credentials?.accept(head.headers) ?? true else {
            return refuse(
                .credentialsNeeded, status: 407, head: head,
                detail: "this proxy wants a name and a password, and got none that it knows",
                hint: "give the client one of those in the file of --proxy-auth-file")
        }
        guard !head.announcesContent else {
            return refuse(
                .greetingMalformed, status: 400, head: head,
                detail: "a CONNECT request has no content, and this one announces some (RFC 9110 section 9.3.6)")
        }
        guard let endpoint = Endpoint(head.target) else {
            return refuse(
                .greetingMalformed, status: 400, head: head,
                detail: "CONNECT needs a host name or address and a port, as in CONNECT example.com:443")
        }
        return .connect(endpoint, target: head.target, rest: rest)
    }

    private func classifyOther(_ head: HTTPRequestHead) -> Outcome {
        if head.target.lowercased().hasPrefix("http://") {
            return refuse(
                .plainHTTPRequest, status: 501, head: head,
                detail: "plain HTTP has no certificate to prove anything about and is not relayed",
                hint: "use https://, or exempt http:// from the client's proxy settings")
        }
        if head.method.uppercased() == "CONNECT" || head.target.contains("://") {
            return refuse(
                .notAProxyRequest, status: 400, head: head,
                detail: "what is not http:// is asked for with CONNECT, in capital letters",
                hint: "have the client ask as in CONNECT example.com:443")
        }
        return refuse(
            .notAProxyRequest, status: 400, head: head,
            detail: "this is the port of the Pinproof proxy, not a web server",
            hint: "set this address as the client's HTTPS proxy")
    }

    /// Refuses a client that could not read an answer in HTTP.
    private func unreadable(_ code: Failure.Code, _ detail: String, hint: String) -> Outcome {
        let failure = Failure(party: .client, code: code, phase: .greeting, detail: detail, hint: hint)
        return .unserved(method: nil, target: nil, nil, failure, nil)
    }

    private func refuse(
        _ code: Failure.Code, status: Int, head: HTTPRequestHead? = nil, detail: String, hint: String? = nil
    ) -> Outcome {
        let failure = Failure(party: .client, code: code, phase: .greeting, detail: detail, hint: hint)
        let reply = ProxyReply.refusal(status: status, failure)
        let endpoint = head.flatMap { $0.method == "CONNECT" ? Endpoint($0.target) : nil }
        return .unserved(method: head?.method, target: head?.target, endpoint, failure, reply)
    }

    private static let tlsHandshakeRecord: UInt8 = 0x16
    /// The first octet of SOCKS 4 and 5 (RFC 1928 section 3).
    private static let socksVersions: ClosedRange<UInt8> = 4...5
}

extension HTTPRequestHead {
    /// Whether content is said to follow (RFC 9112 section 6); a length of zero announces none.
    fileprivate var announcesContent: Bool {
        !headers.values(named: "Transfer-Encoding").isEmpty
            || headers.values(named: "Content-Length").contains { $0 != "0" }
    }
}
