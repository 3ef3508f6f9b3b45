import Transcript
import Wire

@testable import Report

/// Connections made by hand, a millisecond between their events.
struct Recorded {
    private(set) var events: [Event] = []

    /// Makes connection 1.
    init(_ kinds: [Event.Kind]) {
        for (index, kind) in kinds.enumerated() {
            events.append(
                Event(
                    connection: 1, monotonic: 5_000_000 + UInt64(index) * 1_000_000,
                    wall: 1_772_373_727_000_000 + Int64(index) * 1000, kind: kind))
        }
    }

    /// The events of connection 1 as a story.
    var story: ConnectionStory {
        var story = ConnectionStory(connection: 1)
        for event in events { story.add(event) }
        return story
    }

    /// A client that asked for a host and was intercepted; TCP to the origin stands.
    static let asked: [Event.Kind] = [
        .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
        .requested(
            method: "CONNECT", target: "api.example.com:443", endpoint: Endpoint("api.example.com:443")),
        .decided(.intercept, rule: nil), .connected(origin: "192.0.2.1:443", nanoseconds: 20_500_000),
    ]

    /// An end.
    static func closed(client: End? = nil, bytes: (UInt64, UInt64) = (0, 0)) -> Event.Kind {
        .closed(
            Closed(
                by: .client, phase: .relay, client: client, origin: nil, clientBytes: bytes.0, originBytes: bytes.1,
                nanoseconds: 210_000_000))
    }

    /// A handshake message of a type with this body (RFC 8446 section 4).
    static func message(_ type: UInt8, _ body: [UInt8] = []) -> [UInt8] {
        [type, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xFF), UInt8(body.count & 0xFF)] + body
    }

    /// A ServerHello of TLS 1.3 with TLS_AES_128_GCM_SHA256 and a key share of x25519 (RFC 8446 section 4.1.3).
    static let serverHello = message(
        2,
        [3, 3] + [UInt8](repeating: 1, count: 32) + [0, 0x13, 0x01, 0, 0, 16]
            + [0x00, 0x2B, 0, 2, 3, 4, 0x00, 0x33, 0, 6, 0, 0x1D, 0, 2, 0xAB, 0xCD])

    /// A ServerHello of TLS 1.2 without extensions (RFC 5246 section 7.4.1.3).
    static let oldServerHello = message(2, [3, 3] + [UInt8](repeating: 1, count: 32) + [0, 0xC0, 0x2F, 0])

    /// A HelloRetryRequest that asks for secp256r1: the random is SHA-256("HelloRetryRequest").
    static let retryRequest = message(
        2,
        [3, 3]
            + [
                0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2,
                0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
            ] + [0, 0x13, 0x01, 0, 0, 12, 0x00, 0x2B, 0, 2, 3, 4, 0x00, 0x33, 0, 2, 0, 0x17])

    /// A ClientHello that offers TLS 1.3 and 1.2, the name api.example.com and HTTP/2 (RFC 8446 section 4.1.2).
    static let clientHello = message(1, helloBody)

    static let helloBody: [UInt8] =
        [3, 3] + [UInt8](repeating: 2, count: 32) + [0, 0, 4, 0x0A, 0x0A, 0x13, 0x01, 1, 0, 0, 46]
        + [0x00, 0x00, 0, 20, 0, 18, 0, 0, 15] + Array("api.example.com".utf8)
        + [0x00, 0x10, 0, 5, 0, 3, 2, 0x68, 0x32]
        + [0x00, 0x2B, 0, 5, 4, 3, 4, 3, 3] + [0x1A, 0x1A, 0, 0]

    /// What the engine records of that hello, with fingerprints that only have their form.
    static let hello: HelloRecord = {
        do {
            return HelloRecord(
                hello: try ClientHello(message: helloBody), ja3Text: "", ja3: "0123456789abcdef0123456789abcdef",
                ja4: "t13d0103h2_0123456789ab_0123456789ab")
        } catch {
            fatalError("the hello does not decode: \(error)")
        }
    }()

    /// What a handshake of TLS 1.3 agreed on.
    static let agreed = TLSParameters(
        version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256", group: "x25519", alpn: "h2",
        serverName: "api.example.com", resumed: false)

    /// A certificate, and the one that issued it.
    static let certificates: [String: CertificateOutline] = [
        "aa": CertificateOutline(
            digest: "aa", subject: "CN=api.example.com", issuer: "CN=Example CA",
            names: ["DNS:api.example.com"], key: "EC P-256", notBefore: 1_772_323_200, notAfter: 1_803_859_200,
            isSelfSigned: false),
        "bb": CertificateOutline(
            digest: "bb", subject: "CN=Example CA", issuer: "CN=Example CA", names: [], key: "RSA 2048",
            notBefore: 1_704_067_200, notAfter: 1_767_225_599, isSelfSigned: true),
    ]
}
