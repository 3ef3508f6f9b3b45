internal import Crypto
internal import Foundation
internal import Wire

/// The client certificate that the test origin saw, as its JSON names it.
struct ClientSeen: Encodable {
    let subject: String
    let issuer: String
    let sha256: String
    let certificates: Int
    let fault: String?

    init(_ leaf: Certificate, certificates: Int, fault: Int32) {
        subject = leaf.subject
        issuer = leaf.issuer
        sha256 = Hex.encode(leaf.sha256)
        self.certificates = certificates
        self.fault = fault == 0 ? nil : CertificateFault.text(verifyError: fault)
    }
}

/// What the test origin answers: a body of the size asked for, or JSON about what it saw.
final class OriginAnswers: AnswerSource {
    /// What the JSON says; the names are the interface.
    private struct Seen: Encodable {
        struct Header: Encodable {
            let name: String
            let value: String
        }
        let serverName: String?
        let alpn: String?
        let clientCertificate: ClientSeen?
        let tlsVersion: String?
        let cipherSuite: String?
        let method: String
        let target: String
        let authority: String?
        let httpVersion: String
        let headers: [Header]
        let bodyBytes: UInt64
        let bodySHA256: String?
    }

    private let hello: ClientHello?
    private let session: TLSFacts?
    private let client: ClientSeen?
    private var bodies: [Int32: RunningDigest] = [:]

    init(hello: ClientHello?, session: TLSFacts?, client: ClientSeen? = nil) {
        self.client = client
        self.hello = hello
        self.session = session
    }

    func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest) {
        let digest = bodies[request.streamID] ?? RunningDigest()
        bodies[request.streamID] = digest
        digest.update(bytes)
    }

    func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer {
        let digest = bodies.removeValue(forKey: request.streamID)?.finish()
        guard ["GET", "HEAD", "POST", "PUT"].contains(request.method) else {
            return .page(
                status: 405, title: "Method not allowed", text: ["The test origin takes GET, HEAD, POST and PUT."])
        }
        if let size = request.target.wholeMatch(of: /\/bytes\/([0-9]+)([kMG]?)(?:\?.*)?/) {
            let unit: UInt64 = ["k": 1 << 10, "M": 1 << 20, "G": 1 << 30][String(size.2)] ?? 1
            // A number that does not fit is too large too.
            let (length, overflow) = (UInt64(size.1) ?? .max).multipliedReportingOverflow(by: unit)
            guard !overflow, length <= Self.largestBody else {
                return .page(status: 400, title: "Too large", text: ["A body has at most 1024 GiB."])
            }
            return Answer(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: "application/octet-stream")],
                body: .pattern(length: length))
        }
        return describe(request, bodyLength, digest)
    }

    private func describe(_ request: HTTPRequest, _ bodyLength: UInt64, _ digest: [UInt8]?) -> Answer {
        let seen = Seen(
            serverName: hello?.serverName, alpn: session?.alpn.map { String(decoding: $0, as: UTF8.self) },
            clientCertificate: client, tlsVersion: session.map { TLSNames.version($0.version) },
            cipherSuite: session?.cipherSuiteName,
            method: request.method, target: request.target, authority: request.authority,
            httpVersion: request.httpVersion,
            headers: request.headers.map { Seen.Header(name: $0.name, value: $0.value) }, bodyBytes: bodyLength,
            bodySHA256: digest.map(Hex.encode))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(seen) else {
            return .page(status: 500, title: "Not encodable", text: ["The request does not fit into JSON."])
        }
        return .json(status: 200, String(decoding: json, as: UTF8.self) + "\n")
    }

    private static let largestBody: UInt64 = 1 << 40
}
